# SPDX-License-Identifier: MIT
"""The arithmetic of the verdicts' bench on results made by hand, as TAP."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

from bench import programs, report, verdicts  # noqa: E402
from tap import check, done_testing  # noqa: E402


def path(function, score, verdict, **more):
    return {"frames": [{"function": "main"}, {"function": function}], "culprit": 1,
            "score": score, "verdict": verdict, **more}


class MadeRuns:
    """Gives one result after the other, and remembers what was compared."""

    def __init__(self, *results):
        self.results, self.compared = list(results), []

    def count(self, name):
        return 4

    def profile(self, name, number):
        return f"{name}/{number}"

    def diff(self, bases, suspects):
        self.compared.append((bases, suspects))
        header = {"suspect_own_ns": 170, "suspect_runnable_ns": 60, "base_own_ns": 110,
                  "base_runnable_ns": 20, "own_verdict": "sure", "machine_ratio": 1.2}
        return header, self.results.pop(0)


def test_equal():
    runs = MadeRuns([path("f", 1, "chance")], [path("f", 3, "likely")],
                    [path("f", -9, "sure"), path("g", 1, "chance")])
    figures = verdicts.equal(runs, "tar")
    check("a saving is a false alarm too, chance is none",
          (figures["trials"], figures["sure"], figures["likely"], figures["whole"]), (3, 1, 2, 3))
    check("the difference is a part of the mean", round(figures["difference"], 6), 0.2)
    check("each run is compared with the next", runs.compared[:2],
          [(["tar/0"], ["tar/1"]), (["tar/1"], ["tar/2"])])


def test_power():
    runs = MadeRuns([path("scale", 9, "sure")], [path("scale", -9, "sure")],
                    [path("scale", 1, "chance"), path("load", 3, "likely")],
                    [path("scale", 3, "likely"), path("main", 9, "sure", waits_for=1)])
    figures = verdicts.power(runs, 20, 1)
    check("only what is slower is found", (figures["sure"], figures["likely"]), (1, 2))
    check("what waits for it is none of the others",
          (figures["others_sure"], figures["others_likely"]), (0, 1))
    runs = MadeRuns([path("scale", 9, "sure")])
    figures = verdicts.power(runs, 20, 3)
    check("the machine's speed is remembered", round(figures["compared"][0]["speed"], 4), 0.1823)
    check("a group is compared with as many", (figures["trials"], runs.compared[0]),
          (1, (["injected0/0", "injected0/1", "injected0/2"],
               ["injected20/0", "injected20/1", "injected20/2"])))


def test_paths():
    below = {"frames": [{"function": "main"}, {"function": "answer"},
                        {"function": "compute.constprop.0"}], "culprit": 2, "score": 9,
             "verdict": "sure"}
    runs = MadeRuns([below], [path("walk", 9, "sure")], [path("look_up", 9, "sure")], [])
    check("what lies below the function is found",
          verdicts.slower(runs, "sort", 10, 2)["sure"], 1)
    check("the wait is", verdicts.waiting(MadeRuns(*[[path("look_up", 9, "sure")]] * 4), "sort",
                                          2)["sure"], 4)


def counts(**more):
    compared = [{"speed": 0.02, "sure": False, "likely": True},
                {"speed": -0.07, "sure": True, "likely": True}]
    return {"trials": 10, "sure": 1, "likely": 2, "others_sure": 0, "others_likely": 1,
            "compared": compared, **more}


def test_report():
    equal = {"sure": 0, "likely": 1, "whole": 0, "difference": 0.02, "trials": 20}
    figures = {
        "tuned": [{"program": name, **equal} for name in
                  (*programs.TUNED_ON, *(programs.slowed(name, 0) for name in programs.SLOWED))],
        "once": [{"program": name, **equal} for name in
                 (*programs.LOOKED_AT_ONCE, *(programs.slowed(name, 0) for name in programs.SLOWER))],
        "power": [counts(percent=percent, group=group) for percent in programs.PERCENTS
                  for group in verdicts.GROUPS],
        "slowed": [counts(program=name, percent=50, group=1) for name in programs.SLOWED],
        "slower": [counts(program=name, percent=percent, group=group)
                   for percent, group in programs.SLOWED_BY for name in programs.SLOWER],
        "waiting": [counts(program=name, pieces=pieces) for pieces in programs.PIECES
                    for name in programs.SLOWER],
    }
    text = report.text(figures, "Measured.")
    check("pairs are added up", "| **looked at once** | 400 | 0 (0.0 %) | 20 (5.0 %) |" in text, True)
    check("those chosen with apart", "| **constants chosen with these** | 1040 |" in text, True)
    check("each part has a row", "| 50 % | 1 (2) of 10 | 1 (2) of 10 | 1 (2) of 10 |" in text, True)
    check("programs are added up", "| **all** | 10 (20) of 100 |" in text, True)
    check("what else differed is told",
          "In 0 of these 300 comparisons there was another entry that was sure" in text, True)
    check("comparisons are told by the machine's speed",
          "| up to 3 % | 10 | 0 | 10 |" in text and "| up to 12 % | 10 | 10 | 10 |" in text, True)
    check("the model comes first", text.index("## The model") < text.index("## Runs that"), True)


test_equal()
test_power()
test_paths()
test_report()
done_testing()
