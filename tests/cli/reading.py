# SPDX-License-Identifier: MIT
"""Which lines of rankings doc/reading.md does not know, and which of its lines no ranking has:

    reading.py READING RESULT… -- KNOWN…

Each line of a RESULT, none of them broken, must be one of the document's; each of these that is not
seldom must be a line of a RESULT or of a KNOWN one."""
import re
import sys
from pathlib import Path

ROW = re.compile(r" *[~?]?[0-9]+  ?[+−0-9 ]")


def tables(text):
    """Lists of (pattern, it is seldom), by section."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        head = section.split("\n", 1)[0]
        rows = re.findall(r"^\| `(.*)` \| [A-Z].*\?( Seldom\.)? \|$", section, flags=re.M)
        found[head] = [(pattern, seldom != "") for pattern, seldom in rows]
    return found


def unbroken(text):
    """Lines of a table with what was broken off them; elsewhere the first words are enough."""
    return re.sub(r"\n {8}", " ", text).split("\n")


def parts_of(note):
    """Of "a; b (c; d)": a and b."""
    return [part for part in re.split(r"; (?![^(]*\))", note.strip()) if part]


def lines_of(text):
    """(section, line) of a ranking as text."""
    since_row = 9
    for line in unbroken(text):
        if not line.strip():
            continue
        since_row = 0 if ROW.match(line) else since_row + 1
        if line.startswith(" " * 6) and since_row == 2:
            yield from (("Notes", part) for part in parts_of(line))
        else:
            yield "Lines", line


def main():
    middle = sys.argv.index("--")
    reading = tables(Path(sys.argv[1]).read_text())
    unused = {(section, pattern) for section, patterns in reading.items()
              for pattern, seldom in patterns if not seldom}
    for at, name in enumerate(sys.argv[2:], 2):
        for section, line in lines_of(Path(name).read_text()) if at != middle else ():
            fitting = [pattern for pattern, _ in reading[section] if re.match(pattern, line)]
            unused -= {(section, pattern) for pattern in fitting}
            if not fitting and at < middle:
                print(f"{Path(name).name}: answers no question: {line[:100]}")
    for section, pattern in sorted(unused):
        print(f"no line is like that: {section}: {pattern}")


main()
