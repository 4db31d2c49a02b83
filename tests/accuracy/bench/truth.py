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

ENTRY, EXIT, LOST = 0, 1, 2
# uftrace has 10 bits for the depth.
MAX_DEPTH = 1 << 10


@dataclass
class Session:
    """One program image of a process: from when on, and where its executable lies."""

    begin: int
    executable: str
    base: int


@dataclass
class Process:
    """`sessions` of a forked one begin with its parent's last one then."""

    sessions: list
    is_fork: bool = False


@dataclass
class Truth:
    calls: TrueCalls
    # Reports of lost records, and calls whose begin or end is not known.
    lost: int
    open: int
    # All entries, with those of functions that no stack can show.
    entries: int
    # Names of the functions in `calls`.
    functions: set
    # Of every pair of hooks that ran, those of functions that no stack can show included: the
    # context that its call is in, and that of its caller, which may be the same.
    hooks_inside: np.ndarray
    hooks_outside: np.ndarray


def _ns(text):
    seconds, fraction = text.split(".")
    return int(seconds) * 10**9 + int(fraction.ljust(9, "0")[:9])


def _base(directory, sid, executable):
    for line in (directory / f"sid-{sid}.map").read_text().splitlines():
        words = line.split()
        if len(words) >= 6 and words[5] == executable:
            return int(words[0].split("-")[0], 16)
    return 0


def _read_tasks(directory):
    """Processes by pid, and the pid of every thread, in the order of their beginning."""
    processes, pids = {}, {}
    for line in (directory / "task.txt").read_text().splitlines():
        values = dict(re.findall(r'(\w+)="?([^" ]+)"?', line))
        pid, time = int(values["pid"]), _ns(values["timestamp"])
        if line.startswith("FORK"):
            parent = int(values["ppid"])
            sessions = processes[parent].sessions[-1:] if parent in processes else []
            processes[pid] = Process(list(sessions), True)
            pids[pid] = pid
        elif line.startswith("SESS"):
            process = processes.setdefault(pid, Process([]))
            process.sessions.append(Session(time, values["exename"], _base(
                directory, values["sid"], values["exename"])))
        elif line.startswith("TASK"):
            pids[int(values["tid"])] = pid
    return processes, pids


def _functions(addresses, times, sessions, programs, names):
    """The number of each entry's function, 0 for what no stack can show."""
    numbers = np.zeros(len(addresses), dtype=np.int64)
    ends = [session.begin for session in sessions[1:]] + [2**63 - 1]
    for session, until in zip(sessions, ends):
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


class Records:
    """The records of one thread as columns."""

    def __init__(self, path):
        self.tid = int(path.stem)
        words = np.fromfile(path, dtype="<u8").reshape(-1, 2)
        if np.any(words[:, 1] & 4):
            raise ValueError(f"{path}: records with arguments")
        self._set(words[:, 0], words[:, 1] & 3, words[:, 1] >> 6 & (MAX_DEPTH - 1),
                  words[:, 1] >> 16)
        # How many entries were made before the thread was.
        self.inherited = 0

    def _set(self, times, kind, depth, addresses):
        self.times = times.astype(np.int64)
        self.kind = kind.astype(np.int8)
        self.depth = depth.astype(np.int16)
        self.addresses = addresses.astype(np.int64)
        # Of entries: when the call ended, and whether that is known.
        self.ends = np.full(len(self.times), self.times[-1] if len(self.times) > 0 else 0)
        self.open = np.ones(len(self.times), dtype=bool)

    def inherit(self, begin, calls, end=None):
        """Begins with `calls`, depths and addresses in the thread that this one was forked from,
        at the time `begin`; all of them end at `end`, an exec."""
        depth, addresses = calls
        self.inherited = count = len(depth)
        exits = count if end else 0
        self._set(
            np.concatenate((np.full(count, begin), np.full(exits, end or 0), self.times)),
            np.concatenate((np.full(count, ENTRY), np.full(exits, EXIT), self.kind)),
            np.concatenate((depth, depth[::-1][:exits], self.depth)),
            np.concatenate((addresses, addresses[::-1][:exits], self.addresses)))

    def there_at(self, time):
        """Depths and addresses of the calls that were there, the outermost first."""
        rows = np.flatnonzero((self.kind == ENTRY) & (self.times <= time) &
                              (self.open | (self.ends > time)))
        rows = rows[np.argsort(self.depth[rows], kind="stable")]
        # Of several that seem to be there at one depth the last one is.
        last = np.append(self.depth[rows][1:] != self.depth[rows][:-1], True)
        return self.depth[rows[last]], self.addresses[rows[last]]


def _read_calls(records, sessions, programs, contexts):
    """Matches entries with exits, and makes calls of them. Returns these, and the contexts of all
    entries and of their callers."""
    times, kind, depth = records.times, records.kind, records.depth
    end, is_open = records.ends, records.open
    names = _Names()
    functions = _functions(records.addresses, times, sessions, programs, names)
    context = np.zeros(len(times), dtype=np.int64)
    outside = np.zeros(len(times), dtype=np.int64)
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
        outside[entries] = parents
        context[entries] = _context_numbers(parents, functions[entries], names, contexts)
        below = entries

    rows = np.flatnonzero((kind == ENTRY) & (functions > 0))
    own = np.flatnonzero(kind == ENTRY)
    own = own[own >= records.inherited]
    return TrueCalls(
        thread=np.full(len(rows), records.tid, dtype=np.int64), context=context[rows],
        begin=times[rows], end=end[rows], open=is_open[rows] | (rows < records.inherited)
    ), context[own], outside[own]


def read_truth(directory, programs, forks, contexts):
    """`programs`: executable's path -> elf.Program. `forks`: thread -> (its maker, when), as the
    kernel saw it: uftrace hears of a fork when the parent may have gone on. Contexts are added to
    `contexts`."""
    directory = Path(directory)
    processes, pids = _read_tasks(directory)
    threads, parts, lost, entries = {}, [], 0, 0
    for tid, pid in pids.items():
        path = directory / f"{tid}.dat"
        if not path.exists() or path.stat().st_size == 0:
            continue
        sessions = processes[pid].sessions
        records = threads[tid] = Records(path)
        maker, time = forks.get(tid, (None, 0))
        if tid == pid and maker in threads:
            # A child of vfork has no hooks of its own before its exec.
            is_fork = processes[pid].is_fork
            records.inherit(time, threads[maker].there_at(time),
                            None if is_fork else sessions[0].begin)
            if not is_fork:
                sessions = processes[pids[maker]].sessions[-1:] + sessions
        parts.append(_read_calls(records, sessions, programs, contexts))
        lost += int(np.sum(records.kind == LOST))
        entries += int(np.sum(records.kind == ENTRY))
    calls, inside, outside = zip(*parts)
    calls = concatenate(calls).sorted()
    return Truth(calls=calls, lost=lost, open=int(calls.open.sum()), entries=entries,
                 functions={contexts.functions[c] for c in np.unique(calls.context)},
                 hooks_inside=np.concatenate(inside), hooks_outside=np.concatenate(outside))
