# SPDX-License-Identifier: MIT
"""What is recorded: everyday programs, each with the same work every time, and programs with a part
more of it in one function, or with a wait that is new. Each takes some tenths of a second."""

import json
import subprocess
from pathlib import Path

from bench import fresh

HERE = Path(__file__).resolve().parent

# Constants of the verdict were chosen with these, with injected.c, and with the programs of
# slowed.c …
TUNED_ON = ("tar", "gzip", "sqlite3", "python3", "find", "grep", "perl", "gcc", "awk", "sort", "xz",
            "objdump", "node", "ctags", "clang-format", "zip", "md5sum", "od", "wc", "bc", "groff",
            "clang", "bzip2", "sed", "zstd", "openssl", "git", "jq", "xmllint", "ruby", "factor",
            "fmt")
SLOWED = ("matrix", "hash", "sort", "text", "list", "file", "thread", "server", "quiet", "pause",
          "tree", "format", "pool", "map", "filter", "crc", "search", "heap", "copy", "stat")
# … and tried once on these, and on the programs of slower.c.
LOOKED_AT_ONCE = tuple(fresh.COMMANDS)
SLOWER = ("compress", "parse", "align", "interpret", "image", "store", "serve", "power", "match",
          "life")

# How much slower a function is made in injected.c …
PERCENTS = (5, 10, 20, 50)
INJECTED = "scale"
# … and in the programs of slowed.c and of slower.c; and in how many pieces they wait for WAIT_MS in
# all, which is about three tenths of such a run.
# By which part, and how many runs of each are compared.
SLOWED_BY = ((5, 5), (10, 5), (50, 1))
PIECES = (1, 2, 4, 20, 200)
WAIT_MS = 430
ANSWER = "answer"
WAITING = "look_up"

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

NODE = """
const text = require("fs").readFileSync("text", "latin1");
const words = new Map();
for (const word of text.match(/[a-z_]+/g)) words.set(word, (words.get(word) || 0) + 1);
const pairs = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
let sum = 0;
for (let i = 0; i < 20; i++) sum += JSON.parse(JSON.stringify(pairs)).length;
console.log(sum, pairs[0]);
"""

BC = """
scale = 300
for (i = 1; i < 400; i++) s += sqrt(i) / i
a(1) * 4; e(1); s
"""

RUBY = """
text = File.binread("text")
words = Hash.new(0)
text.scan(/[a-z_]+/) { |word| words[word] += 1 }
puts words.sort_by { |word, count| [-count, word] }.first(20).map(&:inspect)
"""

JQ = "group_by(.name) | map({name: .[0].name, sum: map(.value) | add}) | sort_by(.sum) | .[-3:]"

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


def _write_items(work, count):
    """The same items for who reads JSON and for who reads XML."""
    items = [{"name": f"item{i * 7919 % 997}", "value": i} for i in range(count)]
    (work / "items.json").write_text(json.dumps(items))
    (work / "items.xml").write_text("<items>" + "".join(
        f'<item name="{item["name"]}"><value>{item["value"]}</value></item>' for item in items) +
        "</items>")


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
    (work / "manual").write_bytes((HERE.parents[2] / "doc/man/perf-introperf.1").read_bytes())
    (work / "script.js").write_text(NODE)
    (work / "script.bc").write_text(BC)
    (work / "script.rb").write_text(RUBY)
    _write_items(work, 30000)
    (work / "many.c").write_text("".join(C_FUNCTION.format(i) for i in range(60)))
    for name, script in fresh.SCRIPTS.items():
        (work / name).write_text(script)
    for name, sources in (("injected", "injected.c"), ("slowed", "slowed.c"),
                          ("slower", "slower/*.c")):
        subprocess.run(["gcc", "-O2", "-g", "-fno-omit-frame-pointer", "-o", work / name,
                        *sorted(HERE.parent.glob(sources)), "-lpthread"], check=True)


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
        "ctags": ["ctags", "-R", "-f", "tags", *[f"tree/{i}" for i in range(30)]],
        "clang-format": ["clang-format", "--style=LLVM", *["many.c"] * 12],
        "zip": ["zip", "-q1r", "-", "tree"],
        "md5sum": ["md5sum", *["text"] * 40],
        "od": ["od", "-An", "-tx1", "-N", "3000000", "text"],
        "wc": ["wc", "-mwL", *["text"] * 12],
        "bc": ["bc", "-lq", "script.bc"],
        "groff": ["groff", "-mandoc", "-Tps", *["manual"] * 6],
        "clang": ["clang", "-O2", "-c", "-o", "many-clang.o", "many.c"],
        "node": ["node", "script.js"],
        "bzip2": ["bzip2", "-kc", "text"],
        "sed": ["sed", "-E", "s/([a-z_]+)\\(/\\1 (/g", "text"],
        "zstd": ["zstd", "-qc", "-9", "text"],
        "openssl": ["openssl", "dgst", "-sha512", *["text"] * 40],
        "git": ["git", "grep", "--no-index", "-cE", "[a-z]+_t +[a-z]+", "--",
                *[f"tree/{i}" for i in range(8)]],
        "jq": ["jq", "-c", JQ, *["items.json"] * 2],
        "xmllint": ["xmllint", "--noout", "--xpath", "sum(//item[@name = 'item7']/value)",
                    *["items.xml"] * 8],
        "ruby": ["ruby", "script.rb"],
        "factor": ["factor", *[str(10 ** 30 + 2 * i + 1) for i in range(30)]],
        "fmt": ["fmt", "-w", "60", *["text"] * 6],
    }
    if name.startswith("injected"):
        return ["./injected", name[len("injected"):]]
    if name.startswith(("slowed-", "slower-")):
        binary, program, percent, pieces = name.split("-")
        wait = [pieces, str(round(WAIT_MS / int(pieces)))] if int(pieces) > 0 else []
        return [f"./{binary}", program, percent, *wait]
    return {**commands, **fresh.COMMANDS}[name]


def injected(percent):
    return f"injected{percent}"


def slowed(program, percent, pieces=0):
    """The program of slowed.c or slower.c whose function takes so many percent longer, and that
    waits in so many pieces."""
    return f"{'slower' if program in SLOWER else 'slowed'}-{program}-{percent}-{pieces}"


def recorded(number, options):
    """What the round of that number records, in turns, so that runs have others between them."""
    if number < options.tuned:
        yield from TUNED_ON
        yield from (injected(percent) for percent in (0, *PERCENTS))
        yield from (slowed(name, percent) for percent in (0, 50) for name in SLOWED)
    if number < options.rounds:
        yield from LOOKED_AT_ONCE
        yield from (slowed(name, 0) for name in SLOWER)
    if number < options.slower:
        yield from (slowed(name, percent) for percent, _ in SLOWED_BY for name in SLOWER)
    if number < options.waiting:
        yield from (slowed(name, 0, pieces) for pieces in PIECES for name in SLOWER)
