# SPDX-License-Identifier: MIT
"""The exact trace: what uftrace recorded, as true calls.

uftrace writes one file for each thread, records of 16 bytes in the order of time: the time, and a
word of type, depth and address. A call's exit has its depth; the caller of a call is the last one
entered one level below.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .calls import ROOT, TrueCalls, concatenate

ENTRY, EXIT, LOST, EVENT = 0, 1, 2, 3
# uftrace has 10 bits for the depth.
MAX_DEPTH = 1 << 10


@dataclass
class Session:
    """One program image of a process: from when on, and where its executable lies."""

    begin: int
    pid: int
    executable: str
    base: int


@dataclass
class Truth:
    calls: TrueCalls
    # Reports of lost records, and entries that are not known to have ended.
    lost: int
    open: int
    # All entries, with those of functions that no stack can show.
    entries: int
    # Names of the functions in `calls`.
    functions: set


def _ns(text):
    seconds, fraction = text.split(".")
    return int(seconds) * 10**9 + int(fraction.ljust(9, "0")[:9])


def _base(directory, sid, executable):
    for line in (directory / f"sid-{sid}.map").read_text().splitlines():
        words = line.split()
        if len(words) >= 6 and words[5] == executable:
            return int(words[0].split("-")[0], 16)
    return 0


def read_sessions(directory):
    """Sessions, and the process of every thread."""
    sessions, process = [], {}
    for line in (directory / "task.txt").read_text().splitlines():
        values = dict(re.findall(r'(\w+)="?([^" ]+)"?', line))
        if line.startswith("SESS"):
            sessions.append(Session(_ns(values["timestamp"]), int(values["pid"]),
                                    values["exename"],
                                    _base(directory, values["sid"], values["exename"])))
        elif line.startswith(("TASK", "FORK")):
            tid = int(values.get("tid", values["pid"]))
            process[tid] = int(values["pid"])
            if line.startswith("FORK"):
                process[tid] = (int(values["pid"]), int(values["ppid"]))[0]
                sessions += [Session(_ns(values["timestamp"]), tid, s.executable, s.base)
                             for s in sessions if s.pid == int(values["ppid"])][-1:]
    return sessions, process


def _functions(addresses, times, sessions, programs, names):
    """The number of each entry's function, 0 for what no stack can show."""
    numbers = np.zeros(len(addresses), dtype=np.int64)
    begins = [session.begin for session in sessions] + [2**63 - 1]
    for session, until in zip(sessions, begins[1:]):
        program = programs.get(session.executable)
        if not program:
            continue
        rows = np.flatnonzero((times >= session.begin) & (times < until))
        unique, inverse = np.unique(addresses[rows], return_inverse=True)
        table = [names.number(program.function_at(int(address) - session.base))
                 for address in unique]
        numbers[rows] = np.array(table, dtype=np.int64)[inverse]
    return numbers


class _Names:
    def __init__(self):
        self.texts = [None]
        self._numbers = {None: 0}

    def number(self, text):
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def _levels(kind, depth):
    """For each depth in use, the positions of its entries and its exits."""
    order = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[order], np.arange(MAX_DEPTH + 1))
    for level in range(MAX_DEPTH):
        rows = order[edges[level]:edges[level + 1]]
        if len(rows) > 0:
            yield level, rows[kind[rows] == ENTRY], rows[kind[rows] == EXIT]


def _context_numbers(parents, functions, names, contexts):
    """Numbers of the contexts of calls of `functions` in the contexts `parents`."""
    keys = parents * len(names.texts) + functions
    unique, inverse = np.unique(keys, return_inverse=True)
    table = []
    for key in unique:
        parent, function = divmod(int(key), len(names.texts))
        table.append(contexts.child(parent, names.texts[function]) if function else parent)
    return np.array(table, dtype=np.int64)[inverse]


def _read_thread(path, sessions, programs, contexts):
    records = np.fromfile(path, dtype="<u8").reshape(-1, 2)
    times = records[:, 0].astype(np.int64)
    kind = (records[:, 1] & 3).astype(np.int8)
    depth = ((records[:, 1] >> 6) & (MAX_DEPTH - 1)).astype(np.int16)
    addresses = records[:, 1] >> 16
    if np.any(records[:, 1] & 4):
        raise ValueError(f"{path}: records with arguments")

    names = _Names()
    functions = _functions(addresses.astype(np.int64), times, sessions, programs, names)
    context = np.zeros(len(times), dtype=np.int64)
    end = np.full(len(times), times[-1], dtype=np.int64)
    is_open = np.ones(len(times), dtype=bool)
    below = None
    for level, entries, exits in _levels(kind, depth):
        if len(entries) == 0:
            continue
        # The first exit behind the entry, unless another entry comes before it.
        place = np.searchsorted(exits, entries)
        following = np.append(exits, len(times))[place]
        closed = following < np.append(entries[1:], len(times))
        end[entries[closed]] = times[following[closed]]
        is_open[entries[closed]] = False
        if below is None:
            parents = np.full(len(entries), ROOT, dtype=np.int64)
        else:
            caller = np.searchsorted(below, entries) - 1
            parents = np.where(caller >= 0, context[below[caller]], ROOT)
        context[entries] = _context_numbers(parents, functions[entries], names, contexts)
        below = entries

    rows = np.flatnonzero((kind == ENTRY) & (functions > 0))
    calls = TrueCalls(
        thread=np.full(len(rows), int(path.stem), dtype=np.int64), context=context[rows],
        begin=times[rows], end=end[rows], open=is_open[rows])
    return calls, int(np.sum(kind == LOST)), int(np.sum(kind == ENTRY))


def read_truth(directory, programs, contexts):
    """`programs`: executable's path -> elf.Program. Contexts are added to `contexts`."""
    directory = Path(directory)
    sessions, process = read_sessions(directory)
    parts, lost, entries = [], 0, 0
    for path in sorted(directory.glob("*.dat")):
        if path.stat().st_size == 0:
            continue
        pid = process.get(int(path.stem), int(path.stem))
        own = sorted((s for s in sessions if s.pid == pid), key=lambda s: s.begin)
        calls, lost_here, entries_here = _read_thread(path, own, programs, contexts)
        parts.append(calls)
        lost += lost_here
        entries += entries_here
    calls = concatenate(parts).sorted()
    return Truth(calls=calls, lost=lost, open=int(calls.open.sum()), entries=entries,
                 functions={contexts.functions[c] for c in np.unique(calls.context)})
