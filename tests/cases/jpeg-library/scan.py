#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a gray picture like a large scan: uneven paper, and dark strokes. Always the same one."""

import random
import sys

SIDE = 512
ACROSS, DOWN = 100, 16

random.seed(1)
tile = [bytearray(200 + (x + y) // 32 + random.randrange(3) for x in range(SIDE)) for y in range(SIDE)]
for _ in range(600):
    x, y, step = random.randrange(SIDE), random.randrange(SIDE), random.choice((-1, 0, 1))
    for i in range(12):
        tile[(y + i) % SIDE][(x + i * step) % SIDE] = 40 + random.randrange(30)

sys.stdout.buffer.write(b"P5\n%d %d\n255\n" % (SIDE * ACROSS, SIDE * DOWN))
for _ in range(DOWN):
    for row in tile:
        sys.stdout.buffer.write(bytes(row) * ACROSS)
