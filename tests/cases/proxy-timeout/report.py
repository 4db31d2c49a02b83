#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.py FILE: reads the number of a shop, and prints what its orders of FILE add up to, and which
place that is among all shops."""

import collections
import sys

shop = sys.stdin.buffer.raw.readline().decode().strip()
with open(sys.argv[1], encoding="ascii") as orders:
    lines = orders.read().splitlines()
sums = collections.Counter()
for line in lines:
    _, _, _, seller, _, price = line.split()
    sums[seller] += int(price)
place = sorted(sums.values(), reverse=True).index(sums[shop]) + 1
print(f"shop {shop} sold for {sums[shop]}, place {place} of {len(sums)}")
