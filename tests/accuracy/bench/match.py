# SPDX-License-Identifier: MIT
"""Which inferred instance stands for which true call.

An instance and a call are linked when they are of one thread and one context and the instance was
seen while the call was there: the time from its first to its last sight meets that of the call.
Calls of one context and thread never overlap, neither do instances, so the links of each are a run
of neighbours, and both sides together are read like a zip.

  one to one      one link on both sides
  merge           an instance with n > 1 links makes n - 1 wrong merges
  split           a call with n > 1 links makes n - 1 wrong splits
  invented        an instance without a link
  missed          a call without a link

Each linked call is represented by the one of its instances that overlaps it longest, the earlier of
equals. That is what a reader of the timeline takes for the call, so errors are measured on it.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Links:
    """`call` and `instance` are equally long: row numbers of linked pairs, sorted by both."""

    call: np.ndarray
    instance: np.ndarray
    # Number of links by call and by instance.
    of_call: np.ndarray
    of_instance: np.ndarray
    # The instance that represents a call, -1 for none.
    representative: np.ndarray


def group_numbers(*sides):
    """A number for each (thread, context), the same on all sides."""
    keys = np.concatenate([side.thread << 32 | side.context for side in sides])
    numbers = np.unique(keys, return_inverse=True)[1]
    return np.split(numbers, np.cumsum([len(side) for side in sides])[:-1])


class TimeLine:
    """Times of many groups on one line, so that one binary search serves all of them."""

    def __init__(self, *times):
        self.origin = min((int(values.min()) for values in times if len(values) > 0), default=0)
        latest = max((int(values.max()) for values in times if len(values) > 0), default=0)
        # Room for a tolerance around each group.
        self.span = 2 * (latest - self.origin) + 10**6

    def place(self, groups, times):
        return groups * self.span + (times - self.origin)


def _expand(first, last):
    """Pairs (row, number) for every number in first[row]..last[row] - 1."""
    counts = np.maximum(last - first, 0)
    rows = np.repeat(np.arange(len(counts)), counts)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, first[rows] + offsets


def _nearest(line_begin, line_end, begins, ends, tolerance):
    """For intervals that meet none: the number of the one within `tolerance`, -1 for none."""
    if len(line_begin) == 0:
        return np.full(len(begins), -1, dtype=np.int64)
    before = np.clip(np.searchsorted(line_end, begins) - 1, 0, len(line_begin) - 1)
    after = np.clip(np.searchsorted(line_begin, ends, side="right"), 0, len(line_begin) - 1)
    gap_before = np.abs(begins - line_end[before])
    gap_after = np.abs(line_begin[after] - ends)
    nearest = np.where(gap_before <= gap_after, before, after)
    return np.where(np.minimum(gap_before, gap_after) <= tolerance, nearest, -1)


def link(calls, instances, tolerance_ns=0):
    """Links `instances` to `calls`, both sorted. An instance that meets no call belongs to one
    that is no further away than the tolerance: the tracer's clock stands beside the code."""
    call_group, instance_group = group_numbers(calls, instances)
    line = TimeLine(calls.begin, calls.end, instances.begin, instances.end)
    call_begin, call_end = (line.place(call_group, t) for t in (calls.begin, calls.end))
    begin, end = (line.place(instance_group, t) for t in (instances.begin, instances.end))
    order = np.argsort(call_begin, kind="stable")
    call_begin, call_end = call_begin[order], call_end[order]

    first = np.searchsorted(call_end, begin, side="left")
    last = np.searchsorted(call_begin, end, side="right")
    lonely = np.flatnonzero(last <= first)
    nearest = _nearest(call_begin, call_end, begin[lonely], end[lonely], tolerance_ns)
    first[lonely] = np.where(nearest >= 0, nearest, 0)
    last[lonely] = first[lonely] + (nearest >= 0)

    instance, place = _expand(first, last)
    call = order[place]
    overlap = np.minimum(instances.end[instance], calls.end[call]) - np.maximum(
        instances.begin[instance], calls.begin[call])
    by_overlap = np.lexsort((instances.begin[instance], -overlap, call))
    representative = np.full(len(calls), -1, dtype=np.int64)
    best = by_overlap[np.append(True, call[by_overlap][1:] != call[by_overlap][:-1])] \
        if len(call) > 0 else by_overlap
    representative[call[best]] = instance[best]
    by_call = np.lexsort((instance, call))
    return Links(
        call=call[by_call], instance=instance[by_call],
        of_call=np.bincount(call, minlength=len(calls)),
        of_instance=np.bincount(instance, minlength=len(instances)),
        representative=representative)


def count_points(calls, points):
    """How many of the points (calls without length) lie in each of the calls; a call and its points
    are of one thread and context."""
    call_group, point_group = group_numbers(calls, points)
    line = TimeLine(calls.begin, calls.end, points.begin)
    places = np.sort(line.place(point_group, points.begin))
    first = np.searchsorted(places, line.place(call_group, calls.begin), side="left")
    last = np.searchsorted(places, line.place(call_group, calls.end), side="right")
    return last - first
