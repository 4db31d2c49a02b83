# SPDX-License-Identifier: MIT
"""Do units take as long as the client's requests did, less the way?"""
import bisect
import collections
import math
import os
import re

import variance
from recording import told_of

# In percent: how far the median and the 99th of a hundred may be off.
MEDIAN_PERCENT = 10
P99_PERCENT = 20

UNIT = re.compile(r'introperf:unit: \{ id = (\d+), process = "([^"]*)", loop = "([^"]*)", wait = "([^"]*)", '
                  r'telling = "([^"]*)", count = (\d+), total_ns = (\d+)')
SPAN = re.compile(r"introperf:unit_span: \{ unit = (\d+), pid = (\d+), tid = (\d+), begin_ns = (\d+), end_ns = (\d+)")

Type = collections.namedtuple("Type", "id process loop wait telling count total_ns")
Figures = collections.namedtuple("Figures", "count median_ns p99_ns")
Span = collections.namedtuple("Span", "type pid tid begin_ns end_ns ready_ns")


def spans(build, directory):
    """Every unit of the recording, by when it began on the client's clock."""
    epoch_ns = told_of(directory)["epoch_ns"]
    lines = variance.messages(build, os.path.join(directory, "perf.data"))
    ready = variance.ready_times(lines)
    types, found = {}, []
    for line in lines:
        if match := UNIT.search(line):
            types[match[1]] = Type(*match.groups()[:5], int(match[6]), int(match[7]))
        elif match := SPAN.search(line):
            pid, tid, begin_ns, end_ns = map(int, match.groups()[1:])
            ready_ns = variance.ready_ns(ready.get(tid, []), begin_ns, end_ns)
            found.append(Span(types[match[1]], pid, tid, begin_ns - epoch_ns, end_ns - epoch_ns, ready_ns))
    return sorted(found, key=lambda span: span.begin_ns)


def by_thread(units):
    threads = collections.defaultdict(list)
    for unit in units:
        threads[unit.tid].append(unit)
    return threads


def overlapping(units, begin_ns, end_ns):
    """Units of one thread, in the order in which they begin. Some overlap: a request that waits in a queue has begun."""
    last = bisect.bisect_left(units, end_ns, key=lambda unit: unit.begin_ns)
    longest_ns = max((unit.end_ns - unit.begin_ns for unit in units), default=0)
    first = bisect.bisect_left(units, begin_ns - longest_ns, key=lambda unit: unit.begin_ns)
    return [unit for unit in units[first:last] if unit.end_ns > begin_ns]


def alike(truth, unit):
    """How much of the time of both they share."""
    shared = min(truth.end_ns, unit.end_ns) - max(truth.begin_ns, unit.begin_ns)
    return shared / (max(truth.end_ns, unit.end_ns) - min(truth.begin_ns, unit.begin_ns) or 1)


def unit_of(truth, units):
    """The unit of the request: in the thread that takes or in the one that answers it, the one that shares most
    of its time."""
    near = [unit for tid in {truth.tid, truth.answerer} for unit in overlapping(units.get(tid, []), truth.begin_ns, truth.end_ns)]
    return max(near, key=lambda unit: alike(truth, unit), default=None)


def standing(found, units):
    """Units of the types that stand for the requests: most units of such a type, while the client asks, are those of
    requests. How many types there are for one kind of request is no question of time (kinds.py)."""
    threads = by_thread(units)
    own = {id(unit): unit for truths, _ in found for unit in (unit_of(truth, threads) for truth in truths) if unit}
    asked = [unit for unit in units if any(
        requests[0].begin_ns <= unit.begin_ns <= max(request.end_ns for request in requests) for _, requests in found)]
    all_of = collections.Counter(unit.type for unit in asked)
    own_of = collections.Counter(unit.type for unit in own.values())
    return [unit for unit in asked if 2 * own_of[unit.type] > all_of[unit.type]]


def quantile(times, share):
    """Between the nearest two: one time more or less, as where a unit is missing, moves it by little."""
    if not times:
        return 0
    times, at = sorted(times), share * (len(times) - 1)
    low, high = times[math.floor(at)], times[math.ceil(at)]
    return low + (at - math.floor(at)) * (high - low)


def text_of(time_ns):
    for unit, unit_ns in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if time_ns >= unit_ns:
            return f"{time_ns / unit_ns:.3g} {unit}"
    return f"{time_ns:.0f} ns"


def off(found_ns, true_ns):
    return 100 * (found_ns / true_ns - 1) if true_ns else float("inf")


def is_near(found_ns, true_ns, percent):
    return 100 * abs(found_ns - true_ns) <= percent * true_ns


def later_text(truths, units):
    """By how much the units of the requests begin and end later than these, at the median."""
    pairs = [(truth, unit) for truth, unit in ((truth, unit_of(truth, units)) for truth in truths) if unit]
    if not pairs:
        return "–"
    return ", ".join("-" * (by_ns < 0) + text_of(abs(by_ns)) for by_ns in (
        quantile([unit.begin_ns - truth.begin_ns for truth, unit in pairs], 0.5),
        quantile([unit.end_ns - truth.end_ns for truth, unit in pairs], 0.5)))


TABLE = """
| server | clients | requests | units | way | request: median, p99 | unit: median, p99 | off | begins, ends later | holds |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |
"""


def figures_of(units):
    """How many, their median and the 99th of a hundred."""
    taken = [unit.end_ns - unit.begin_ns for unit in units]
    return Figures(len(taken), quantile(taken, 0.5), quantile(taken, 0.99))


def row(server, ask, truths, requests, units, figures):
    """`units` are all of the server's, `figures` those of the ones that stand for the requests."""
    true = [truth.end_ns - truth.begin_ns for truth in truths]
    ways = [truth.request.end_ns - truth.request.begin_ns - time_ns for truth, time_ns in zip(truths, true)]
    (count, median, p99), true_median, true_p99 = figures, quantile(true, 0.5), quantile(true, 0.99)
    counts = 100 * abs(count - len(requests)) <= len(requests)
    holds = counts and is_near(median, true_median, MEDIAN_PERCENT) and is_near(p99, true_p99, P99_PERCENT)
    return (f"| {server.name} | {ask.clients} | {len(requests)} | {count} | {text_of(quantile(ways, 0.5))} "
            f"| {text_of(true_median)}, {text_of(true_p99)} | {text_of(median)}, {text_of(p99)} "
            f"| {off(median, true_median):+.0f} %, {off(p99, true_p99):+.0f} % "
            f"| {later_text(truths, by_thread(units))} | {'yes' if holds else '**no**'} |"), holds


def units_of(server, found, units):
    """All units of the server, and those that stand for its requests."""
    own = [unit for unit in units if unit.type.process == server.process]
    return own, standing(found, own)


def rows(server, found, own, stands):
    """For each way of asking one; of all units of the server, and those that stand for its requests."""
    result = []
    for ask, (truths, requests) in zip(server.asks, found):
        begin_ns, end_ns = requests[0].begin_ns, max(request.end_ns for request in requests)
        figures = figures_of([unit for unit in stands if begin_ns <= unit.begin_ns <= end_ns])
        result.append(row(server, ask, truths, requests, own, figures))
    return result
