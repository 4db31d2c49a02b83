#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts calls by calling context, in what babeltrace2 prints, for the tests of function traces.

count-calls.py events     from entries and exits, by a stack for each thread: the independent count
count-calls.py instances  from what filter.introperf.infer says

Both print COUNT NANOSECONDS PATH for each context, sorted. A path is of addresses, root first; a
call without an exit lasts until that of a caller, or until the last event.
"""
import collections
import re
import sys

ENTRY_OR_EXIT = re.compile(r"\[(\d+)\.(\d+)\].*:func_(entry|exit): .*vtid = (\d+).*\{ addr = 0x(\w+)")
CONTEXT = re.compile(r"introperf:context: \{ id = (\d+), parent = (\d+), function = (\d+)")
FUNCTION = re.compile(r'introperf:function: \{ id = (\d+), name = "([^"]*)"')
INSTANCE = re.compile(r"introperf:instance: \{ node = (\d+),.* depth = (\d+),.* aggressive_ns = (\d+),")


class Counts:
    def __init__(self):
        self._contexts = collections.defaultdict(lambda: [0, 0])

    def add(self, path, duration):
        self._contexts[path][0] += 1
        self._contexts[path][1] += duration

    def print(self):
        for path, (count, duration) in sorted(self._contexts.items()):
            print(count, duration, " ".join(path))


def count_events(lines, counts):
    stacks = collections.defaultdict(list)
    time = 0

    def close(stack, depth):
        while len(stack) > depth:
            counts.add(tuple(name for name, _ in stack), time - stack[-1][1])
            stack.pop()

    for line in lines:
        found = ENTRY_OR_EXIT.search(line)
        if not found:
            continue
        seconds, fraction, kind, tid, address = found.groups()
        time = int(seconds) * 10**9 + int(fraction)
        stack, name = stacks[tid], "0x" + address.lower()
        if kind == "entry":
            stack.append((name, time))
            continue
        depths = [depth for depth, (open_name, _) in enumerate(stack) if open_name == name]
        if depths:
            close(stack, depths[-1])
    for stack in stacks.values():
        close(stack, 0)


def count_instances(lines, counts):
    contexts, functions = {}, {}

    def path(node):
        parent, function = contexts[node]
        return (path(parent) if parent != "0" else ()) + (functions[function],)

    for line in lines:
        for pattern, table in ((CONTEXT, contexts), (FUNCTION, functions)):
            found = pattern.search(line)
            if found:
                table[found[1]] = found.groups()[1:] if table is contexts else found[2]
        found = INSTANCE.search(line)
        if found and found[2] != "0":
            counts.add(path(found[1])[1:], int(found[3]))


def main():
    counts = Counts()
    {"events": count_events, "instances": count_instances}[sys.argv[1]](sys.stdin, counts)
    counts.print()


main()
