# SPDX-License-Identifier: MIT
"""Are requests followed through the processes that serve them?

Of every request: which processes it went through, in which order, how long it took, and, where something is
wrong, in which process and function its time went. Each process has logged what it served.
"""
import collections
import json
import os
import re
import subprocess
import sys

import times
from chains import CHAINS
from recording import known, name_of_directory, record, text_of_error, told_of

# In percent of the requests, as where units are counted.
RIGHT_PERCENT = 99
# A fault is named when most of the requests that it makes slow name it: a user looks at some of them.
NAMED_PERCENT = 90

LOGGED = re.compile(r"(\d+) .*/(\d+)\b")

Line = collections.namedtuple("Line", "begin_ns end_ns hops is_complete")


def logged(directory, log):
    """By number, in which process the request was."""
    with open(os.path.join(directory, log), encoding="utf-8", errors="replace") as file:
        return {int(match[2]): int(match[1]) for match in map(LOGGED.match, file) if match}


def expected(chain, directory):
    """By number of the request, the processes that it went through; no id where there is only one."""
    logs = {log: logged(directory, log) for hop in chain.hops for log in hop.logs}

    def pid(hop, number):
        return next((logs[log][number] for log in hop.logs if number in logs[log]), None)
    return {number: [(hop.process, pid(hop, number)) for hop in chain.hops] for number in range(chain.asks[0].count)}


