#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""film.py FRAMES: an animated GIF of that many frames, of a long page that is scrolled.

Of 128 colours, and with a clear code before the dictionary gets long, each code is one byte.
"""

import random
import struct
import sys

WIDTH, HEIGHT = 640, 480
CLEAR, END = b'\x80', b'\x81'
LINES = 2000


def page():
    chance = random.Random(7)
    rows = []
    for y in range(LINES):
        if y // 60 % 2:
            word = y // 9 * 31
            rows.append(bytes(127 if (x * 7 + word) % 11 < 4 else 8 for x in range(WIDTH)))
        else:
            grain = chance.randbytes(WIDTH)
            rows.append(bytes(x // 16 + y % 60 + (grain[x] & 7) for x in range(WIDTH)))
    return b''.join(rows)


def image(pixels):
    codes = b''.join(CLEAR + pixels[i : i + 100] for i in range(0, len(pixels), 100)) + END
    blocks = b''.join(
        bytes([len(codes[i : i + 255])]) + codes[i : i + 255] for i in range(0, len(codes), 255)
    )
    control = b'\x21\xf9\x04\x04' + struct.pack('<H', 5) + b'\0\0'
    return control + b',' + struct.pack('<HHHHB', 0, 0, WIDTH, HEIGHT, 0) + b'\7' + blocks + b'\0'


def main():
    pixels = page()
    out = sys.stdout.buffer
    out.write(b'GIF89a' + struct.pack('<HHBBB', WIDTH, HEIGHT, 0xF6, 0, 0))
    for i in range(128):
        out.write(bytes([i * 2, i * 3 // 2, 255 - i]))
    for i in range(int(sys.argv[1])):
        start = i * 3 % (LINES - HEIGHT) * WIDTH
        out.write(image(pixels[start : start + WIDTH * HEIGHT]))
    out.write(b';')


main()
