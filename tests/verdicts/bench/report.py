# SPDX-License-Identifier: MIT
"""doc/verdicts.md."""

from bench import programs
from bench.verdicts import GROUPS

TEXT = """# How often verdicts are right

<!-- Written by `tests/verdicts/run BUILD-DIR`; do not edit. -->

Two runs of the same work differ by chance, and what is said to be beyond noise should not be.
Twelve everyday programs did the same again and again, recorded by `perf introperf record` with its
defaults, in turns; each run is compared with the next of the same program. The constants of
`common/rank/noise.c` and `common/rank/evidence.c` were chosen with the first eight programs; the
others were tried once, with these constants.

{equal}

- *anything beyond noise*: pairs of which at least one entry is said to differ beyond noise.
- *median difference*: of the own latency of all threads together, with waiting for a CPU.
- *assumed*: the spread that was assumed, median of the pairs: 4 % where nothing else ran and most
  functions took as long in both runs, but for what the largest difference is put down to; 10 % where
  fewer than three of them had ten ticks in both, or ticks are too few to tell more; and up to 15 % where
  most took longer or shorter, or where runs waited for CPUs.

## What is found

`tests/verdicts/injected.c` spends its time in four functions, `{function}` among them, which is made
slower by a part of its own time. How often it is found, beyond noise and slower, in comparisons of
one run with one, and of several with as many:

{power}

Of {trials} such comparisons, {others} took anything else to differ beyond noise.

{conditions}
"""


def _table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _percent(part):
    return f"{100 * part:.1f} %"


def _equal_rows(figures):
    for one in figures:
        yield [one["program"], one["pairs"], one["alarms"], _percent(one["difference"]),
               _percent(one["spread"])]


def _sum_row(title, figures):
    pairs, alarms = sum(one["pairs"] for one in figures), sum(one["alarms"] for one in figures)
    return [title, pairs, f"{alarms} ({_percent(alarms / max(pairs, 1))})", "", ""]


def _equal(figures):
    tuned = [one for one in figures if one["program"] in programs.TUNED_ON]
    others = [one for one in figures if one["program"] in programs.LOOKED_AT_ONCE]
    return _table(["program", "pairs", "anything beyond noise", "median difference", "assumed"],
                  [*_equal_rows(tuned), _sum_row("constants chosen with these", tuned),
                   *_equal_rows(others), _sum_row("tried once", others),
                   _sum_row("all", figures)])


def _power(figures):
    cells = {(one["percent"], one["group"]): f"{one['found']} of {one['trials']}"
             for one in figures}
    return _table(["slower by", *[f"{group} against {group}" for group in GROUPS]],
                  [[f"{percent} %", *[cells[percent, group] for group in GROUPS]]
                   for percent in programs.PERCENTS])


def text(equal, power, conditions):
    """The whole document."""
    return TEXT.format(equal=_equal(equal), power=_power(power), function=programs.INJECTED,
                       trials=sum(one["trials"] for one in power),
                       others=sum(one["others"] for one in power), conditions=conditions)
