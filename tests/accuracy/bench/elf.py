# SPDX-License-Identifier: MIT
"""The functions of an instrumented program that a stack can show.

The compiler instruments inlined functions, too: the exact trace then has calls without a frame.
Whatever the compiler inlined anywhere, as the debugging information tells, is no function here.
"""

import re
import subprocess
from bisect import bisect_right
from pathlib import Path

from names import plain_name


def _readelf(*arguments):
    return subprocess.run(
        ["readelf", "--wide", *arguments], check=True, capture_output=True, text=True
    ).stdout


def _inlined(path):
    """Names of the functions that were inlined at least once."""
    names, origins, offset, tag = {}, set(), None, None
    entry = re.compile(r"^ *<[0-9a-f]+><([0-9a-f]+)>: Abbrev Number: \d+ \((\w+)\)")
    name = re.compile(r"DW_AT_(linkage_)?name +:.*?([^ :()]+)$")
    reference = re.compile(r"DW_AT_(abstract_origin|specification): .*<0x([0-9a-f]+)>")
    of = {}
    with subprocess.Popen(
        ["readelf", "--debug-dump=info", path], stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, errors="replace",
    ) as process:
        for line in process.stdout:
            match = entry.match(line)
            if match:
                offset, tag = match.groups()
            elif tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
                match = name.search(line.rstrip())
                if match and (match[1] or offset not in names):
                    names[offset] = match[2]
                    continue
                match = reference.search(line)
                if match and tag == "DW_TAG_inlined_subroutine":
                    origins.add(match[2])
                elif match:
                    of[offset] = match[2]
    return {names.get(origin) or names.get(of.get(origin), "") for origin in origins}


class Program:
    """The functions of one executable by address, as it lies in the file."""

    def __init__(self, path):
        self.path = Path(path)
        self.module = self.path.name
        symbols = {}
        aliases = {}
        self.instrumented = "__cyg_profile_func_enter" in (listing := _readelf("--syms", path))
        for line in listing.splitlines():
            words = line.split()
            if len(words) < 8 or words[3] != "FUNC" or words[6] == "UND":
                continue
            address, size = int(words[1], 16), int(words[2], 0)
            text = plain_name(words[7].split("@")[0])
            # All names of an address stand for the first of them.
            first = symbols.setdefault(address, (size, text))[1]
            aliases.setdefault(text, first)
        self._starts = sorted(symbols)
        self._symbols = symbols
        self._aliases = aliases
        self.inlined = _inlined(path)

    def function_at(self, address):
        """The function that this address lies in, or None for none that a stack can show."""
        place = bisect_right(self._starts, address) - 1
        if place < 0:
            return None
        start = self._starts[place]
        size, name = self._symbols[start]
        if address >= start + max(size, 1) or name in self.inlined:
            return None
        return name

    def function_named(self, name):
        """What stands for this symbol's name, or None."""
        name = self._aliases.get(plain_name(name))
        return None if name in self.inlined else name
