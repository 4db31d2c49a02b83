#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies a perf.data file without what `perf record --switch-events` adds, which
`perf data convert` leaves out:  without-switches.py IN OUT

The records become throttle records, which mean nothing to a reader of timers.
"""
import struct
import sys

THROTTLE = 5
SWITCH = 14
SWITCH_CPU_WIDE = 15
# Of struct perf_event_attr: where its flags are, and context_switch in them.
FLAGS_OFFSET = 40
CONTEXT_SWITCH = 1 << 26


def main():
    with open(sys.argv[1], "rb") as file:
        data = bytearray(file.read())
    _, _, entry_size, attrs, attrs_size, begin, size = struct.unpack_from("<8s6Q", data)
    for entry in range(attrs, attrs + attrs_size, entry_size):
        (flags,) = struct.unpack_from("<Q", data, entry + FLAGS_OFFSET)
        struct.pack_into("<Q", data, entry + FLAGS_OFFSET, flags & ~CONTEXT_SWITCH)
    offset = begin
    while offset < begin + size:
        kind, _, length = struct.unpack_from("<IHH", data, offset)
        if kind in (SWITCH, SWITCH_CPU_WIDE):
            struct.pack_into("<I", data, offset, THROTTLE)
        offset += length
    with open(sys.argv[2], "wb") as file:
        file.write(data)


main()
