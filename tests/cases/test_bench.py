# SPDX-License-Identifier: MIT
"""The arithmetic of the cases' bench on inputs made by hand, as TAP."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

from bench import agent, ranking, report, today  # noqa: E402
from bench.ranking import Truth  # noqa: E402
from tap import check, done_testing  # noqa: E402


def path(rank, functions, hottest, culprit=None, calls=1):
    """Functions as NAME@MODULE, root first; the index of the hottest."""
    frames = []
    for index, text in enumerate(functions.split()):
        name, module = text.split("@")
        frames.append({"function": name, "module": module, "count": calls,
                       "rank": 1 if index == hottest else index + 2})
    return {"rank": rank, "culprit": culprit, "frames": frames}


def figures(got, *names):
    return tuple(got[name] for name in names)


def test_agent():
    def opens(name):
        return agent.to_open((HERE.parent / "unit/render" / name).read_text())
    check("an assistant opens the culprit of the first row", opens("brief-comparison-80.txt"),
          "ngx_http_gzip_body_filter")
    check("also where nothing is below it", opens("brief-changes-80.txt"), "moved")
    check("without a culprit the last function, which notes follow", agent.to_open(
        " 1  +300 ms  100 ms\n      nginx: main › … › store(int)\n        › read\n"
        "      starts gzip 1 200 times\n\n"), "read")
    check("of a process alone that", agent.to_open(" 1  +3 s  0 s\n      nginx: main\n"), "main")
    check("nothing where there is no row", agent.to_open("No difference beyond chance: 1 s\n"), None)


def test_ranking():
    truth = Truth("^guilty$", "^app$")
    paths = [path(1, "main@app idle@app", 1),
             path(2, "main@app guilty@libc poll@libc", 0),
             path(3, "main@app guilty.part.0@app read@libc", 2, culprit=0),
             path(4, "main@app guilty@app", 1)]
    got = ranking.evaluate(paths, truth)
    check("the first path with the true function in its module counts, clones included",
          figures(got, "p_min", "f_min", "distance"), (3, 1, 1))
    check("the marked frame is the culprit", got["culprit"], "main")
    got = ranking.evaluate([path(1, "main@app guilty@app f@app g@app guilty@app h@app", 2)], truth)
    check("of a recursive function the nearest call counts, and without a culprit the hottest "
          "frame is taken", figures(got, "f_min", "distance"), (1, 1))
    check("a function that is on no path has no place",
          figures(ranking.evaluate(paths[:2], truth), "p_min", "distance"), (None, None))
    got = ranking.characteristics([*paths[:2], path(5, "main@app gone@old", 1, calls=0)])
    check("modules, paths and functions are those that the slow run took",
          figures(got, "modules", "paths", "functions", "length"), (2, 2, 4, 2.5))
    lines = ["syslogd waits for the disk in fprintlog, which calls fsync", "1 500 times, 0 before.", "",
             " #   Δ cost  where", " 1  +1.14 s  fprintlog", "      blocked in fsync",
             "27 smaller entries"]
    check("the first entry is a row, and no line of the sentence",
          ranking.entry_in(lines), "1 +1.14 s fprintlog blocked in fsync")
    lines[4] = "~1  −1.14 s  fprintlog"
    check("also one that is chance, or less", ranking.entry_in(lines),
          "~1 −1.14 s fprintlog blocked in fsync")
    check("one path that is sure or likely is enough",
          ranking.significant([{"noise": True}, {"noise": False}]), True)
    check("noise alone is nothing", ranking.significant([{"noise": True}]), False)


DIFF = """\
# Event 'sched:sched_switch'
#
# Baseline  Delta Abs  Shared Object      Symbol
# ........  .........  .................  ..............
#
   100.00%     +0.00%  [kernel.kallsyms]  [k] __schedule

# Event 'cpu-clock/freq=997/'
#
# Baseline  Delta Abs  Shared Object      Symbol
#
    20.00%    -10.00%  app                [.] main
               +5.00%  app                [.] guilty(int, char)
     1.00%     +1.00%  app                [.] other
"""

REPORT = """\
# Samples: 2K of event 'sched:sched_switch'
# Event count (approx.): 2733
#
# Children      Self  Command  Shared Object      Symbol
    99.78%     0.00%  app      [kernel.kallsyms]  [k] entry_SYSCALL_64_after_hwframe
    90.00%     0.00%  app      app                [.] main
    10.00%     0.00%  app      app                [.] guilty.isra.0
