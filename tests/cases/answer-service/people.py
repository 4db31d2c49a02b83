#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""people.py COUNT FILE: writes so many people with their telephone numbers."""

import random
import sys

FIRST = "Aïcha Björn Chloë Dörte Émile Françoise Günther Hélène Jürgen Søren Zoë Anna Ben Carl Dora Eva".split()
LAST = "Åberg Müller Öztürk Łukasik Nováková Sørensen Weiß Çelik Peña Smith Brown Jones Fischer Bauer".split()

random.seed(3)
with open(sys.argv[2], "w", encoding="utf-8") as out:
    for number in range(int(sys.argv[1])):
        name = f"{random.choice(FIRST)} {random.choice(LAST)}-{random.choice(LAST)} {number}"
        out.write(f"{name};+49 30 {random.randrange(10**7):07}\n")
