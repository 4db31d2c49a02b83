# SPDX-License-Identifier: MIT
"""The figures, of one recording, event set and rule. README.md defines each of them."""

from dataclasses import dataclass

import numpy as np

from . import causes
from .calls import ROOT, Calls
from .match import count_points, link

# The tracer takes the time in a hook inside the function, so frames are seen a little before and
# after the times that it writes.
TRACER_NS = 2000
# A context holds a part of the run when its own time is at least this share of all time.
HOLDS = 0.01
# Two periods of the fastest timer: calls that are this long cannot hide from it.
LONG_NS = 2_000_000
# Bits of an instance's flags.
BEGIN_UNKNOWN, END_UNKNOWN, LOST = 1, 2, 4
COUNTED, PART, SHOWS = 16, 32, 64


def slowest(latency, share):
    """Mask of this share of the rows, at least one, those with the greatest latency."""
    mask = np.zeros(len(latency), dtype=bool)
    if len(latency) > 0:
        count = max(1, int(np.ceil(share * len(latency))))
        mask[np.argsort(-latency, kind="stable")[:count]] = True
    return mask


def share(mask):
    return float(np.mean(mask)) if len(mask) > 0 else None


def quantile(values, q):
    return float(np.quantile(values, q)) if len(values) > 0 else None


@dataclass
class Sights:
    """What the stacks show. `frames`: every known function on every stack, `events`: every stack
    event (context 0). Of each frame, `event` is the number of its event, `function` the
    inference's id of its function, `above` that of the frame that it called, `through` that of the
    frame below it, and `below` the address at which that one resumes; -1 for none."""

    frames: Calls
    events: Calls
    event: np.ndarray
    function: np.ndarray
    above: np.ndarray
    through: np.ndarray
    below: np.ndarray


def sights(stacks, known, contexts):
    """`known`: function id -> name, see graph.known_functions."""
    table = np.zeros(max(stacks.names, default=0) + 1, dtype=bool)
    table[list(known)] = True
    event = np.repeat(np.arange(len(stacks)), np.diff(stacks.first))
    rows = np.flatnonzero(table[stacks.functions])
    context = np.empty(len(rows), dtype=np.int64)
    node, last = ROOT, -1
    for row, (number, function) in enumerate(zip(event[rows].tolist(),
                                                 stacks.functions[rows].tolist())):
        node = contexts.child(ROOT if number != last else node, known[function])
        context[row], last = node, number
    has_below = rows > stacks.first[event[rows]]
    has_above = rows + 1 < stacks.first[event[rows] + 1]
    below, above = np.maximum(rows - 1, 0), np.minimum(rows + 1, len(event) - 1)
    threads, times = stacks.thread[event[rows]], stacks.time[event[rows]]
    return Sights(
        frames=Calls(threads, context, times, times),
        events=Calls(stacks.thread, np.zeros(len(stacks), dtype=np.int64), stacks.time,
                     stacks.time),
        event=event[rows],
        function=stacks.functions[rows],
        above=np.where(has_above, stacks.functions[above], -1),
        through=np.where(has_below, stacks.functions[below], -1),
        below=np.where(has_below, stacks.addresses[below].astype(np.int64), -1))


@dataclass
class Observed:
    """What an event set says about each true call, whatever the rule: how many stack events fell
    into it, and how many of them show it."""

    events: np.ndarray
    seen: np.ndarray


def observe(calls, seen):
    whole = Calls(calls.thread, np.zeros(len(calls), dtype=np.int64), calls.begin, calls.end)
    return Observed(events=count_points(whole, seen.events), seen=count_points(calls, seen.frames))


@dataclass
class Sums:
    """Per context, as arrays over context numbers."""

    count: np.ndarray
    total: np.ndarray
    own: np.ndarray


def sum_up(context, latency, contexts):
    size = len(contexts)
    total = np.bincount(context, weights=latency, minlength=size)
    own = total.copy()
    parents = np.array(contexts.parents)
    np.subtract.at(own, parents[1:], total[1:])
    return Sums(count=np.bincount(context, minlength=size), total=total, own=own)


ESTIMATES = ("latency", "conservative", "aggressive")


