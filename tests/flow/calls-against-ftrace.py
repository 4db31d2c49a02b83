#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calls-against-ftrace.py TRACE INSTANCES…: are kernel functions told apart rightly?

TRACE is what the tracer function_graph saw (options funcgraph-abstime, funcgraph-proc and
funcgraph-tail, clock mono) while perf recorded with -k CLOCK_MONOTONIC. Each INSTANCES is what
`babeltrace2 RECORDING -p 'clock="recording"' -c filter.introperf.infer` printed. For each of these
it prints how many instances of traced functions are within one call and how many in several, and how
many calls were split: two instances are inside. Splits that the first INSTANCES does not have are
listed.
"""
import bisect
import collections
import re
import sys

LINE = re.compile(r"\s*([\d.]+) \|\s+\d+\)\s+\S*?-(\d+)\s+\|\s*(.*?)\|\s*(.*)$")
INSTANCE = re.compile(
    r'introperf:instance: .*?function = "([^"]*)", pid = \d+, tid = (\d+), .*?'
    r"begin_ns = (\d+), conservative_ns = (\d+)"
)
# The tracer's times are of microseconds, and taken a little later or earlier than the call.
TOLERANCE_NS = 3000


def read_calls(path):
    """(function, tid) to sorted (begin, end)."""
    calls = collections.defaultdict(list)
    open_calls = collections.defaultdict(list)
    with open(path, encoding="utf-8") as trace:
        for match in map(LINE.match, trace):
            if not match:
                continue
            time_ns = round(float(match[1]) * 1e6) * 1000
            tid, text = int(match[2]), match[4].strip()
            duration = re.search(r"([\d.]+) us", match[3])
            if text.endswith("();") and duration:
                end_ns = time_ns + int(float(duration[1]) * 1000)
                calls[text[:-3], tid].append((time_ns, end_ns))
            elif text.endswith("() {"):
                open_calls[tid].append((text[:-4], time_ns))
            elif text.startswith("}") and open_calls[tid]:
                function, begin_ns = open_calls[tid].pop()
                if text.endswith(f"/* {function} */"):
                    calls[function, tid].append((begin_ns, time_ns))
                else:
                    open_calls[tid].clear()
    for of_function in calls.values():
        of_function.sort()
    return calls


def read_instances(path, calls):
    """Counts, and for each call the instances that are in no other."""
    counts = collections.Counter()
    inside = collections.defaultdict(list)
    with open(path, encoding="utf-8") as instances:
        for match in map(INSTANCE.search, instances):
            key = match and (match[1], int(match[2]))
            if key not in calls:
                continue
            begin_ns = int(match[3])
            end_ns = begin_ns + int(match[4])
            last = bisect.bisect_right(calls[key], (end_ns, sys.maxsize))
            first = last
            while first > 0 and calls[key][first - 1][1] >= begin_ns:
                first -= 1
            counts[("none", "one", "several")[min(last - first, 2)]] += 1
            if last - first == 1:
                inside[key, calls[key][first]].append((begin_ns, end_ns))
    return counts, inside


def split_calls(inside):
    """Calls in which two instances certainly are."""
    result = set()
    for (key, (begin_ns, end_ns)), instances in inside.items():
        certain = [
            one
            for one in instances
            if one[0] >= begin_ns + TOLERANCE_NS and one[1] <= end_ns - TOLERANCE_NS
        ]
        if len(certain) > 1:
            result.add((key, begin_ns, end_ns))
    return result


def main():
    calls = read_calls(sys.argv[1])
    first = None
    for path in sys.argv[2:]:
        counts, inside = read_instances(path, calls)
        split = split_calls(inside)
        first = split if first is None else first
        print(
            f"{path}: instances in one call {counts['one']}, in several {counts['several']},"
            f" in none {counts['none']}; split calls {len(split)}, new {len(split - first)}"
        )
        for (function, tid), begin_ns, end_ns in sorted(split - first):
            print(f"  {function} of {tid} from {begin_ns} to {end_ns}")


main()