def lines_of(introperf, directory):
    """What the command tells, on the client's clock."""
    epoch_ns = told_of(directory)["epoch_ns"]
    ran = subprocess.run([introperf, "units", "--through", "perf.data", "--format", "jsonl"], cwd=directory, check=False,
                         text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ran.returncode != 0:
        print(ran.stderr.strip(), file=sys.stderr)
        raise OSError(f"units --through ends with status {ran.returncode}")
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    # Times since the epoch become those of the client's clock, which are less.
    return sorted((Line(row["begin_ns"] % epoch_ns, row["end_ns"] % epoch_ns, row["hops"], row["complete"])
                   for row in rows if row["type"] == "through"), key=lambda line: line.begin_ns)


def could_be(truth, line):
    """At the same time, and begun in the thread that the kernel had run for the request, where that is known."""
    return (line.begin_ns < truth.end_ns and line.end_ns > truth.begin_ns and
            (truth.tid is None or not line.hops or line.hops[0]["tid"] == truth.tid))


def matched(truths, lines):
    """For each request the line that could be it and is no other's: those that are most alike together."""
    near = {i: {j: times.alike(truth, line) for j, line in enumerate(lines) if could_be(truth, line)}
            for i, truth in enumerate(truths)}
    found, owner = {}, {}
    for _, i, j in sorted(((alike, i, j) for i, of in near.items() for j, alike in of.items()), reverse=True):
        if i not in found and j not in owner:
            found[i], owner[j] = j, i
    has_changed = True
    while has_changed:
        has_changed = False
        # Two that have each other's line have too little in common with it.
        for i, j in list(found.items()):
            for k in near[i]:
                other = owner.get(k)
                if other not in (None, i) and j in near[other] and \
                        near[i][k] + near[other][j] > near[i][found[i]] + near[other][k] and found[i] == j:
                    found[i], found[other], owner[j], owner[k] = k, j, other, i
                    has_changed = True
    return [(truth, lines[found[i]] if i in found else None) for i, truth in enumerate(truths)]


def is_right(line, hops):
    """Whether it went through just these processes, in this order."""
    went = list(dict.fromkeys((hop["process"], hop["pid"]) for hop in sorted(line.hops, key=lambda hop: hop["begin_ns"])))
    return line.is_complete and len(went) == len(hops) and all(
        process == name and pid in (None, number) for (process, number), (name, pid) in zip(went, hops))


def asked_ns(hop):
    """When it was asked: what it had not taken yet, its asker waited for."""
    return hop["begin_ns"] - hop["queued_ns"]


def lies_in(other, hop, hops):
    """Whether it was asked within the other one; of two that were at once the second one is."""
    return (asked_ns(hop), hops.index(hop)) < (asked_ns(other), hops.index(other)) and hop["begin_ns"] <= asked_ns(other) < hop["end_ns"]


def own_ns(hop, hops):
    """What the hop did not spend while it, or another one, waited for one that was asked within it."""
    taken, last_ns = hop["end_ns"] - hop["begin_ns"], hop["begin_ns"]
    for other in sorted((other for other in hops if lies_in(other, hop, hops)), key=asked_ns):
        end_ns = min(other["end_ns"], hop["end_ns"])
        taken -= max(end_ns - max(asked_ns(other), last_ns), 0)
        last_ns = max(last_ns, end_ns)
    return taken


def names_fault(line, fault):
    if not line or not line.hops:
        return False
    worst = max(line.hops, key=lambda hop: own_ns(hop, line.hops))
    named = [(name or "").split("!")[-1] for name in [worst.get("function"), *worst.get("callers", [])]]
    return worst["process"] == fault.process and any(name in fault.functions for name in named)


def fault_text(chain, directory, pairs):
    """How many of the slow requests name it, and whether these are enough."""
    if not chain.fault:
        return "–", True
    slow = logged(directory, chain.fault.log) if chain.fault.log else None
    affected = [line for truth, line in pairs if slow is None or truth.request.number in slow]
    named = sum(names_fault(line, chain.fault) for line in affected)
    return f"{named} of {len(affected)}", bool(affected) and 100 * named >= NAMED_PERCENT * len(affected)


def row(chain, directory, lines):
    hops = expected(chain, directory)
    truths, requests = known(directory)[0]
    pairs = matched(truths, lines)
    right = sum(bool(line) and is_right(line, hops[truth.request.number]) for truth, line in pairs)
    wrong = sum(bool(line) and line.is_complete and not is_right(line, hops[truth.request.number]) for truth, line in pairs)
    true = [truth.end_ns - truth.begin_ns for truth, line in pairs if line]
    told = [line.end_ns - line.begin_ns for _, line in pairs if line]
    (true_median, true_p99), (median, p99) = ([times.quantile(of, share) for share in (0.5, 0.99)] for of in (true, told))
    fault, is_named = fault_text(chain, directory, pairs)
    holds = (100 * right >= RIGHT_PERCENT * len(requests) and wrong == 0 and is_named and
             times.is_near(median, true_median, times.MEDIAN_PERCENT) and times.is_near(p99, true_p99, times.P99_PERCENT))
    return (f"| {chain.name} | {' → '.join(hop.process for hop in chain.hops)} | {len(requests)} | {len(lines)} | {right} | {wrong} "
            f"| {times.text_of(true_median)}, {times.text_of(true_p99)} "
            f"| {times.off(median, true_median):+.0f} %, {times.off(p99, true_p99):+.0f} % | {fault} "
            f"| {'yes' if holds else '**no**'} |")


HEAD = """
## Requests that go through several processes

Each request has a number, and each process has logged which of them it served, with its own id. A request is
through the right ones when those that `perf introperf units --through` tells of it are just these, in this
order. The line of a request is the one that begins in the thread that took it and shares most of its time; of
several at once, the lines that together do. A fault is named by a request when the
hop in which it was longest, without those that were asked within this, is one of the guilty process, with a
function of it that is on the way to the cause, or one of the three callers that are told of that.
A chain holds when {right} % of its requests are through the right ones, none of those that are told as followed is
through others, times hold as above, and {named} % of the slow requests name the fault.

| chain | processes | requests | told | through the right ones | through others | request: median, p99 | off | fault named by | holds |
| --- | --- | --: | --: | --: | --: | --: | --: | --: | --- |
"""


def can_follow(introperf):
    told = subprocess.run([introperf, "units", "--help"], check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout
    return "--through" in told


def section(introperf, directory, names):
    """The text for doc/units.md."""
    text = HEAD.format(right=RIGHT_PERCENT, named=NAMED_PERCENT)
    if not can_follow(introperf):
        return text + "\nNot measured, as there is no `perf introperf units --through` yet.\n"
    for chain in CHAINS:
        own = os.path.join(directory, name_of_directory(f"chain-{chain.name}"))
        if names and not any(name in chain.name for name in names):
            continue
        try:
            text += (row(chain, own, lines_of(introperf, own)) if record(introperf, chain, own) else
                     f"| {chain.name} | could not be run | | | | | | | | |") + "\n"
        except (OSError, subprocess.CalledProcessError) as error:
            text += f"| {chain.name} | {text_of_error(error)} | | | | | | | | **no** |\n"
        print(text.splitlines()[-1], flush=True)
    return text
