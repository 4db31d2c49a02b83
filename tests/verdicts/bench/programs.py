# SPDX-License-Identifier: MIT
"""What is recorded: twelve everyday programs, each with the same work every time, and injected.c with
a part more of it in one function. Each takes some tenths of a second."""

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Constants of the verdict were chosen with these alone …
TUNED_ON = ("tar", "gzip", "sqlite3", "python3", "find", "grep", "perl", "gcc")
# … and tried on these once.
LOOKED_AT_ONCE = ("awk", "sort", "xz", "objdump")

PERCENTS = (5, 10, 20, 50)
INJECTED = "scale"

SQL = """
create table t (a integer primary key, b text, c real);
begin;
with recursive n (i) as (select 1 union all select i + 1 from n limit 150000)
  insert into t select i, hex(i * 7919 % 65537), i / 3.0 from n;
commit;
create index t_b on t (b);
select count(*), sum(length(b)), avg(c) from t where b like '%31%';
select count(*) from t as x join t as y on y.a = x.a + 1 where y.c > x.c;
update t set c = c + 1 where a % 7 = 0;
"""

PYTHON = """
import json, re
text = open("text", errors="replace").read()
words = {}
for word in re.findall(r"[a-z_]+", text):
    words[word] = words.get(word, 0) + 1
for _ in range(20):
    json.loads(json.dumps(words))
"""

PERL = """
local $/; my %words; $_ = <>;
$words{$1}++ while /([a-z_]+)/g;
print scalar(grep { $words{$_} > 3 } sort keys %words), "\\n";
"""

AWK = """
{ for (i = 1; i <= NF; i++) { words[$i]++; letters += length($i) } }
END { for (word in words) if (words[word] > 99) print words[word], word; print letters }
"""

# {0} is a number; many of these make a file for the compiler.
C_FUNCTION = """
static int f{0}(const int *values, int count)
{{
	int sum = {0};
	for (int i = 0; i < count; i++) {{
		switch (values[i] % 5) {{
		case 0: sum += values[i] * {0}; break;
		case 1: sum ^= values[count - i - 1]; break;
		case 2: sum -= i; break;
		default: sum = sum * 3 + values[i];
		}}
	}}
	return sum;
}}
int g{0}(const int *values, int count) {{ return f{0}(values, count) + f{0}(values, count / 2); }}
"""


def prepare(work):
    """Makes the inputs of all programs in the directory `work`."""
    work.mkdir(parents=True, exist_ok=True)
    # What is there of C headers on any Debian with gcc, sorted, so that the text is the same.
    headers = sorted(path for path in Path("/usr/include").rglob("*.h") if path.is_file())
    tree = work / "tree"
    tree.mkdir(exist_ok=True)
    text = bytearray()
    for number, header in enumerate(headers[:4000]):
        content = header.read_bytes()
        directory = tree / str(number % 100)
        directory.mkdir(exist_ok=True)
        (directory / f"{number}.h").write_bytes(content)
        text += content
    (work / "text").write_bytes(bytes(text[:6_000_000]))
    (work / "script.sql").write_text(SQL)
    (work / "script.py").write_text(PYTHON)
    (work / "script.pl").write_text(PERL)
    (work / "script.awk").write_text(AWK)
    (work / "many.c").write_text("".join(C_FUNCTION.format(i) for i in range(60)))
    subprocess.run(["gcc", "-O2", "-g", "-fno-omit-frame-pointer", "-o", work / "injected",
                    HERE.parent / "injected.c"], check=True)


def command(name):
    """What is run in the directory that was prepared."""
    commands = {
        "tar": ["tar", "-cf", "out.tar", *["tree"] * 3],
        "gzip": ["gzip", "-kfc", "text"],
        "sqlite3": ["sqlite3", "-bail", ":memory:", ".read script.sql"],
        "python3": ["/usr/bin/python3", "script.py"],
        "find": ["find", *["tree"] * 10, "-type", "f", "-size", "+100k", "-name", "*.h"],
        "grep": ["grep", "-rEc", "[a-z]+_t +[a-z]+\\(.*int", "tree"],
        "perl": ["perl", "script.pl", "text"],
        "awk": ["awk", "-f", "script.awk", "text"],
        "sort": ["sort", "-o", "sorted", "text"],
        "xz": ["xz", "-kc0", "text"],
        "objdump": ["objdump", "--disassemble", "--reloc", "/usr/bin/perl"],
        "gcc": ["gcc", "-O2", "-c", "-o", "many.o", "many.c"],
    }
    if name.startswith("injected"):
        return ["./injected", name[len("injected"):]]
    return commands[name]


def injected(percent):
    return f"injected{percent}"
