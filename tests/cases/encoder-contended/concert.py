#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""concert.py SECONDS FILE: writes a WAV file with some music: notes of four voices, and noise."""

import math
import random
import sys
import wave
from array import array

RATE = 44100
NOTE = RATE // 4

seconds, name = int(sys.argv[1]), sys.argv[2]
random.seed(7)
with wave.open(name, "wb") as out:
    out.setnchannels(1)
    out.setsampwidth(2)
    out.setframerate(RATE)
    for _ in range(seconds * RATE // NOTE):
        steps = [2 * math.pi * 110 * 2 ** (random.randrange(36) / 12) / RATE for _ in range(4)]
        out.writeframes(
            array(
                "h",
                (
                    int(
                        sum(math.sin(step * i) for step in steps) * 6000 * math.exp(-i / NOTE)
                        + random.gauss(0, 60)
                    )
                    for i in range(NOTE)
                ),
            ).tobytes()
        )
