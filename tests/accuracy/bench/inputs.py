# SPDX-License-Identifier: MIT
"""Input files of the workloads: made up, the same every time."""

import json
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


def records(count, seed=2):
    """A JSON array of objects."""
    chance = random.Random(seed)
    names = text(20000, seed).split()
    return json.dumps([
        {"id": number, "name": chance.choice(names), "tags": chance.sample(names, 4),
         "price": round(chance.uniform(1, 500), 2), "stock": chance.randint(0, 900),
         "place": {"shelf": chance.choice("ABCDEF"), "row": chance.randint(1, 40)}}
        for number in range(count)], indent=1)
