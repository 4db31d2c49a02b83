# SPDX-License-Identifier: MIT
"""The arithmetic of the verdicts' bench on results made by hand, as TAP."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

from bench import programs, report, verdicts  # noqa: E402
from tap import check, done_testing  # noqa: E402


def path(function, cost_ns, noise):
    return {"frames": [{"function": "main"}, {"function": function}], "culprit": 1,
            "cost_ns": cost_ns, "noise": noise}


class MadeRuns:
    """Gives one result after the other, and remembers what was compared."""

    def __init__(self, *results):
        self.results, self.compared = list(results), []

    def profile(self, name, number):
        return f"{name}/{number}"

    def diff(self, bases, suspects):
        self.compared.append((bases, suspects))
        header = {"suspect_own_ns": 110, "base_own_ns": 90, "spread": 0.03}
        return header, self.results.pop(0)


def test_equal():
    runs = MadeRuns([path("f", 1, True)], [], [path("f", -1, False), path("g", 1, True)])
    figures = verdicts.equal(runs, "tar", 3)
    check("a saving is a false alarm too, noise is none", (figures["pairs"], figures["alarms"]),
          (3, 1))
    check("the difference is a part of the mean", round(figures["difference"], 6), 0.2)
    check("no run is in two pairs", runs.compared[1:],
          [(["tar/2"], ["tar/3"]), (["tar/4"], ["tar/5"])])


def test_power():
    runs = MadeRuns([path("scale", 1, False)], [path("scale", -1, False)],
                    [path("scale", 1, True), path("load", 1, False)])
    figures = verdicts.power(runs, 20, 3, 10)
    check("only what is slower, and beyond noise, is found",
          (figures["trials"], figures["found"], figures["others"]), (3, 1, 1))
    check("a group is compared with as many", runs.compared[1],
          (["injected0/3", "injected0/4", "injected0/5"],
           ["injected20/3", "injected20/4", "injected20/5"]))


def test_report():
    equal = [{"program": name, "pairs": 25, "alarms": int(name == "sort"), "difference": 0.02,
              "spread": 0.03} for name in programs.TUNED_ON + programs.LOOKED_AT_ONCE]
    power = [{"percent": percent, "group": group, "trials": 10, "found": percent // 5, "others": 0}
             for percent in programs.PERCENTS for group in verdicts.GROUPS]
    text = report.text(equal, power, "Measured.")
    check("pairs are added up", "| all | 300 | 1 (0.3 %) |" in text, True)
    check("those tried once apart", "| tried once | 100 | 1 (1.0 %) |" in text, True)
    check("each part has a row", "| 50 % | 10 of 10 | 10 of 10 | 10 of 10 |" in text, True)
    check("what else differed is told", "Of 120 such comparisons, 0 took" in text, True)


test_equal()
test_power()
test_report()
done_testing()
