# SPDX-License-Identifier: MIT
"""A program whose short functions have no hooks: they would weigh more than what is measured.

Which functions are short, the run with all hooks tells. Their calls of the hooks are then replaced
by instructions that do nothing; the rest of the program stays byte for byte what it was. What such a
function takes counts to its caller, on all sides.
"""

import re
import subprocess

import numpy as np

from names import plain_name

from .graph import HOOK_ENTER, HOOK_EXIT

# Of the time that the program takes without hooks, what those that are left weigh.
MOST_HOOKS = 0.05
# call with a 32-bit distance; nop of the same length.
CALL, NOTHING = 0xE8, bytes.fromhex("0f1f440000")


def long_functions(spent, calls, contexts, weight):
    """Names of the functions with the longest calls, with all below them, as many as may have hooks.
    `spent` is their own CPU time without hooks by context."""
    total = np.maximum(spent, 0)
    room = MOST_HOOKS * total.sum() / (weight.inside + weight.outside)
    # A context's number is greater than its parent's.
    for context in range(len(contexts) - 1, 0, -1):
        total[contexts.parents[context]] += total[context]
    counts = np.bincount(calls.context, minlength=len(contexts))
    sums = {}
    for context in np.flatnonzero(counts).tolist():
        time, count = sums.get(contexts.functions[context], (0, 0))
        sums[contexts.functions[context]] = (time + total[context], count + counts[context])
    kept = set()
    for name, (_, count) in sorted(sums.items(), key=lambda item: -item[1][0] / item[1][1]):
        room -= count
        if room < 0:
            break
        kept.add(name)
    return kept


def _hook_calls(path):
    """Addresses of the calls of hooks."""
    pattern = re.compile(rf"^ *([0-9a-f]+):\s+call +[0-9a-f]+ <({HOOK_ENTER}|{HOOK_EXIT})\b")
    listing = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", path], check=True,
                             capture_output=True, text=True).stdout
    return [int(match[1], 16) for match in map(pattern.match, listing.splitlines()) if match]


def _innermost(path, addresses):
    """The function that the compiler made each address of: one that it inlined, or the one there."""
    lines = subprocess.run(
        ["addr2line", "--functions", "--inlines", "--addresses", f"--exe={path}"], check=True,
        input="".join(f"{address:#x}\n" for address in addresses), capture_output=True, text=True,
        errors="replace").stdout.splitlines()
    return [plain_name(name) for address, name in zip(lines, lines[1:])
            if re.match("0x[0-9a-f]{16}$", address)]


def _file_offsets(path):
    """(first address, size, its place in the file) of what is loaded."""
    listing = subprocess.run(["readelf", "--wide", "--segments", path], check=True,
                             capture_output=True, text=True).stdout
    loads = re.findall(r"^ +LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", listing, re.M)
    return [(int(address, 16), int(size, 16), int(offset, 16)) for offset, address, size in loads]


def write(program, kept):
    """Writes the program (elf.Program) with the hooks of the functions `kept` alone beside it.
    Returns its path."""
    image = bytearray(program.path.read_bytes())
    segments = _file_offsets(program.path)
    addresses = _hook_calls(program.path)
    for address, innermost in zip(addresses, _innermost(program.path, addresses)):
        name = program.function_at(address)
        is_own = innermost == "??" or program.function_named(innermost) == name
        if name in kept and is_own:
            continue
        place, = [offset + address - begin for begin, size, offset in segments
                  if begin <= address < begin + size]
        if image[place] != CALL:
            raise ValueError(f"{program.path}: no call at {address:#x}")
        image[place:place + len(NOTHING)] = NOTHING
    path = program.path.with_name(f"{program.path.name}-thin")
    path.write_bytes(image)
    path.chmod(0o755)
    return path
