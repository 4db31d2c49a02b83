# SPDX-License-Identifier: MIT
"""What introperf says of pairs of recordings, as figures."""

import math
import statistics

from bench import programs

# How many runs of each workload are compared with as many of the other.
GROUPS = (1, 3, 5)


def _called(paths, *verdicts):
    return [path for path in paths if path["verdict"] in verdicts]


def _functions(path):
    return [frame["function"].split(".")[0] for frame in path["frames"]]


def _words(paths):
    """Of some paths: whether one is sure, and whether one is sure or likely."""
    return {"sure": bool(_called(paths, "sure")),
            "likely": bool(_called(paths, "sure", "likely"))}


def _sums(found):
    """How many of the comparisons have each of the words."""
    keys = found[0].keys() if found else ()
    return {"trials": len(found), **{key: sum(one[key] for one in found) for key in keys}}


# ---- Runs that did the same ----

def pair(runs, name, number):
    """Of the runs of a program with this number and the next one."""
    header, paths = runs.diff([runs.profile(name, number)], [runs.profile(name, number + 1)])
    suspect, base = (header[f"{side}_own_ns"] - header[f"{side}_runnable_ns"]
                     for side in ("suspect", "base"))
    return {**_words(paths), "whole": header["own_verdict"] == "sure",
            "difference": abs(suspect - base) / ((suspect + base) / 2)}


def equal(runs, name):
    """The figures of all pairs of a program: each run with the next one."""
    found = [pair(runs, name, number) for number in range(runs.count(name) - 1)]
    difference = statistics.median(one.pop("difference") for one in found) if found else 0
    return {"program": name, "difference": difference,
            "sure": 0, "likely": 0, "whole": 0, **_sums(found)}


# ---- A slower function ----

def _compared(runs, base, suspect, group, number):
    """The paths, and the logarithm of the machine's slowness in the suspect against the base."""
    numbers = range(number * group, (number + 1) * group)
    header, paths = runs.diff([runs.profile(base, i) for i in numbers],
                              [runs.profile(suspect, i) for i in numbers])
    return paths, math.log(header.get("machine_ratio", 1))


def trial(paths, is_meant):
    """Whether what is meant is found to be slower, and whether anything else differs that does not
    wait for it."""
    meant = [path for path in paths if is_meant(path)]
    others = _words([path for path in paths if not is_meant(path) and not path.get("waits_for")])
    return {**_words([path for path in meant if path["score"] > 0]),
            "others_sure": others["sure"], "others_likely": others["likely"]}


def _trials(runs, base, suspect, group, is_meant):
    count = min(runs.count(base), runs.count(suspect)) // group
    found = []
    for number in range(count):
        paths, speed = _compared(runs, base, suspect, group, number)
        found.append({**trial(paths, is_meant), "speed": speed})
    return {"compared": found, **_sums([{key: value for key, value in one.items() if key != "speed"}
                                        for one in found])}


def power(runs, percent, group):
    """The figures of all groups of runs of injected.c, of which one is slower by so many percent."""
    return {"percent": percent, "group": group,
            **_trials(runs, programs.injected(0), programs.injected(percent), group,
                      lambda path: programs.INJECTED in _functions(path))}


def slower(runs, name, percent, group):
    """The same of a program of slowed.c or slower.c: a path goes through the function, or lies below
    it."""
    return {"program": name, "percent": percent, "group": group,
            **_trials(runs, programs.slowed(name, 0), programs.slowed(name, percent), group,
                      lambda path: programs.ANSWER in _functions(path))}


def waiting(runs, name, pieces):
    """The same of a program that waits in so many pieces, by one run of each."""
    return {"program": name, "pieces": pieces,
            **_trials(runs, programs.slowed(name, 0), programs.slowed(name, 0, pieces), 1,
                      lambda path: programs.WAITING in _functions(path))}
