# SPDX-License-Identifier: MIT
"""Makes the recording in which some records come late.

    late-recording.py PERF.DATA NEW

Out of a file that perf wrote without compression: the records from a third of the file on to the
middle of it come behind all others, after three more rounds, and so do the names and mappings of
programs that began. Prints how many records are then late.
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent.parent / "lib"))

from rewrite import Rewriting, rewrite  # noqa: E402

COMM, MMAP2, SAMPLE, FIRST_OF_TOOL, FINISHED_ROUND = 3, 10, 9, 64, 68
COMM_EXEC = 1 << 13
# What perf makes up of what was there before has time 0, which lies in the last bytes but for the
# CPU and the id.
NO_TIME = bytes(8)


def has_time(body):
    return body[-24:-16] != NO_TIME


class Recording(Rewriting):
    late = 0

    def is_late(self, index, count, record):
        kind, misc, body = record
        if kind >= FIRST_OF_TOOL or not (kind == SAMPLE or has_time(body)):
            return False
        is_task = kind == MMAP2 or (kind == COMM and misc & COMM_EXEC)
        return is_task or count // 3 <= index < count // 2

    def records(self):
        recorded = list(self.recorded())
        late = [record for index, record in enumerate(recorded)
                if self.is_late(index, len(recorded), record)]
        self.late = len(late)
        late_ids = set(map(id, late))
        yield from (record for record in recorded if id(record) not in late_ids)
        for _ in range(3):
            yield FINISHED_ROUND, 0, b""
        yield from late


print(rewrite(Recording, __doc__).late)
