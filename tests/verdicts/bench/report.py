# SPDX-License-Identifier: MIT
"""doc/verdicts.md: the model, which is written by hand in model.md, and what was measured."""

from pathlib import Path

from bench import programs
from bench.verdicts import GROUPS

MODEL = Path(__file__).resolve().parent.parent / "model.md"

TEXT = """# How sure a difference is

<!-- Written by `tests/verdicts/run BUILD-DIR`, of tests/verdicts/model.md and what it measures; do not
edit. -->

Two runs of the same work differ by chance. Each difference is called *sure*, *likely* or *chance*; this
is how, and how often that is right.

{model}
## Runs that did the same

Everyday programs did the same again and again, recorded by `perf introperf record` with its defaults, in
turns; each run is compared with the next of the same program. The constants of `common/rank` were chosen
with the first ones, of which the last {slowed} are in `tests/verdicts/slowed.c`. The others were written
down by somebody who knew nothing of these rules, and looked at once, with these constants; the last {slower}
of them are in `tests/verdicts/slower`.

{equal}

- *anything sure*, *sure or likely*: pairs of which at least one entry is said to differ so.
- *the whole*: pairs of which own time of all threads together is said to differ for sure.
- *median difference*: of that time, without waiting for a CPU: how much the machine did.

## A function that is slower

In the programs of `tests/verdicts/slower`, each of another kind, one function is made slower, by 5 and
10 % with five runs of each, and by 50 % with one. It takes some 0.5 s of 1 s. How often it is found to be
slower, sure (sure or likely), by an entry on a path through it:

{slower_table}

In {others_sure} of these {trials} comparisons there was another entry that was sure, and in {others_likely} one
that was sure or likely, on another path and not waiting for the function.

How fast the machine was is part of the error, so what is found depends on how much that differed between
the two runs. Of functions that are 50 % slower, with one run of each, by that difference, whichever sign
it has:

{speeds}

Of what constants were chosen with: in the programs of `slowed.c`, 50 % slower, {slowed_found}; and in
`injected.c`, which spends its time in four functions, of which `{function}` is made slower:

{power}

## A wait that is new

The programs of `slower` wait for {wait} ms in all, three tenths of the run, in a function that they call
at no other time, by nanosleep(), poll(), pselect() or a futex, in so many pieces; one run of each:

{waiting}

{conditions}
"""


def _table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _percent(part):
    return f"{100 * part:.1f} %"


def _short(name):
    return name.split("-")[1] if name.startswith(("slowed-", "slower-")) else name


# ---- Runs that did the same ----

def _equal_rows(figures):
    for one in figures:
        yield [_short(one["program"]), one["trials"], one["sure"], one["likely"], one["whole"],
               _percent(one["difference"])]


def _sum_row(title, figures):
    pairs = sum(one["trials"] for one in figures)
    cells = []
    for key in ("sure", "likely", "whole"):
        count = sum(one[key] for one in figures)
        cells.append(f"{count} ({_percent(count / max(pairs, 1))})")
    return [title, pairs, *cells, ""]


def _equal(figures):
    tuned, once = figures["tuned"], figures["once"]
    return _table(["program", "pairs", "anything sure", "sure or likely", "the whole",
                   "median difference"],
                  [*_equal_rows(tuned), _sum_row("**constants chosen with these**", tuned),
                   *_equal_rows(once), _sum_row("**looked at once**", once)])


# ---- What is found ----

def _found(figures):
    trials = sum(one["trials"] for one in figures)
    sure, likely = (sum(one[key] for one in figures if one["trials"]) for key in ("sure", "likely"))
    return f"{sure} ({likely}) of {trials}"


def _power(figures):
    cells = {(one["percent"], one["group"]): _found([one]) for one in figures}
    return _table(["slower by", *[f"{group} against {group}" for group in GROUPS]],
                  [[f"{percent} %", *[cells[percent, group] for group in GROUPS]]
                   for percent in programs.PERCENTS])


def _matrix(figures, columns, key):
    """A row for each program of slower.c, and one for all of them."""
    rows = [[name, *[_found([one for one in figures
                             if one["program"] == name and key(one) == column])
                     for column in columns]] for name in programs.SLOWER]
    rows.append(["**all**", *[_found([one for one in figures if key(one) == column])
                              for column in columns]])
    return rows


def _slower(figures):
    head = ["program", *[f"{percent} %, {group} against {group}"
                         for percent, group in programs.SLOWED_BY]]
    return _table(head, _matrix(figures, programs.SLOWED_BY,
                                lambda one: (one["percent"], one["group"])))


def _waiting(figures):
    return _table(["program", *map(str, programs.PIECES)],
                  _matrix(figures, programs.PIECES, lambda one: one["pieces"]))


# Ends of the rows, as parts.
_SPEEDS = (0.03, 0.06, 0.12, 0.25, None)


def _speeds(figures):
    """Comparisons of one run with one by the difference in the machine's speed."""
    trials = [one for figure in figures for one in figure["compared"]]
    rows, begin = [], 0
    for end in _SPEEDS:
        row = [one for one in trials
               if begin <= abs(one["speed"]) and (end is None or abs(one["speed"]) < end)]
        title = f"{100 * begin:.0f} % and more" if end is None else f"up to {100 * end:.0f} %"
        rows.append([title, len(row), sum(one["sure"] for one in row),
                     sum(one["likely"] for one in row)])
        begin = end
    return _table(["difference in speed", "comparisons", "sure", "sure or likely"], rows)


def text(figures, conditions):
    """The whole document."""
    compared = [one for one in figures["slower"] if one["trials"]]
    once = [one for one in compared if one["group"] == 1]
    return TEXT.format(model=MODEL.read_text(), equal=_equal(figures),
                       slowed=len(programs.SLOWED), slower=len(programs.SLOWER),
                       power=_power(figures["power"]), function=programs.INJECTED,
                       slowed_found=_found(figures["slowed"]),
                       slower_table=_slower(figures["slower"]), speeds=_speeds(once),
                       waiting=_waiting(figures["waiting"]), wait=programs.WAIT_MS,
                       trials=sum(one["trials"] for one in compared),
                       others_sure=sum(one["others_sure"] for one in compared),
                       others_likely=sum(one["others_likely"] for one in compared),
                       conditions=conditions)
