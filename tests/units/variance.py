# SPDX-License-Identifier: MIT
"""How much units of one type differ in length, and which limits those of another run exceed.

What is usual is computed here of the single units of the first run, not taken from the command.
"""
import bisect
import collections
import dataclasses
import os
import re
import statistics
import subprocess

from loads import LOADS
from names import without_directories

# So many types of each server, those that took most time, of at least so many units in each run.
TYPES = 10
LEAST_UNITS = 30

RUN_TWICE = """
set -e
export load
load="/usr/bin/python3 load.py 1"
%(run)s
date +%%s%%N >between
load="/usr/bin/python3 load.py 2"
%(run)s
"""

UNIT = re.compile(r'introperf:unit: \{ id = (\d+), process = "([^"]*)", loop = "([^"]*)", wait = "([^"]*)", telling = "([^"]*)"')
SPAN = re.compile(r"introperf:unit_span: \{ unit = (\d+), .*tid = (\d+), begin_ns = (\d+), end_ns = (\d+)")
READY = re.compile(r'introperf:stretch: \{ kind = \( "ready".*? tid = (\d+), .*?begin_ns = (\d+), end_ns = (\d+)')

LIMITS = [
    *((f"μ + {k}·σ", lambda usual, k=k: usual.mean + k * usual.deviation) for k in (3, 4, 6)),
    *((f"median + {k}·MAD", lambda usual, k=k: usual.median + k * usual.mad) for k in (4, 8, 16, 32)),
    *((f"{k} · p99", lambda usual, k=k: k * usual.p99) for k in (1.5, 2)),
    ("1.5 · longest", lambda usual: 1.5 * usual.longest),
]

Usual = collections.namedtuple("Usual", "mean deviation median mad p99 longest")
Type = collections.namedtuple("Type", "loop telling first second")


