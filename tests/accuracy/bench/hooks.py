# SPDX-License-Identifier: MIT
"""Calls as long as they were there, hooks included.

The tracer takes the time inside its hooks. When a thread is preempted there, or when the hook
itself takes long (its first call in a thread, a full buffer), the function is on a stack long
before or after the times in the exact trace. Such stacks say so themselves: the hook lies on the
function, or nothing does, before its entry hook and after its exit hook. The call then begins no
later, and ends no earlier, than that stack.
"""

import dataclasses

import numpy as np

from .graph import HOOK_ENTER, HOOK_EXIT, LAYER_USER
from .match import TimeLine, group_numbers

# Nobody is preempted for longer than this.
LONGEST_NS = 100_000_000


def _named(stacks, name):
    return [number for number, (text, _, _) in stacks.names.items() if text == name]


def widen(calls, stacks, sights):
    """`calls`, sorted, with the times that the `sights` in `stacks` add to them."""
    begin, end = calls.begin.copy(), calls.end.copy()
    call_group, group = group_numbers(calls, sights.frames)
    line = TimeLine(calls.begin, calls.end, sights.frames.begin)
    begins, ends = line.place(call_group, calls.begin), line.place(call_group, calls.end)
    order = np.argsort(begins, kind="stable")
    begins, ends = begins[order], ends[order]
    places = line.place(group, sights.frames.begin)
    following = np.searchsorted(begins, places, side="right")
    before = following - 1
    outside = (before < 0) | (ends[np.maximum(before, 0)] < places)

    following, before = (np.clip(rows, 0, len(order) - 1) for rows in (following, before))
    until_next, since_last = begins[following] - places, places - ends[before]
    # Whichever is in another group is far away, or negative.
    until_next, since_last = (np.where((gap >= 0) & (gap <= LONGEST_NS), gap, LONGEST_NS + 1)
                              for gap in (until_next, since_last))
    user = [number for number, (_, _, layer) in stacks.names.items() if layer == LAYER_USER]
    is_leaf = ~np.isin(sights.above, user)
    entering = outside & (until_next <= LONGEST_NS) & (
        np.isin(sights.above, _named(stacks, HOOK_ENTER)) | is_leaf & (until_next <= since_last))
    leaving = outside & (since_last <= LONGEST_NS) & (
        np.isin(sights.above, _named(stacks, HOOK_EXIT)) | is_leaf & (since_last < until_next))
    np.minimum.at(begin, order[following[entering]], sights.frames.begin[entering])
    np.maximum.at(end, order[before[leaving]], sights.frames.begin[leaving])
    return dataclasses.replace(calls, begin=begin, end=end)
