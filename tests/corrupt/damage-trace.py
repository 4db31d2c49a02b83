#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# damage-trace.py TRACE DIRECTORY SEED: a copy of a saved trace in CTF 1.8 with one stream, in which SEED
# chooses what is changed: some bytes of the stream, some numbers and words of the metadata, or both.

import os
import random
import re
import shutil
import sys

BYTES = [0, 1, 0x7F, 0x80, 0xFF]
NUMBERS = [0, 1, 7, 8, 32, 33, 63, 64, 65, 128, 2**31, 2**32, 2**63, 2**64 - 1]


def damage_stream(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 4, 8, 30])):
        place = chance.randrange(chance.choice([64, len(data)]))
        data[place] = chance.choice(BYTES + [chance.randrange(256)])
    return bytes(data)


def damage_metadata(text, chance):
    for _ in range(chance.choice([1, 1, 2, 3])):
        words = list(re.finditer(rb"\b\w+\b", text))
        numbers = list(re.finditer(rb"\b\d+\b", text))
        kind = chance.randrange(3)
        place = chance.choice(numbers if kind == 0 else words)
        new = [str(chance.choice(NUMBERS)).encode(), chance.choice(words).group(), b""][kind]
        text = text[: place.start()] + new + text[place.end() :]
    return text


def main():
    trace, directory, seed = sys.argv[1:]
    chance = random.Random(int(seed))
    source = next(root for root, _, files in os.walk(trace) if "metadata" in files)
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(source, directory)
    which = chance.choice([["metadata"], ["stream"], ["metadata", "stream"]])
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        damage = damage_metadata if name == "metadata" else damage_stream
        if (name if name == "metadata" else "stream") in which:
            with open(path, "rb") as file:
                data = file.read()
            with open(path, "wb") as file:
                file.write(damage(data, chance))


main()
