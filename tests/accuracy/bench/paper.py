# SPDX-License-Identifier: MIT
"""The paper's table 3, and our figures held against it.

What is compared is coverage, with the paper's definitions: contexts and calls (the paper's
"instances"), all of them and the slowest 1 %.
"""

from dataclasses import dataclass

# The paper's three sets of events, and those of ours that come nearest.
SETS = {"Sys": "syscalls", "LCTX": "+ switches", "HCTX": "+ 1000 Hz"}
PAPER_MODE = "function"

# The paper's columns, and where our figures have them for one event set and rule, and what the
# stacks of the set show.
COLUMNS = (
    ("contexts, all", lambda mode: mode["contexts"]["covered"], lambda seen: seen["contexts"]),
    ("contexts, slowest 1 %", lambda mode: mode["contexts"]["slow_covered"],
     lambda seen: seen["slow_contexts"]),
    ("calls, all", lambda mode: mode["all"]["covered"], lambda seen: seen["calls"]),
    ("calls, slowest 1 %", lambda mode: mode["slow"]["covered"], lambda seen: seen["slow_calls"]),
)


@dataclass
class Published:
    """A row of table 3 (page 10), in percent: lowest and highest value over the program's threads.
    `coverage` has, for each of COLUMNS, the three sets of events."""

    name: str
    # System calls per 100 calls.
    rate: tuple
    coverage: tuple
    # Programs of this bench that do work of the same kind.
    like: tuple


TABLE = (
    Published("Apache", (0.33, 2.79), (((18.7, 19.3), (19.3, 20), (22.3, 24.5)),
                                       ((58.6, 84.6), (61.8, 92.3), (75.3, 100)),
                                       ((1.5, 20.1), (1.5, 20.3), (1.8, 21.6)),
                                       ((27, 86.7), (30.1, 93.3), (42.6, 100))), ("nginx",)),
    Published("MySQL", (0.21, 1.48), (((5.3, 18.2), (6.4, 18.2), (10.8, 19.2)),
                                      ((34.7, 100), (44.2, 100), (64.7, 100)),
                                      ((1.2, 7.48), (1.3, 7.48), (1.7, 8.05)),
                                      ((29.1, 100), (33.3, 100), (52.3, 100))),
              ("sqlite3", "redis")),
    Published("7zip", (0.11, 5.03), (((13.6, 47.5), (14.5, 49.4), (17.5, 47.5)),
                                     ((38.5, 100), (41, 100), (50.1, 100)),
                                     ((0.6, 30.2), (0.6, 30.2), (0.8, 31.2)),
                                     ((16.6, 100), (18.6, 100), (26.5, 100))),
              ("gzip", "bzip2", "xz")),
)

SIDES = ("below", "within", "above")


def side(value, published):
    """Where a share lies from a range in percent that was rounded to one decimal."""
    percent = round(100 * value, 1)
    return SIDES[1 + (percent > published[1]) - (percent < published[0])]


def rate(result):
    """System calls per call."""
    return result["sets"][SETS["Sys"]]["events"] / 2 / result["calls"]


def cells(result, mode):
    """(column, set, coverage, what the stacks show) for each column and the paper's three sets."""
    out = []
    for name, covered, shown in COLUMNS:
        for published, events in SETS.items():
            figures = result["sets"][events]
            out.append((name, published, covered(figures["modes"][mode]), shown(figures["seen"])))
    return out


@dataclass
class Comparison:
    """One program against the paper's one of its kind. Figures are pairs (column, set)."""

    # Rule -> side -> figures there.
    sides: dict
    # Figures that paper mode has below the range although every context or call that a stack shows
    # is covered.
    limited_by_stacks: list
    # Figures in which the default covers more than paper mode, as much, and less.
    more: list
    same: list
    less: list
    # Where our rate of system calls lies.
    rate: str


def compare(result, published, default):
    """`default`: the name of the default rule."""
    ranges = [bounds for column in published.coverage for bounds in column]
    ours = {rule: cells(result, rule) for rule in (PAPER_MODE, default)}
    sides = {rule: {name: [] for name in SIDES} for rule in ours}
    limited, by_gain = [], {-1: [], 0: [], 1: []}
    for rule, figures in ours.items():
        for (column, events, covered, _), bounds in zip(figures, ranges):
            sides[rule][side(covered, bounds)].append((column, events))
    for (column, events, before, shown), (_, _, after, _) in zip(ours[PAPER_MODE], ours[default]):
        by_gain[(after > before) - (after < before)].append((column, events))
        if (column, events) in sides[PAPER_MODE]["below"] and round(before, 3) >= round(shown, 3):
            limited.append((column, events))
    return Comparison(sides, limited, by_gain[1], by_gain[0], by_gain[-1],
                      side(rate(result), published.rate))
