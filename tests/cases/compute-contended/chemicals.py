#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chemicals.py COUNT PERCENT FILE: writes which of so many chemicals may stand beside one another, as
a graph in DIMACS's format; so many of a hundred pairs may."""

import itertools
import random
import sys


def harmless(count, percent):
    """Pairs of chemicals that do not react."""
    random.seed(5)
    return [pair for pair in itertools.combinations(range(1, count + 1), 2) if random.random() * 100 < percent]


def main():
    count, percent = int(sys.argv[1]), int(sys.argv[2])
    pairs = harmless(count, percent)
    with open(sys.argv[3], "w", encoding="ascii") as out:
        print(f"p col {count} {len(pairs)}", file=out)
        for first, second in pairs:
            print("e", first, second, file=out)


main()
