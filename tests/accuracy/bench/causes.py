# SPDX-License-Identifier: MIT
"""Why a true call has no instance of its own: what was missed, merged or split, by cause.

Merges are looked at between neighbours: of n calls that one instance covers, each with the next
makes one wrong merge.

  unseen       no stack shows one of the two: no rule could have told them apart
  inherited    the calls have different callers, which were merged already
  same place   called from one place, one after the other: a loop in the caller
  other place  called from another place in the caller
  other path   something that the exact trace does not know lies between, and differs

Splits likewise, between one instance of a call and the next.

  inherited    the caller was split there already
  broken       a stack in the call lacks it, or frames at its root
  other name   the stacks show two parts of one function, as f and f.cold
  same place   both stacks show the call at one place of its caller
  other place  they show different places: one of them is wrong, or the caller has two parts
"""

from dataclasses import dataclass

import numpy as np

from .calls import ROOT, Calls
from .match import TimeLine, group_numbers

MERGES = ("unseen", "inherited", "same place", "other place", "other path")
SPLITS = ("inherited", "broken", "other name", "same place", "other place")


def caller_rows(calls, contexts):
    """The row of each call's caller among the calls themselves, -1 for none."""
    parents = np.array(contexts.parents)
    wanted = Calls(calls.thread, parents[calls.context], calls.begin, calls.end)
    group, wanted_group = group_numbers(calls, wanted)
    line = TimeLine(calls.begin, calls.end)
    places = line.place(group, calls.begin)
    order = np.argsort(places, kind="stable")
    found = np.searchsorted(places[order], line.place(wanted_group, calls.begin), side="right") - 1
    rows = order[np.maximum(found, 0)]
    is_caller = ((found >= 0) & (wanted.context != ROOT) & (group[rows] == wanted_group)
                 & (calls.end[rows] >= calls.begin))
    return np.where(is_caller, rows, -1)


@dataclass
class SightIndex:
    """Sights by thread, context and time, to be asked about calls."""

    line: TimeLine
    # Sorted places on the line, and the number of the sight at each.
    places: np.ndarray
    sights: np.ndarray
    # Of the calls.
    groups: np.ndarray
    # Of the sights; see metrics.Sights.
    function: np.ndarray
    below: np.ndarray
    through: np.ndarray

    def nearest(self, rows, times, before):
        """Of the calls in `rows`: the last sight of their contexts until `times`, or the first one
        since; -1 for none."""
        where = self.line.place(self.groups[rows], times)
        if before:
            found = np.searchsorted(self.places, where, side="right") - 1
        else:
            found = np.searchsorted(self.places, where, side="left")
        inside = (found >= 0) & (found < len(self.places))
        return np.where(inside, np.append(self.sights, -1)[np.where(inside, found, -1)], -1)


def index_sights(calls, sights):
    groups, sight_groups = group_numbers(calls, sights.frames)
    line = TimeLine(calls.begin, calls.end, sights.frames.begin)
    places = line.place(sight_groups, sights.frames.begin)
    order = np.argsort(places, kind="stable")
    # One more, for sight -1.
    return SightIndex(line, places[order], order, groups, np.append(sights.function, -1),
                      np.append(sights.below, -1), np.append(sights.through, -1))


def _count(names, masks):
    """Counts of the rows by the first mask that holds; the last name takes the rest."""
    counts, left = {}, np.ones(len(masks[0]), dtype=bool)
    for name, mask in zip(names, masks):
        counts[name] = int(np.sum(left & mask))
        left &= ~mask
    counts[names[-1]] = int(left.sum())
    return counts


def _pairs(keys, values):
    """Neighbouring values that share a key; both sorted by key."""
    same = np.flatnonzero(keys[1:] == keys[:-1])
    return values[same], values[same + 1]


def merges(calls, links, callers, observed, index):
    """Counts by cause, and rows of the pairs (first call, second call) by cause."""
    order = np.lexsort((calls.begin[links.call], links.instance))
    first, second = _pairs(links.instance[order], links.call[order])
    seen = (observed.seen[first] > 0) & (observed.seen[second] > 0)
    last = index.nearest(first, calls.end[first], before=True)
    next_ = index.nearest(second, calls.begin[second], before=False)
    masks = [~seen, callers[first] != callers[second],
             (index.through[last] == index.through[next_]) &
             (index.below[last] == index.below[next_]),
             index.through[last] == index.through[next_]]
    return _count(MERGES, masks), (first, second, masks)


def splits(calls, instances, links, instance_callers, observed, index):
    first, second = _pairs(links.call, links.instance)
    call, _ = _pairs(links.call, links.call)
    last = index.nearest(call, instances.end[first], before=True)
    next_ = index.nearest(call, instances.begin[second], before=False)
    masks = [instance_callers[first] != instance_callers[second],
             observed.seen[call] < observed.events[call],
             index.function[last] != index.function[next_],
             index.below[last] == index.below[next_]]
    return _count(SPLITS, masks), (call, first, second, masks)


FATES = ("within 5 %", "within 25 %", "seen too seldom", "split", "merged with unseen",
         "merged by the rule", "no event", "not on its stacks", "dropped")


def fates(mask, calls, instances, links, observed, error):
    """What became of the true calls in `mask`, each counted once. `error` is relative, per call."""
    rows = np.flatnonzero(mask)
    representative = links.representative[rows]
    linked = representative >= 0
    merged = linked & (links.of_instance[np.maximum(representative, 0)] > 1)
    # Merged only with calls that no stack shows.
    seen_links = np.bincount(links.instance, weights=observed.seen[links.call] > 0,
                             minlength=len(instances))
    unseen = merged & (seen_links[np.maximum(representative, 0)] <= 1)
    return _count(FATES, [
        linked & (error[rows] <= 0.05), linked & (error[rows] <= 0.25),
        linked & ~merged & (links.of_call[rows] == 1), linked & ~merged, unseen, merged,
        observed.events[rows] == 0, observed.seen[rows] == 0])
