# SPDX-License-Identifier: MIT
"""The place of the true function in what people use today, on the same recordings: `perf diff`,
`perf report --children`, and folded stacks with the base's subtracted from the slow run's.

perf keeps the events of a recording apart, one table each. The place is counted in the table
where it is best, as if one knew beforehand which event to look at.
"""

import os
import re
import subprocess
from collections import Counter

TIMEOUT_S = 300
# The event that perf record takes by itself, and flame graphs are mostly made of.
SAMPLES = "cpu-clock"
SECTION = re.compile(r"^# (?:Event|Samples: .* of event) '(.*)'")
# A line of a table: numbers, a module, and the symbol behind [.] or [k].
ENTRY = re.compile(r"^\s*(?:[-+]?\d+\.\d+%|\s).*\[[.kugH]\] (.*?)\s*$")
HEAD = re.compile(r"^\S.* (\S+):\s*$")
FRAME = re.compile(r"^\s+[0-9a-f]+ (.*) \((.*)\)$")


class ToolFailed(Exception):
    """perf failed or took too long; the text says which."""


def _perf(*arguments):
    command = ["perf", *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                              env={**os.environ, "LC_ALL": "C", "PERF_CONFIG": "/dev/null"})
    except subprocess.TimeoutExpired:
        raise ToolFailed(f"{' '.join(command)}: more than {TIMEOUT_S} s") from None
    if done.returncode != 0:
        raise ToolFailed(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def place_in_tables(text, truth):
    """The best place of the function in any of the tables that perf printed."""
    places, line, event = {}, 0, None
    for row in text.splitlines():
        section = SECTION.match(row)
        if section:
            event, line = section[1], 0
            continue
        entry = ENTRY.match(row)
        if entry and not row.startswith("#"):
            line += 1
            if truth.is_function(entry[1]):
                places.setdefault(event, line)
    return min(places.values(), default=None)


def folded(text):
    """Event -> how often each stack, root first, was seen in the output of perf script."""
    stacks = {}
    for block in text.split("\n\n"):
        lines = block.strip("\n").splitlines()
        if not lines:
            continue
        event = HEAD.match(lines[0])[1]
        frames = tuple(match[1] for match in map(FRAME.match, reversed(lines[1:])) if match)
        stacks.setdefault(event, Counter())[frames] += 1
    return stacks


def _distance(stack, truth):
    """Frames between the leaf and the function's nearest call, None without one."""
    for distance, name in enumerate(reversed(stack)):
        if truth.is_function(name):
            return distance
    return None


def places_in_difference(base, slow, truth):
    """Event -> the place of the first stack with the function, when stacks are ordered by how much
    more often the slow run shows them, and how far its leaf is from the function. Of equal ones
    any may come first."""
    found = {}
    for event, stacks in slow.items():
        before = base.get(event, Counter())
        more = {stack: count - before[stack] for stack, count in stacks.items()}
        mine = [(-count, distance) for stack, count in more.items()
                if (distance := _distance(stack, truth)) is not None]
        if mine:
            count, distance = min(mine)
            found[event] = 1 + sum(other > -count for other in more.values()), distance
    return found


def _script(data):
    return folded(_perf("script", "-i", data, "--no-inline", "-F",
                        "comm,tid,time,event,ip,sym,dso"))


def places(base, slow, truth):
    """The true function's place with each tool, and with stacks the distance of their leaf; None
    where it is not shown at all."""
    diff = _perf("diff", base, slow)
    report = _perf("report", "-i", slow, "--stdio", "--children", "--no-inline", "-g", "none",
                   "--percent-limit", "0")
    folds = places_in_difference(_script(base), _script(slow), truth)
    samples = [place for event, place in folds.items() if event.startswith(SAMPLES)]
    nowhere = (None, None)
    return {"perf diff": place_in_tables(diff, truth),
            "perf report": place_in_tables(report, truth),
            "folded": min(folds.values(), default=nowhere),
            "samples": min(samples, default=nowhere)}
