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
turns; each run is compared with the next of the same program. The constants of `common/rank/error-model.c`,
`evidence.c` and `spread.c` were chosen with the first ones, and with `tests/verdicts/injected.c`; the
others, which no table had, were written down before, and looked at once, with these constants. The last
{slowed} of them are those of `tests/verdicts/slowed.c`. Of all these, `hash`, `thread`, `server`, `pause` and
`matrix` were looked at again when waiting for a CPU was taken out of waits and the machine was measured;
so were the five of each kind from `bzip2` and `tree` on when the constants of the kernel's time were chosen; the
last five of each kind were written down then, and looked at once. At first node was one of them: 12 of its 13 pairs had
something sure, when code without names was compared by its addresses.

{equal}

- *anything sure*, *sure or likely*: pairs of which at least one entry is said to differ so.
- *the whole*: pairs of which own time of all threads together is said to differ for sure.
- *median difference*: of that time, with waiting for a CPU: how much the machine did beside.

## A function that is slower

`tests/verdicts/injected.c` spends its time in four functions, of which `{function}` is made slower by a
part. How often it is found to be slower, sure (sure or likely), in comparisons of one run with one, and of
several with as many:

{power}

In the programs of `tests/verdicts/slowed.c`, each of another kind, one function is made slower, by 5 and
10 % with five runs of each, and by 50 % with one. It takes 0.2 to 0.5 s; in `quiet`, `hash` and `matrix`
no system call tells where it begins and ends. Found is an entry on a path through it:

{slower}

Of {trials} such comparisons, of both, {others_sure} had another entry that was sure, and {others_likely} one
that was sure or likely, on another path and not waiting for the function.

## A wait that is new

The same programs wait for {wait} ms in all, three tenths of the run, in a function that they call at no
other time, by nanosleep(), poll() or pselect(), in so many pieces; one run of each:

{waiting}

{conditions}
"""


def _table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _percent(part):
    return f"{100 * part:.1f} %"


def _short(name):
    return name.split("-")[1] if name.startswith("slowed-") else name


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
    """A row for each program of slowed.c, and one for all of them."""
    rows = [[name, *[_found([one for one in figures
                             if one["program"] == name and key(one) == column])
                     for column in columns]] for name in programs.SLOWED]
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


def text(figures, conditions):
    """The whole document."""
    compared = [one for one in figures["power"] + figures["slower"] if one["trials"]]
    return TEXT.format(model=MODEL.read_text(), equal=_equal(figures),
                       slowed=len(programs.SLOWED),
                       power=_power(figures["power"]), function=programs.INJECTED,
                       slower=_slower(figures["slower"]), waiting=_waiting(figures["waiting"]),
                       wait=programs.WAIT_MS, trials=sum(one["trials"] for one in compared),
                       others_sure=sum(one["others_sure"] for one in compared),
                       others_likely=sum(one["others_likely"] for one in compared),
                       conditions=conditions)