def relative_errors(calls, instances, links, estimate="latency"):
    """Of each call, against the instance that represents it; NaN where there is nothing to
    compare: a call without known ends, an instance that a loss cut."""
    error = np.full(len(calls), np.nan)
    rows = np.flatnonzero((links.representative >= 0) & ~calls.open)
    rows = rows[instances.flags[links.representative[rows]] & LOST == 0]
    latency = np.maximum(calls.latency[rows], 1)
    inferred = getattr(instances, estimate)[links.representative[rows]]
    error[rows] = np.abs(inferred - latency) / latency
    return error


def _within(times, calls, rows):
    return (times >= calls.begin[rows]) & (times <= calls.end[rows])


def covered_calls(calls, instances, links, observed):
    """Mask of the calls that the inference has: an instance is linked that belongs to it alone, or
    begins or ends in it, or a stack shows it. (An instance that goes over an unseen call does not
    cover it.)"""
    covered = links.representative >= 0
    rows = np.flatnonzero(covered)
    inst = links.representative[rows]
    own = (links.of_instance[inst] == 1) | _within(instances.begin[inst], calls, rows) | _within(
        instances.end[inst], calls, rows)
    covered[rows[~(own | (observed.seen[rows] > 0))]] = False
    return covered


def bounds_figures(calls, instances, inst):
    """Whether the bounds of instances `inst` hold the latencies of `calls`, and their relative
    width."""
    latency = np.maximum(calls.latency, 1)
    unknown = instances.flags[inst] & (BEGIN_UNKNOWN | END_UNKNOWN | LOST) != 0
    holds = (instances.lower[inst] <= latency + TRACER_NS) & (
        (instances.upper[inst] >= latency - TRACER_NS) | unknown)
    return holds, (instances.upper[inst] - instances.lower[inst]) / latency


def _by_link(rows, links):
    """How many of these linked calls are merged with others, split, or neither."""
    merged = links.of_instance[links.representative[rows]] > 1
    split = ~merged & (links.of_call[rows] > 1)
    return {"merged": int(merged.sum()), "split": int(split.sum()),
            "one to one": int(len(rows) - merged.sum() - split.sum())}


def call_figures(mask, calls, instances, links, observed, errors, covered):
    """Figures over the true calls of `mask`."""
    one_to_one = (links.of_call == 1) & (
        links.of_instance[np.maximum(links.representative, 0)] == 1) if len(instances) > 0 \
        else np.zeros(len(calls), dtype=bool)
    rows = np.flatnonzero(mask & covered & ~calls.open)
    holds, width = bounds_figures(calls.take(rows), instances, links.representative[rows])
    return {
        "calls": int(mask.sum()),
        "eventful": share(observed.events[mask] > 0),
        "seen": share(observed.seen[mask] > 0),
        "covered": share(covered[mask]),
        "one_to_one": share((covered & one_to_one)[mask]),
        "errors": {name: [quantile(error[rows][~np.isnan(error[rows])], q) for q in (0.5, 0.9)]
                   for name, error in errors.items()},
        "in_bounds": share(holds),
        "out_of_bounds": _by_link(rows[~holds], links),
        "width": [quantile(width, q) for q in (0.5, 0.9)],
    }


def count_bounds(instances, hidden, size):
    """The least and the greatest number of calls by context, as the product has them in
    itp_node_stats_calls(). `hidden`: how many events were lost, and how many stacks are broken."""
    lost = np.bincount(instances.context[instances.flags & LOST != 0], minlength=size)
    calls = instances.take(instances.flags & LOST == 0)

    def count(flags):
        return np.bincount(calls.context[calls.flags & flags != 0], minlength=size)

    whole = np.bincount(calls.context, minlength=size)
    shows, told = count(SHOWS), count(COUNTED | SHOWS)
    parts = np.where(told > 0, np.minimum(count(PART), whole), 0)
    lost_events, broken_stacks = hidden
    most = np.bincount(calls.context, weights=calls.max_calls, minlength=size) - parts
    most += lost + lost_events + np.where(shows > 0, broken_stacks, 0)
    is_known = (told > 0) & (told + parts >= whole)
    return whole - parts, np.where(is_known, np.maximum(most, whole - parts), np.inf)


