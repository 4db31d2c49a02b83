# SPDX-License-Identifier: MIT
"""Mines a fleet, and compares what is found with what is known of it."""
import collections
import json
import math
import os
import random
import subprocess

from fleets import LIMIT

KINDS = "waiting", "running"
# So many clusters of each kind are looked at.
TOP = 10
SHUFFLES = 1000


RECORDING = ".data"
INTEREST = ".interest"


def mine(introperf, directory, *more):
    """The rows; a trace is named without its suffix, as recordings are."""
    files = sorted(name for name in os.listdir(directory) if name.endswith(INTEREST))
    text = subprocess.run([introperf, "mine", "--symptom", f"process>{LIMIT}", "--format", "jsonl",
                           "--top", "0", *more, *files], cwd=directory, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [json.loads(line) for line in text.replace(f'{INTEREST}"', '"').splitlines()]


def rows_of(rows, kind, type_="cluster"):
    return [row for row in rows if row["type"] == type_ and row["kind"] == kind]


def cause_of(functions, fleet):
    """The cause whose function is one of these, or None. No stack is of two."""
    names = {function.split("!")[-1] for function in functions}
    for cause in fleet.causes:
        if cause.name in names or cause.helper in names:
            return cause.name
    return None


# ---- Clusters and causes ----

def pairs(counts):
    return sum(math.comb(count, 2) for count in counts)


def adjusted_rand(points):
    """Of (group, true group) by point: 1 when they are the same groups, 0 as if by chance."""
    both = pairs(collections.Counter(points).values())
    ours = pairs(collections.Counter(group for group, _ in points).values())
    true = pairs(collections.Counter(group for _, group in points).values())
    chance = ours * true / max(pairs([len(points)]), 1)
    return 1.0 if ours + true == 2 * chance else (both - chance) / ((ours + true) / 2 - chance)


def points_of(rows, kind, fleet):
    """(cluster, cause) of each pattern of a cause; those of no cause are left out."""
    return [(row["rank"], cause) for row in rows_of(rows, kind) for pattern in row["patterns"]
            if (cause := cause_of(pattern["functions"], fleet))]


def by_total(row):
    return row["cost_ns"]


def by_average(row):
    return row["cost_ns"] / max(row["events"], 1)


def places(rows, fleet, order):
    """By cause: its first place in the clusters of either kind, in this order."""
    found = {}
    for kind in KINDS:
        for place, row in enumerate(sorted(rows_of(rows, kind), key=order, reverse=True), 1):
            cause = cause_of(row["common"], fleet)
            if cause:
                found[cause] = min(found.get(cause, place), place)
    return found


def found_causes(rows, fleet, *orders):
    """The causes with a cluster that is one of the first in one of these orders."""
    return {cause for order in orders
            for cause, place in places(rows, fleet, order).items() if place <= TOP}


# ---- Traces to open ----

class Symptoms:
    """What the slow traces lost, each time in nanoseconds."""

    def __init__(self, rows):
        self.totals = collections.Counter()
        self.longest = collections.Counter()
        self.spans = collections.defaultdict(list)
        for row in rows:
            if row["type"] == "symptom":
                trace, cost = row["trace"], row["cost_ns"]
                self.totals[trace] += cost
                self.longest[trace] = max(self.longest[trace], cost)
                self.spans[trace].append((row["begin_ns"], row["begin_ns"] + cost))
        self.traces = sorted(self.totals)
        self.total = sum(self.totals.values())

    def counted_twice(self):
        """What symptoms have in common: a program waits for a child that is slow itself."""
        return self.total - sum(union(spans) for spans in self.spans.values())


def union(spans):
    length, last = 0, 0
    for begin, end in sorted(spans):
        length += max(0, end - max(begin, last))
        last = max(last, end)
    return length


class Signatures:
    """What each signature explains in each trace; no stack counts for two."""

    def __init__(self, rows):
        found = [row for row in rows if row["type"] == "signature"]
        self.costs = [sum(trace["cost_ns"] for trace in row["traces"]) for row in found]
        self.traces = [{trace["trace"]: trace["cost_ns"] for trace in row["traces"]}
                       for row in found]
        self.of_trace = collections.defaultdict(set)
        for number, traces in enumerate(self.traces):
            for trace in traces:
                self.of_trace[trace].add(number)
        self.total = sum(self.costs)

    def by_trace(self):
        """What all of them explain of each trace."""
        return sum((collections.Counter(traces) for traces in self.traces), collections.Counter())


def opened(signatures, goals, order):
    """How many traces of this order are opened until their signatures cost as much as each goal."""
    seen, covered, counts = set(), 0, []
    goals = iter(goals)
    goal = next(goals)
    for count, trace in enumerate(order, 1):
        covered += sum(signatures.costs[number] for number in signatures.of_trace[trace] - seen)
        seen |= signatures.of_trace[trace]
        while covered >= goal:
            counts.append(count)
            goal = next(goals, math.inf)
    return counts


def by_signatures(signatures):
    """For each signature that no trace before has, those that cost most first, the trace that has
    most of it."""
    seen = set()
    order = []
    for number in sorted(range(len(signatures.costs)), key=lambda i: -signatures.costs[i]):
        if number not in seen and signatures.traces[number]:
            trace = max(signatures.traces[number], key=signatures.traces[number].get)
            seen |= signatures.of_trace[trace]
            order.append(trace)
    return order


def at_random(symptoms, signatures, goals):
    source = random.Random(3)
    runs = [opened(signatures, goals, source.sample(symptoms.traces, len(symptoms.traces)))
            for _ in range(SHUFFLES)]
    return [sum(counts) / SHUFFLES for counts in zip(*runs)]


def goals_of(symptoms, signatures):
    """A tenth of the lost time, two tenths, and so on, up to what all signatures explain."""
    tenths = [symptoms.total * tenth / 10 for tenth in range(1, 11)]
    return [goal for goal in tenths if goal < signatures.total] + [signatures.total]


def techniques(symptoms, signatures, goals):
    """By technique: the number of opened traces for each goal."""
    def greedy(costs):
        return opened(signatures, goals, sorted(symptoms.traces, key=lambda i: -costs[i]))
    return {"Random": at_random(symptoms, signatures, goals),
            "Greedy-Total": greedy(symptoms.totals),
            "Greedy-Max": greedy(symptoms.longest),
            "Signatures": opened(signatures, goals, by_signatures(signatures))}


class Measured:
    """What a fleet says, in numbers. `rows` is what is mined; `first` and `every`, what signatures of the
    first clusters and of all of them find."""

    def __init__(self, fleet, truth, symptoms, rows, first, every):
        self.fleet, self.truth, self.rows = fleet, truth, rows
        self.symptoms = symptoms
        self.signatures = Signatures(first)
        self.every = Signatures(every)
        self.causes = [cause_of(row["common"], fleet)
                       for kind in KINDS for row in rows_of(rows, kind)[:TOP]]
        self.explained = self.signatures.by_trace()
        self.total = rows[0]["cost_ns"]
        self.left_out = rows[0]["left_out"]
        self.goals = goals_of(self.symptoms, self.every)
        self.opened = techniques(self.symptoms, self.every, self.goals)
        self.opened_first = techniques(self.symptoms, self.signatures, [self.signatures.total])
        self.orders = [places(rows, fleet, order) for order in (by_total, by_average)]
        self.found = found_causes(rows, fleet, by_total, by_average)

    def missing(self):
        """The causes that are not among the first."""
        return [cause.name for cause in self.fleet.causes if cause.name not in self.found]

    def coverage(self):
        return self.signatures.total / self.total

    def nameless(self):
        """What signatures explain that have no cause's function in common."""
        return sum(cost for cost, cause in zip(self.signatures.costs, self.causes) if not cause)

    def by_own(self, cause):
        """What the cause's signatures explain of its traces."""
        return sum(cost for traces, of in zip(self.signatures.traces, self.causes) if of == cause
                   for trace, cost in traces.items() if self.truth[trace]["cause"] == cause)

    def overdrawn(self):
        """Traces that signatures explain more of than they lost."""
        return [trace for trace, cost in self.explained.items()
                if cost > self.symptoms.totals[trace]]

    def part_of(self, technique):
        """The mean of what signatures need of what the technique needs, over all goals."""
        parts = [ours / theirs for ours, theirs in zip(self.opened["Signatures"],
                                                       self.opened[technique])]
        return sum(parts) / len(parts)

    def last_part(self):
        return self.opened["Signatures"][-1] / self.opened["Random"][-1]
