#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exams.py EXAMS DAYS CONFLICTS FILE: writes a plan of exams as a problem for a SAT solver: each exam
is on one of the days, and two that some student takes are not on the same one."""

import itertools
import random
import sys


def conflicts(exams, count):
    """Pairs of exams that somebody takes both of."""
    pairs = list(itertools.combinations(range(exams), 2))
    return sorted(random.sample(pairs, count))


def clauses(exams, days, pairs):
    def on(exam, day):
        return exam * days + day + 1

    for exam in range(exams):
        yield [on(exam, day) for day in range(days)]
        for first, second in itertools.combinations(range(days), 2):
            yield [-on(exam, first), -on(exam, second)]
    for first, second in pairs:
        for day in range(days):
            yield [-on(first, day), -on(second, day)]


def main():
    exams, days, count = map(int, sys.argv[1:4])
    random.seed(11)
    rules = list(clauses(exams, days, conflicts(exams, count)))
    with open(sys.argv[4], "w", encoding="ascii") as out:
        print(f"p cnf {exams * days} {len(rules)}", file=out)
        for rule in rules:
            print(*rule, 0, file=out)


main()
