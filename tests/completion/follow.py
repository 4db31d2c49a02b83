# SPDX-License-Identifier: MIT
"""Makes the recording that `perf record --call-graph fp` would have made of the same samples.

    follow.py PERF.DATA NEW

Out of a file that perf wrote with --call-graph dwarf: each sample's registers and the copy of its
stack go, and the user part of its chain takes their place, found by following frame pointers in the
copy as the kernel does in memory. What lies outside of the copy ends the chain.
"""
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent.parent / "lib"))

from rewrite import Rewriting, count_bits, numbers, rewrite  # noqa: E402

IP, TID, TIME, ADDR, READ, CALLCHAIN = 1, 2, 4, 8, 16, 32
ID, CPU, PERIOD, STREAM_ID, RAW, BRANCHES = 64, 128, 256, 512, 1 << 10, 1 << 11
REGISTERS, STACK, IDENTIFIER = 1 << 12, 1 << 13, 1 << 16
BEFORE_CHAIN = IP | TID | TIME | ADDR | ID | STREAM_ID | CPU | PERIOD | IDENTIFIER

SAMPLE = 9
CONTEXT_USER = 2**64 - 512
EXCLUDE_CALLCHAIN_USER = 1 << 22
MAX_STACK = 127

# By perf's numbers, of x86-64.
FRAME_POINTER, STACK_POINTER, PROGRAM_COUNTER = 6, 7, 8


def follow(registers, copy):
    """The user part of a chain."""
    chain = [registers[PROGRAM_COUNTER]]
    frame = registers[FRAME_POINTER]
    begin = registers[STACK_POINTER]
    while begin <= frame <= begin + len(copy) - 16 and len(chain) < MAX_STACK:
        frame, address = numbers(copy, frame - begin, 2)
        chain.append(address)
    return chain


class Recording(Rewriting):
    def __init__(self, data):
        super().__init__(data)
        self.attr_of_id = {}
        self.first_attr = None
        for offset, ids in self.attrs():
            self.read_attr(offset, ids)

    def read_attr(self, offset, ids):
        """Remembers what samples hold, and changes what the file says of it."""
        sample_type, _, flags = numbers(self.data, offset + 24, 3)
        mask, = numbers(self.data, offset + 80, 1)
        if not sample_type & CALLCHAIN or sample_type & (READ | BRANCHES):
            sys.exit("samples must have a chain, and neither values read nor branches")
        struct.pack_into("<Q", self.data, offset + 24, sample_type & ~(REGISTERS | STACK))
        struct.pack_into("<Q", self.data, offset + 40, flags & ~EXCLUDE_CALLCHAIN_USER)
        struct.pack_into("<QI", self.data, offset + 80, 0, 0)
        self.first_attr = self.first_attr or (sample_type, mask)
        self.attr_of_id.update(dict.fromkeys(ids, (sample_type, mask)))

    def attr_of(self, body):
        first, _ = self.first_attr
        if not first & (ID | IDENTIFIER):
            return self.first_attr
        before = 0 if first & IDENTIFIER else count_bits(first & (IP | TID | TIME | ADDR))
        return self.attr_of_id[numbers(body, 8 * before, 1)[0]]

    def convert(self, body):
        sample_type, mask = self.attr_of(body)
        place = 8 * count_bits(sample_type & BEFORE_CHAIN)
        count, = numbers(body, place, 1)
        chain = list(numbers(body, place + 8, count))
        raw = at = place + 8 + 8 * count
        if sample_type & RAW:
            at += 4 + struct.unpack_from("<I", body, at)[0]
        rest = body[raw:at]
        if sample_type & REGISTERS and numbers(body, at, 1)[0] != 0:
            names = [bit for bit in range(64) if mask >> bit & 1]
            values = numbers(body, at + 8, len(names))
            at += 8 + 8 * len(names)
            size, = numbers(body, at, 1)
            used, = numbers(body, at + 8 + size, 1) if size else (0,)
            chain += [CONTEXT_USER, *follow(dict(zip(names, values)),
                                            body[at + 8:at + 8 + used])]
        return body[:place] + struct.pack(f"<{1 + len(chain)}Q", len(chain), *chain) + rest

    def records(self):
        for kind, misc, body in self.recorded():
            yield kind, misc, self.convert(body) if kind == SAMPLE else body


rewrite(Recording, __doc__)
