# SPDX-License-Identifier: MIT
"""Makes the recording that Linux 6.19 would have made with `perf record --call-graph fp,defer`.

    defer-recording.py PERF.DATA NEW

Out of a file that perf wrote with frame pointers on any kernel: the user part of each sample's
chain goes into a PERF_RECORD_CALLCHAIN_DEFERRED at the end of its round, and a marker and a cookie
take its place.
"""
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent.parent / "lib"))

from rewrite import Rewriting, count_bits, numbers, rewrite  # noqa: E402

IP, TID, TIME, ADDR, READ, CALLCHAIN = 1, 2, 4, 8, 16, 32
ID, CPU, PERIOD, STREAM_ID, IDENTIFIER = 64, 128, 256, 512, 1 << 16
BEFORE_TID = IDENTIFIER | IP
BEFORE_TIME = BEFORE_TID | TID
BEFORE_ID = BEFORE_TIME | TIME | ADDR
BEFORE_CPU = BEFORE_ID | ID | STREAM_ID
BEFORE_CHAIN = BEFORE_CPU | CPU | PERIOD

SAMPLE, DEFERRED, FINISHED_ROUND = 9, 22, 68
MISC_USER = 2
CONTEXT_USER = 2**64 - 512
CONTEXT_USER_DEFERRED = 2**64 - 640
DEFER_CALLCHAIN = 1 << 38


def fields(sample_type, mask):
    """Bytes of the fields of `mask`, all of which have 8."""
    return 8 * count_bits(sample_type & mask)


class Recording(Rewriting):
    def __init__(self, data):
        super().__init__(data)
        self.type_of_id = {}
        self.types = []
        self.cookie = 0
        self.deferred = []
        for offset, ids in self.attrs():
            self.read_attr(offset, ids)

    def read_attr(self, offset, ids):
        sample_type, _, flags = numbers(self.data, offset + 24, 3)
        if not sample_type & CALLCHAIN or sample_type & READ:
            sys.exit("samples must have a chain, and no values read")
        struct.pack_into("<Q", self.data, offset + 40, flags | DEFER_CALLCHAIN)
        self.types.append(sample_type)
        self.type_of_id.update(dict.fromkeys(ids, sample_type))

    def id_and_type(self, body):
        first = self.types[0]
        if not first & (ID | IDENTIFIER):
            return 0, first
        event_id, = numbers(body, 0 if first & IDENTIFIER else fields(first, BEFORE_ID), 1)
        return event_id, self.type_of_id[event_id]

    def defer(self, body):
        """The body of a sample without its user part, which is put aside."""
        event_id, sample_type = self.id_and_type(body)
        thread, = numbers(body, fields(sample_type, BEFORE_TID), 1)
        time, = numbers(body, fields(sample_type, BEFORE_TIME), 1)
        cpu, = numbers(body, fields(sample_type, BEFORE_CPU), 1)
        place = fields(sample_type, BEFORE_CHAIN)
        count, = numbers(body, place, 1)
        chain = numbers(body, place + 8, count)
        if CONTEXT_USER not in chain or thread == 0:
            return body
        user = chain.index(CONTEXT_USER)
        self.cookie += 1
        part = [self.cookie, count - user - 1, *chain[user + 1:]]
        trailer = [(TID, thread), (TIME, time + 1), (ID, event_id), (STREAM_ID, 0), (CPU, cpu),
                   (IDENTIFIER, event_id)]
        part += [value for field, value in trailer if sample_type & field]
        self.deferred.append((DEFERRED, MISC_USER, struct.pack(f"<{len(part)}Q", *part)))
        short = [user + 2, *chain[:user], CONTEXT_USER_DEFERRED, self.cookie]
        return body[:place] + struct.pack(f"<{len(short)}Q", *short) + body[place + 8 + 8 * count:]

    def records(self):
        for kind, misc, body in self.recorded():
            if kind == FINISHED_ROUND:
                yield from self.deferred
                self.deferred = []
            yield kind, misc, self.defer(body) if kind == SAMPLE else body
        yield from self.deferred


print(rewrite(Recording, __doc__).cookie)
