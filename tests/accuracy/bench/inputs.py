# SPDX-License-Identifier: MIT
"""The text that workloads use: made up, the same every time."""

import random


def text(byte_count, seed=1):
    """Lines of made-up words with the frequencies of a language."""
    chance = random.Random(seed)
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(3000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    lines, size = [], 0
    while size < byte_count:
        line = " ".join(chance.choices(words, weights, k=chance.randint(4, 14)))
        if chance.random() < 0.1:
            line += f" {chance.randint(0, 99999)}."
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines) + "\n"
