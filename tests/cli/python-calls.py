# SPDX-License-Identifier: MIT
"""Calls in all ways that CPython has, by lot. Before each getpgid(2), the functions on the stack are
noted as the interpreter itself knows them; at the end a line for each is printed:
THREAD FUNCTION…, leaf first."""
import asyncio
import functools
import os
import random
import sys
import threading

notes = {}


def mark():
    frame, names = sys._getframe(0), []
    while frame:
        names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    notes[threading.get_native_id()].append(" ".join(names))
    os.getpgid(0)


def straight(lot, depth):
    spread(lot, depth)


def deep(lot, depth, more=None):
    more = lot.randrange(20) if more is None else more
    spread(lot, depth) if more == 0 else deep(lot, depth, more - 1)


def sorting(lot, depth):
    sorted([1, 2], key=lambda _: spread(lot, depth))


def mapping(lot, depth):
    return [spread(lot, depth) for _ in map(lambda _: spread(lot, depth), [1])]


def reducing(lot, depth):
    functools.reduce(lambda *_: spread(lot, depth), [1, 2])


def generating(lot, depth):
    def inner():
        yield spread(lot, depth)
        yield from (spread(lot, depth) for _ in range(1))
    list(inner())


def raising(lot, depth):
    try:
        spread(lot, depth)
        int("none")
    except ValueError:
        mark()


class Größe:
    def __init__(self, lot, depth):
        self.lot, self.depth = lot, depth

    def __lt__(self, _):
        spread(self.lot, self.depth)
        return False

    @property
    def value(self):
        return spread(self.lot, self.depth)

    def __del__(self):
        mark()


def comparing(lot, depth):
    max(Größe(lot, depth), Größe(lot, depth)).value


def executing(lot, depth):
    exec("spread(lot, depth)", {"spread": spread, "lot": lot, "depth": depth})


async def waiting(lot, depth):
    await asyncio.sleep(0)
    spread(lot, depth)


def coroutines(lot, depth):
    if depth < 2:
        return

    async def both():
        await asyncio.gather(waiting(lot, 0), waiting(lot, 0))
    asyncio.run(both())


ways = [straight, deep, sorting, mapping, reducing, generating, raising, comparing, executing]


def spread(lot, depth):
    mark()
    if depth > 0:
        lot.choice(ways)(lot, depth - 1)
    return 0


def run(seed):
    notes[threading.get_native_id()] = []
    lot = random.Random(seed)
    for _ in range(40):
        spread(lot, 4)
    coroutines(lot, 2)


threads = [threading.Thread(target=run, args=(seed,)) for seed in range(1, 4)]
for thread in threads:
    thread.start()
run(0)
for thread in threads:
    thread.join()
for thread, lines in notes.items():
    for line in lines:
        print(thread, line)
