# SPDX-License-Identifier: MIT
"""What introperf says of pairs of recordings, as figures."""

import statistics

from bench import programs

# How many runs of each workload are compared with as many of the other.
GROUPS = (1, 3, 5)


def _beyond(paths):
    return [path for path in paths if not path["noise"]]


def _culprit(path):
    return path["frames"][path["culprit"]]["function"] if path["culprit"] is not None else None


def pair(runs, name, number):
    """Of the runs 2 · number and 2 · number + 1 of a program, which did the same."""
    header, paths = runs.diff([runs.profile(name, 2 * number)],
                              [runs.profile(name, 2 * number + 1)])
    mean = (header["suspect_own_ns"] + header["base_own_ns"]) / 2
    return {"alarm": bool(_beyond(paths)), "spread": header["spread"],
            "difference": abs(header["suspect_own_ns"] - header["base_own_ns"]) / mean}


def equal(runs, name, pairs):
    """The figures of a program's pairs."""
    found = [pair(runs, name, number) for number in range(pairs)]
    return {"program": name, "pairs": pairs, "alarms": sum(one["alarm"] for one in found),
            "difference": statistics.median(one["difference"] for one in found),
            "spread": statistics.median(one["spread"] for one in found)}


def trial(runs, percent, group, number):
    """Whether the slower function is found, and whether anything else is taken to differ."""
    numbers = range(number * group, (number + 1) * group)
    _, paths = runs.diff([runs.profile(programs.injected(0), i) for i in numbers],
                         [runs.profile(programs.injected(percent), i) for i in numbers])
    beyond = _beyond(paths)
    return {"found": any(_culprit(path) == programs.INJECTED and path["cost_ns"] > 0
                         for path in beyond),
            "others": any(_culprit(path) != programs.INJECTED for path in beyond)}


def power(runs, percent, group, recordings):
    """The figures of all groups of so many recordings."""
    found = [trial(runs, percent, group, number) for number in range(recordings // group)]
    return {"percent": percent, "group": group, "trials": len(found),
            "found": sum(one["found"] for one in found),
            "others": sum(one["others"] for one in found)}
