# SPDX-License-Identifier: MIT
"""Makes the recording that holds what `perf script` delivers to a dlfilter, and no more.

    deliver-recording.py PERF.DATA NEW [switches]

With `switches`, what it delivers to a Python script, which is told of these too. Forks, ends of
threads, switches and losses become records that mean nothing. The start of a program moves to the
sample that a dlfilter can tell it from, the return from execve, and so do the mappings in between.
Mappings stay, for which a dlfilter asks perf. For recordings of one process, not compressed.
"""
import struct
import sys

IP, TID, TIME, ADDR, CALLCHAIN, ID = 1, 2, 4, 8, 32, 64
CPU, PERIOD, STREAM_ID, RAW, IDENTIFIER = 128, 256, 512, 1024, 1 << 16
BEFORE_CHAIN = IP | TID | TIME | ADDR | ID | CPU | PERIOD | STREAM_ID | IDENTIFIER
MMAP, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, MMAP2 = 1, 2, 3, 4, 5, 7, 9, 10
LOST_SAMPLES, SWITCH = 13, 14
MEANINGLESS = {LOST, EXIT, FORK, LOST_SAMPLES, SWITCH}
MISC_COMM_EXEC = 1 << 13
CONTEXT_SWITCH = 1 << 26
# Of raw_syscalls:sys_exit: 8 bytes that all tracepoints have, number and result; on x86-64.
EXIT_BYTES = 24
EXECVE = 59


def fields(sample_type, mask):
    """Bytes of the fields of `mask`, all of which have 8."""
    return 8 * bin(sample_type & mask).count("1")


def is_program_start(record, sample_type):
    """Whether the sample is a return from execve."""
    if sample_type & (CALLCHAIN | RAW) != CALLCHAIN | RAW:
        return False
    place = 8 + fields(sample_type, BEFORE_CHAIN)
    count, = struct.unpack_from("<Q", record, place)
    place += 8 + 8 * count
    if place + 4 + EXIT_BYTES > len(record):
        return False
    size, = struct.unpack_from("<I", record, place)
    number, result = struct.unpack_from("<QQ", record, place + 12)
    return EXIT_BYTES <= size < EXIT_BYTES + 8 and (number, result) == (EXECVE, 0)


def main(source, target, more=""):
    meaningless = MEANINGLESS - ({SWITCH} if more == "switches" else set())
    with open(source, "rb") as file:
        data = bytearray(file.read())
    attr_size, attrs, attrs_size, begin, size = struct.unpack_from("<5Q", data, 16)
    for attr in range(attrs, attrs + attrs_size, attr_size):
        flags, = struct.unpack_from("<Q", data, attr + 40)
        if SWITCH in meaningless:
            struct.pack_into("<Q", data, attr + 40, flags & ~CONTEXT_SWITCH)
    sample_type, = struct.unpack_from("<Q", data, attrs + 24)
    tid_place = 8 + fields(sample_type, IDENTIFIER | IP)
    time_place = tid_place + 8
    # Back from the end of a record that is no sample.
    time_in_trailer = fields(sample_type, TIME | ID | STREAM_ID | CPU | IDENTIFIER)

    starts = {}
    offset = begin
    while offset < begin + size:
        kind, misc, length = struct.unpack_from("<IHH", data, offset)
        if kind in meaningless:
            struct.pack_into("<I", data, offset, THROTTLE)
        elif kind == COMM and misc & MISC_COMM_EXEC:
            tid, = struct.unpack_from("<I", data, offset + 12)
            starts[tid] = [offset + length - time_in_trailer]
        elif kind in (MMAP, MMAP2) and starts:
            tid, = struct.unpack_from("<I", data, offset + 12)
            if tid in starts:
                starts[tid].append(offset + length - time_in_trailer)
        elif kind == SAMPLE and starts:
            tid, = struct.unpack_from("<I", data, offset + tid_place + 4)
            if tid in starts and is_program_start(data[offset:offset + length], sample_type):
                for place in starts.pop(tid):
                    data[place:place + 8] = data[offset + time_place:offset + time_place + 8]
        offset += length
    with open(target, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