# Samples: 12  of event 'cpu-clock/freq=997/'
    50.00%     0.00%  app      app                [.] main
"""

SCRIPT = """\
app 17  974.77:  raw_syscalls:sys_exit: 
\tffffffff81000130 entry_SYSCALL_64 ([kernel.kallsyms])
\t            1ab7 guilty (/usr/bin/app)
\t            1ab0 main (/usr/bin/app)

app with blanks 17  974.78:      cpu-clock/freq=997/: 
\t            1ab0 main (/usr/bin/app)

"""


def test_today():
    check("perf diff: the line in its event's table",
          today.place_in_tables(DIFF, Truth(r"^guilty\(", "^app$")), 2)
    check("perf report: the same, clones included",
          today.place_in_tables(REPORT, Truth("^guilty$", "^app$")), 3)
    check("the best of the tables counts",
          today.place_in_tables(REPORT, Truth("^main$", "^app$")), 1)
    check("a function that no table shows has no place",
          today.place_in_tables(DIFF, Truth("^absent$", "^app$")), None)
    check("stacks are folded by event, root first", today.folded(SCRIPT),
          {"raw_syscalls:sys_exit": {("main", "guilty", "entry_SYSCALL_64"): 1},
           "cpu-clock/freq=997/": {("main",): 1}})
    base = today.folded(SCRIPT * 3)
    slow = today.folded(SCRIPT * 5 + SCRIPT.replace("guilty", "other") * 4)
    check("folded stacks are ordered by what the slow run has more, event by event",
          today.places_in_difference(base, slow, Truth("^(guilty|main)$", "")),
          {"raw_syscalls:sys_exit": (1, 2), "cpu-clock/freq=997/": (1, 0)})
    check("a stack offers its leaf", today.places_in_difference(base, slow, Truth("^guilty$", "")),
          {"raw_syscalls:sys_exit": (2, 1)})


def case(**values):
    return {"p_min": 1, "f_min": 2, "distance": 0, "noise": False, "base_pairs": [False, False],
            "base_sure": [False, False],
            "today": {"perf diff": None, "perf report": 9, "folded": (2, 5)}, **values}


def test_summary():
    got = dict(report.summary([case(), case(p_min=3, distance=2),
                               case(p_min=None, f_min=None, distance=None, noise=None),
                               case(noise=True, base_pairs=[True, True],
                                    base_sure=[False, True])]))
    check("recordings that other tools were not asked about say nothing of them",
          "a tool of today has it higher" in dict(report.summary([{
              name: value for name, value in case().items() if name != "today"}])), False)
    check("a case without a place is counted among all",
          got["the first path holds the true function"], "2 of 4")
    check("means are over those that have one", got["mean p_min"], "1.67")
    check("a tool is better where its place is", got["a tool of today has it higher"], "3 of 12")
    check("paths within the noise are none", got["that path is sure or likely"], "2 of 4")
    check("pairs of base runs count one by one",
          got["base against base: something is sure or likely"], "2 of 8 pairs")
    check("sure pairs of base runs are counted by themselves",
          got["base against base: something is sure"], "1 of 8 pairs")


def test_halves():
    got = dict(report.half_summary([
        case(told=True, origin=None), case(told=True, distance=4, origin=1),
        case(told=False, distance=4, origin=2, noise=True), case(
            told=False, p_min=None, distance=None, origin=None, noise=None)]))
    check("culprit or origin may be near",
          got["culprit or origin is within one call of it"], "2 of 4")
    check("what the first entry tells is counted", got["the first entry tells the cause"], "2 of 4")
    check("and whether it is first", got["the first path holds the true function"], "3 of 4")


def test_merged():
    old = "\n".join(["# Cases", "old head", "", "## Causes", "", "### One", "old one", "",
                     f"### {report.AGAIN}", "old again", "", "Measured with perf 5."])
    new = "\n".join(["# Cases", "new head", "", "## Causes", "", "### One", "new one", "",
                     "### Two", "new two", "", "Measured with perf 6.", ""])
    got = report.merged(new, old, lambda heading: heading != "")
    check("what was not measured stays, each part in its place", got.split("\n"), [
        "# Cases", "old head", "", "## Causes", "", "### One", "new one", "",
        f"### {report.AGAIN}", "old again", "", "### Two", "new two", "", "Measured with perf 6.",
        ""])


for test in (test_agent, test_ranking, test_today, test_summary, test_halves, test_merged):
    test()
done_testing()
