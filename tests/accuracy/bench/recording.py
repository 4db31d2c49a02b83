# SPDX-License-Identifier: MIT
"""perf.data with some of its samples left out.

What an inference gets to see is chosen here, from one recording: the tracer's own system calls
never happened in the program, and a set of events without the timer is the recording without the
timer's samples. Everything else stays as perf wrote it.
"""

import struct
from dataclasses import dataclass

import numpy as np

MAGIC = b"PERFILE2"
RECORD_LOST = 2
RECORD_FORK = 7
RECORD_SAMPLE = 9
RECORD_SWITCH = 14
FEATURE_EVENT_DESC = 12
FEATURES_OFFSET = 72
# Of a sample's first members, which are all there.
IDENTIFIER, IP, TID, TIME = 1 << 16, 1 << 0, 1 << 1, 1 << 2


@dataclass
class Samples:
    """Columns: where the record is, which event made it, whose it is, when."""

    offset: np.ndarray
    size: np.ndarray
    event: np.ndarray
    tid: np.ndarray
    time: np.ndarray


class Recording:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self._bytes = file.read()
        if self._bytes[:8] != MAGIC:
            raise ValueError(f"{path}: no perf.data file")
        self._data_offset, self._data_size = struct.unpack_from("<QQ", self._bytes, 40)
        self.events, self._event_of_id = self._read_events()
        # Number of events that perf says it lost.
        self.lost = 0
        # Thread -> (thread that made it, when).
        self.forks = {}
        self.samples, self.switch_offsets = self._read_records()

    def _features(self):
        """Feature number -> place of its offset and size in the file."""
        bits = int.from_bytes(self._bytes[FEATURES_OFFSET:FEATURES_OFFSET + 32], "little")
        table = self._data_offset + self._data_size
        numbers = [bit for bit in range(256) if bits >> bit & 1]
        return {number: table + 16 * place for place, number in enumerate(numbers)}

    def _read_events(self):
        """Names of the events, and the number of the event that an id belongs to."""
        place = self._features()[FEATURE_EVENT_DESC]
        offset, _ = struct.unpack_from("<QQ", self._bytes, place)
        count, attr_size = struct.unpack_from("<II", self._bytes, offset)
        offset += 8
        names, event_of_id = [], {}
        for event in range(count):
            sample_type, = struct.unpack_from("<Q", self._bytes, offset + 24)
            if sample_type & (IDENTIFIER | IP | TID | TIME) != IDENTIFIER | IP | TID | TIME:
                raise ValueError(f"{self.path}: samples without identifier, thread or time")
            offset += attr_size
            id_count, length = struct.unpack_from("<II", self._bytes, offset)
            offset += 8
            names.append(self._bytes[offset:offset + length].split(b"\0")[0].decode())
            offset += length
            for number in struct.unpack_from(f"<{id_count}Q", self._bytes, offset):
                event_of_id[number] = event
            offset += 8 * id_count
        return names, event_of_id

    def _read_records(self):
        rows, switches = [], []
        header = struct.Struct("<IHH").unpack_from
        sample = struct.Struct("<QQIIQ").unpack_from
        offset, end = self._data_offset, self._data_offset + self._data_size
        while offset < end:
            kind, _, size = header(self._bytes, offset)
            if kind == RECORD_SAMPLE:
                identifier, _, _, tid, time = sample(self._bytes, offset + 8)
                rows.append((offset, size, self._event_of_id[identifier], tid, time))
            elif kind == RECORD_SWITCH:
                switches.append((offset, size))
            elif kind == RECORD_LOST:
                self.lost += struct.unpack_from("<Q", self._bytes, offset + 16)[0]
            elif kind == RECORD_FORK:
                _, _, tid, maker, time = struct.unpack_from("<IIIIQ", self._bytes, offset + 8)
                self.forks[tid] = (maker, time)
            offset += size
        columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        return Samples(*columns), np.array(switches, dtype=np.int64).reshape(-1, 2)

    def is_event(self, *words):
        """Mask of the samples of events whose names hold one of `words`."""
        wanted = [number for number, name in enumerate(self.events)
                  if any(word in name for word in words)]
        return np.isin(self.samples.event, wanted)

    def write(self, path, keep, keep_switches=True):
        """Writes the recording without the samples that the mask `keep` does not have."""
        dropped = [np.stack((self.samples.offset[~keep], self.samples.size[~keep]), axis=1)]
        if not keep_switches:
            dropped.append(self.switch_offsets)
        dropped = np.concatenate(dropped)
        dropped = dropped[np.argsort(dropped[:, 0])]
        data = memoryview(self._bytes)
        removed = int(dropped[:, 1].sum())
        head = bytearray(data[:self._data_offset])
        struct.pack_into("<Q", head, 48, self._data_size - removed)
        tail_start = self._data_offset + self._data_size
        tail = bytearray(data[tail_start:])
        for place in self._features().values():
            offset, size = struct.unpack_from("<QQ", self._bytes, place)
            struct.pack_into("<QQ", tail, place - tail_start, offset - removed, size)
        with open(path, "wb") as file:
            file.write(head)
            begin = self._data_offset
            for offset, size in dropped.tolist():
                file.write(data[begin:offset])
                begin = offset + size
            file.write(data[begin:tail_start])
            file.write(tail)


def every(count, threads):
    """Mask of one in `count` rows of each thread: a timer that is slower by this factor."""
    keep = np.zeros(len(threads), dtype=bool)
    for thread in np.unique(threads):
        keep[np.flatnonzero(threads == thread)[::count]] = True
    return keep