def context_figures(calls, instances, hidden, observed, contexts):
    """Figures over contexts: coverage, own time, number of calls."""
    true = sum_up(calls.context, calls.latency, contexts)
    inferred = sum_up(instances.context, instances.latency, contexts)
    used = np.flatnonzero(true.count)
    mean = true.total[used] / true.count[used]
    seen = inferred.count[used] > 0
    slow = slowest(mean, 0.01)
    all_time = true.own[used].sum()
    holding = used[true.own[used] >= HOLDS * all_time]
    own_error = np.abs(inferred.own[holding] - true.own[holding]) / true.own[holding]
    eventful = np.bincount(calls.context, weights=observed.events > 0, minlength=len(contexts))
    countable = used[(true.total[used] >= HOLDS * all_time) & (eventful[used] >= true.count[used])]
    least, most = count_bounds(instances, hidden, len(contexts))
    shown = used[seen]
    held = (least[shown] <= true.count[shown]) & (true.count[shown] <= most[shown])
    count_error = np.abs(inferred.count[countable] - true.count[countable]) / true.count[countable]
    worst = countable[np.argsort(-count_error, kind="stable")[:5]]
    worst_own = holding[np.argsort(-np.abs(inferred.own[holding] - true.own[holding]),
                                   kind="stable")[:3]]
    return {
        "contexts": len(used), "covered": share(seen), "slow_contexts": int(slow.sum()),
        "slow_covered": share(seen[slow]), "holding": len(holding),
        "own_error": [quantile(own_error, q) for q in (0.5, 0.9)],
        "countable": len(countable), "count_within": share(count_error <= 0.1),
        "shown": len(shown), "count_held": share(held),
        "count_known": share(np.isfinite(most[shown])),
        "worst_counts": [[contexts.text(c), int(true.count[c]), int(inferred.count[c])]
                         for c in worst],
        "worst_own": [[contexts.text(c), float(true.own[c]), float(inferred.own[c])]
                      for c in worst_own],
    }


# The x of the paper's figure 8: contexts or calls from this rank on, of 100.
CURVE = (0, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 93, 95, 96, 97, 98, 99, 99.5, 99.9)


def coverage_curve(latency, covered):
    order = np.argsort(latency, kind="stable")
    return [share(covered[order[int(len(order) * x / 100):]]) for x in CURVE]


def stack_coverage(calls, observed, contexts):
    """The paper's table 3 and figure 8: what the stacks show, whatever is inferred from them."""
    size = len(contexts)
    count = np.bincount(calls.context, minlength=size)
    used = np.flatnonzero(count)
    total = np.bincount(calls.context, weights=calls.latency, minlength=size)
    mean = total[used] / count[used]
    context_seen = np.bincount(calls.context, weights=observed.seen, minlength=size)[used] > 0
    call_seen = observed.seen > 0
    return {
        "contexts": share(context_seen), "slow_contexts": share(context_seen[slowest(mean, 0.01)]),
        "calls": share(call_seen), "slow_calls": share(call_seen[slowest(calls.latency, 0.01)]),
        "context_curve": coverage_curve(mean, context_seen),
        "call_curve": coverage_curve(calls.latency, call_seen),
    }


def evaluate(calls, inferred, seen, observed, callers, contexts):
    """All figures of one event set and rule, as they are stored."""
    instances, hidden = inferred.instances, inferred.hidden
    links = link(calls, instances, TRACER_NS)
    errors = {name: relative_errors(calls, instances, links, name) for name in ESTIMATES}
    covered = covered_calls(calls, instances, links, observed)
    index = causes.index_sights(calls, seen)
    slow = slowest(calls.latency, 0.01)
    scopes = {"all": np.ones(len(calls), dtype=bool), "slow": slow,
              "long": calls.latency >= LONG_NS}
    merge_causes, _ = causes.merges(calls, links, callers, observed, index)
    split_causes, _ = causes.splits(calls, instances, links,
                                    causes.caller_rows(instances, contexts), observed, index)
    return {
        **{name: call_figures(mask, calls, instances, links, observed, errors, covered)
           for name, mask in scopes.items()},
        "contexts": context_figures(calls, instances, hidden, observed, contexts),
        "instances": len(instances),
        "merges": merge_causes,
        "splits": split_causes,
        "invented": int(np.sum(links.of_instance == 0)),
        "fates": causes.fates(slow, calls, instances, links, observed, errors["latency"]),
    }
