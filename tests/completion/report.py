# SPDX-License-Identifier: MIT
"""Prints doc/completion.md from the figures that tests/completion/run has left in a directory.

    report.py DIRECTORY PROGRAM…
"""
import sys
from pathlib import Path

HEAD = """\
# How right stacks are that were completed

<!-- Written by `tests/completion/run BUILD-DIR`; do not edit. -->

A stack that was followed by frame pointers lacks what called code that keeps none, and the C library
keeps none: at its system calls a program's stacks are hardly ever whole. introperf puts in what the
code of the functions below the hole tells (`common/completion`, the parameter `fill`). Here that is
measured on programs that Debian's sources were built of with `-fno-omit-frame-pointer`, against the C
library of the distribution. They are recorded with copies of their stacks; what frame pointers would
have shown of the same samples is followed in the copies as the kernel does it in memory. Each stack,
as it is and completed, is compared with what the unwind tables tell of it.

| program | stacks | lost | compared | equal as recorded | equal when completed | put in | wrong | \
one of several | wrong | holes | left | and without a word |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
"""

FOOT = """
- *lost*: stacks of one frame, as what runs there uses the frame pointer as any other register; of
  these nothing can be said. They are in no other column.
- *compared*: those that consist of frames of the unwound stack, down to where the C library has called
  the program. The unwinding itself ends too early in the others.
- *equal*: frame by frame.
- *put in*: frames, of which *wrong* are not in the unwound stack at that place.
- *one of several*: places where a frame says that it is one of several functions; *wrong*, that it is
  none of those whose names are shown (all of up to three).
- *holes*: places where frames are missing between two that follow each other, as recorded; *left*,
  where it is not known which; *and without a word*, where nothing is put in either.
"""


def read(path):
    figures = dict(line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {name: int(value) for name, value in figures.items()}


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "–"


def row(name, figures):
    def get(key):
        return figures.get(key, 0)
    compared, holes = get("compared"), get("holes_before")
    cells = [name, get("stacks"), share(get("lost"), get("stacks")), compared,
             share(get("equal_before"), compared), share(get("equal_after"), compared),
             get("filled"), get("wrong"), get("choices"), get("wrong_choices"), holes,
             share(get("holes_after") + get("choices"), holes), share(get("holes_after"), holes)]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    total = {}
    print(HEAD, end="")
    for name in sys.argv[2:]:
        path = Path(sys.argv[1]) / f"{name}.figures"
        if path.exists():
            figures = read(path)
            print(row(name, figures))
            for key, value in figures.items():
                total[key] = total.get(key, 0) + value
    print(row("all", total))
    print(FOOT, end="")


main()