def usual_of(lengths):
    median = statistics.median(lengths)
    return Usual(statistics.fmean(lengths), statistics.pstdev(lengths), median,
                 statistics.median(abs(length - median) for length in lengths),
                 sorted(lengths)[99 * len(lengths) // 100], max(lengths))


def messages(build, recording):
    """The lines about units of a graph that tells each of them."""
    graph = subprocess.Popen(
        ["babeltrace2", f"--plugin-path={build}", recording, "-c", "filter.introperf.infer",
         "--params=stretches=yes", "-c", "filter.introperf.unit", "--params=each=yes", "-c", "sink.text.pretty", '--params=color="never"'],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = subprocess.run(["grep", "-E", 'introperf:unit|introperf:stretch.*"ready"'], stdin=graph.stdout, check=False, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    if graph.wait() != 0:
        raise OSError(f"babeltrace2 ends with status {graph.returncode}")
    return lines


def ready_times(lines):
    """By thread, when it was ready and had no CPU, in order."""
    times = collections.defaultdict(list)
    for match in filter(None, map(READY.search, lines)):
        tid, begin_ns, end_ns = map(int, match.groups())
        times[tid].append((begin_ns, end_ns))
    return {tid: sorted(spans) for tid, spans in times.items()}


def ready_ns(spans, begin_ns, end_ns):
    """How much of that lies between the two."""
    total = 0
    for place in range(bisect.bisect_right(spans, (begin_ns,)), len(spans)):
        if spans[place][0] >= end_ns:
            break
        total += min(spans[place][1], end_ns) - spans[place][0]
    return total


def types_of(load, lines, between_ns, without_ready):
    """The ones of the server, the dearest of the first run first."""
    ready = ready_times(lines) if without_ready else {}
    types = {}
    for number, process, loop, _, telling in (match.groups() for match in map(UNIT.search, lines) if match):
        if process == load.process:
            types[number] = Type(loop, telling, [], [])
    for match in filter(None, map(SPAN.search, lines)):
        if match[1] in types:
            tid, begin_ns, end_ns = map(int, match.groups()[1:])
            run = types[match[1]].first if begin_ns < between_ns else types[match[1]].second
            run.append(end_ns - begin_ns - ready_ns(ready.get(tid, []), begin_ns, end_ns))
    usable = [one for one in types.values() if min(len(one.first), len(one.second)) >= LEAST_UNITS]
    return sorted(usable, key=lambda one: -sum(one.first))[:TYPES]


def time_text(time_ns):
    for unit, unit_ns in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if time_ns >= unit_ns:
            return f"{time_ns / unit_ns:.3g} {unit}"
    return f"{time_ns:.0f} ns"


def short(names):
    return without_directories(re.sub(r"\([^)]*\)", "", names)).replace("|", "\\|")[:60]


def type_rows(load, types):
    rows, deviations = [], []
    for one in types:
        usual = usual_of(one.first)
        deviations.append(100 * usual.deviation / usual.mean)
        rows.append(f"| {load.name} | {short(one.loop)} | {short(one.telling) or '–'} | {len(one.first)}, {len(one.second)} "
                    f"| {time_text(sum(one.first))} | {time_text(usual.mean)} | {deviations[-1]:.0f} % "
                    f"| {time_text(usual.median)} | {100 * usual.mad / usual.median:.0f} % |\n")
    if deviations:
        rows.append(f"| {load.name} | average | | | | | {statistics.fmean(deviations):.0f} % | | |\n")
    return rows


def share(lengths_and_limits, times=1):
    """Of units that take so many times as long as they did, how many are beyond the limit."""
    beyond = [times * length > limit for length, limit in lengths_and_limits]
    return 100 * sum(beyond) / max(len(beyond), 1)


def limit_row(name, limit_of, types):
    each = [[(length, limit) for length in one.second]
            for one, limit in ((one, limit_of(usual_of(one.first))) for one in types)]
    units = [pair for pairs in each for pair in pairs]
    quiet = sum(share(pairs) <= 0.1 for pairs in each)
    return (f"| {name} | {share(units):.2f} % | {max(map(share, each)):.2f} % | {quiet} of {len(each)} "
            f"| {share(units, 2):.0f} % | {share(units, 4):.0f} % | {share(units, 10):.0f} % |\n")


HEAD = """
## How much units of one type differ

Servers that four clients at once asked for one thing and another, by chance: files of many sizes, lists
of folders, missing ones; queries that look one row up, sort, join or write. At most ten types of each,
those that took most time, with {least} units or more in both runs; the number of those of a second run
with another seed is behind the comma. What they waited for a CPU does not count here, as it is the
machine's. `c` is the deviation in percent of the mean, as in the paper, which has 30 % for most types. Here one type
has files, keys and rows of many sizes, which other calls do not tell apart; of servers asked for few kinds of things,
units of one type differ as much as requests for one and the same thing do (above).

| server | loop | only these call | units | total | mean | c | median | MAD, of median |
| --- | --- | --- | --: | --: | --: | --: | --: | --: |
"""

LIMITS_INTRO = """
## Which limit is exceeded by chance

By the first run a limit is set for each of these types; how many units of the second run exceed it, in
which nothing is wrong? And how many would exceed it if each took twice, four times, ten times as long?
"""

LIMITS_HEAD = """
{title}:

| limit | beyond it, of {units} units | of the worst type | types with ≤ 0.1 % | twice as long | four times | ten times |
| --- | --: | --: | --: | --: | --: | --: |
"""


def limit_table(title, types):
    return LIMITS_HEAD.format(title=title, units=sum(len(one.second) for one in types)) + "".join(
        limit_row(name, limit_of, types) for name, limit_of in LIMITS)


def section(build, directory, record):
    """The text for doc/units.md."""
    text, whole, working = HEAD.format(least=LEAST_UNITS), [], []
    for load in LOADS:
        own = os.path.join(directory, f"load-{load.name}")
        twice = dataclasses.replace(load, run=RUN_TWICE % {"run": load.run})
        if not record(twice, own):
            continue
        with open(os.path.join(own, "between"), encoding="utf-8") as file:
            between_ns = int(file.read())
        lines = messages(build, os.path.join(own, "perf.data"))
        whole += types_of(load, lines, between_ns, False)
        of_work = types_of(load, lines, between_ns, True)
        text += "".join(type_rows(load, of_work))
        working += of_work
    if whole:
        text += LIMITS_INTRO + limit_table("All of their time", whole)
        text += limit_table("Without what they waited for a CPU", working)
    return text
