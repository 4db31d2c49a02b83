# SPDX-License-Identifier: MIT
"""The matcher and the figures of the accuracy bench on cases made by hand, as TAP."""

import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

from bench import (causes, elf, graph, hooks, metrics, own, paper, recording, thin,  # noqa: E402
                   truth, weight)
from bench.calls import Calls, Contexts, Instances, TrueCalls  # noqa: E402
from bench.match import count_points, link  # noqa: E402
from names import plain_name  # noqa: E402
from tap import check, done_testing  # noqa: E402

def true_calls(*rows):
    """Rows: thread, context, begin, end."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return TrueCalls(*table, open=np.zeros(len(table[0]), dtype=bool))


def instances(*rows):
    """Rows: thread, context, first sight, last sight, and maybe upper - lower bound."""
    table = np.array([(*row, 0)[:5] for row in rows], dtype=np.int64).reshape(-1, 5).T
    length = table[3] - table[2]
    return Instances(*table[:4], latency=length, conservative=length, aggressive=length + table[4],
                     lower=length, upper=length + table[4], flags=np.zeros_like(length),
                     max_calls=np.ones_like(length))


def points(*rows):
    """Rows: thread, context, time."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Calls(*table, end=table[2])


def pairs(links):
    return list(zip(links.call.tolist(), links.instance.tolist()))


def test_links():
    calls = true_calls((1, 1, 100, 200), (1, 1, 300, 400), (1, 1, 500, 600))
    links = link(calls, instances((1, 1, 110, 190), (1, 1, 310, 310), (1, 1, 501, 599)))
    check("an instance seen inside each call is linked to that call alone", pairs(links),
          [(0, 0), (1, 1), (2, 2)])
    links = link(calls, instances((1, 1, 150, 550)))
    check("an instance from the first call to the third is linked to all three", pairs(links),
          [(0, 0), (1, 0), (2, 0)])
    check("and counts as two wrong merges", int(np.maximum(links.of_instance - 1, 0).sum()), 2)
    links = link(calls, instances((1, 1, 110, 130), (1, 1, 140, 190), (1, 1, 310, 320)))
    check("two instances in one call are one wrong split",
          (pairs(links), links.of_call.tolist()), ([(0, 0), (0, 1), (1, 2)], [2, 1, 0]))
    check("the longer of them represents the call", links.representative.tolist(), [1, 2, -1])
    links = link(calls, instances((1, 1, 110, 120), (1, 1, 140, 150)))
    check("of equally long ones the earlier does", links.representative.tolist(), [0, -1, -1])
    links = link(calls, instances((1, 1, 150, 320), (1, 1, 350, 390)))
    check("a call that is merged and split has both links",
          (pairs(links), links.representative.tolist()), ([(0, 0), (1, 0), (1, 1)], [0, 1, -1]))
    links = link(calls, instances((2, 1, 110, 190), (1, 2, 110, 190)))
    check("other threads and other contexts are not linked", pairs(links), [])
    links = link(calls, instances((1, 1, 210, 290)))
    check("an instance between two calls is linked to none",
          (pairs(links), links.of_instance.tolist()), ([], [0]))
    links = link(calls, instances((1, 1, 230, 240)), tolerance_ns=40)
    check("unless one of them is within the tolerance", pairs(links), [(0, 0)])
    links = link(calls, instances((1, 1, 205, 330)), tolerance_ns=40)
    check("an instance that meets a call needs no tolerance for another", pairs(links), [(1, 0)])
    links = link(true_calls(), instances((1, 1, 5, 6)))
    check("without calls every instance is invented", links.of_instance.tolist(), [0])
    links = link(calls, instances())
    check("without instances every call is missed", links.representative.tolist(), [-1, -1, -1])
    check("points are counted in the call that they lie in, edges included",
          count_points(calls, points((1, 1, 100), (1, 1, 200), (1, 1, 250), (1, 2, 350))).tolist(),
          [2, 0, 0])


def test_figures():
    # Latencies 100, 100, 200; the first is inferred as 80, the others as one of 420.
    calls = true_calls((1, 1, 100, 200), (1, 1, 300, 400), (1, 1, 500, 700))
    inferred = instances((1, 1, 110, 190, 30), (1, 1, 300, 690, 5))
    links = link(calls, inferred)
    observed = metrics.Observed(events=np.array([2, 1, 1]), seen=np.array([2, 1, 1]))
    error = metrics.relative_errors(calls, inferred, links)
    check("errors are relative to the true latency", error.tolist(), [0.2, 2.9, 0.95])
    covered = metrics.covered_calls(calls, inferred, links, observed)
    figures = metrics.call_figures(np.ones(3, dtype=bool), calls, inferred, links, observed,
                                   {"latency": error}, covered)
    check("one of the three is one to one, all are covered",
          (figures["one_to_one"], figures["covered"]), (1 / 3, 1.0))
    check("the median error is that of the middle one", figures["errors"]["latency"][0], 0.95)
    holds, width = metrics.bounds_figures(calls, inferred, links.representative)
    check("bounds 80 to 110 hold 100 within the tracer's tolerance",
          (bool(holds[0]), float(width[0])), (True, 0.3))
    check("what became of them", {k: v for k, v in causes.fates(
        np.ones(3, dtype=bool), calls, inferred, links, observed, error).items() if v},
        {"within 25 %": 1, "merged by the rule": 2})
    unseen = metrics.Observed(events=np.array([2, 0, 1]), seen=np.array([2, 0, 1]))
    check("merged with a call that no stack shows", {k: v for k, v in causes.fates(
        np.ones(3, dtype=bool), calls, inferred, links, unseen, error).items() if v},
        {"within 25 %": 1, "merged with unseen": 2})
    over = instances((1, 1, 150, 600))
    check("an instance that goes over a call without a sight does not cover it",
          metrics.covered_calls(calls, over, link(calls, over), unseen).tolist(),
          [True, False, True])
    check("the slowest half of three are two",
          metrics.slowest(np.array([5, 9, 7]), 0.5).tolist(), [False, True, True])
    contexts = Contexts()
    outer = contexts.child(0, "f")
    inner = contexts.child(outer, "g")
    sums = metrics.sum_up(np.array([outer, inner, inner]), np.array([100.0, 30.0, 20.0]), contexts)
    check("own time is without the contexts below", sums.own[[outer, inner]].tolist(), [50.0, 50.0])


def sights_of(*rows):
    """Rows: thread, context, time, function, address below, function below."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 6).T
    frames = Calls(table[0], table[1], table[2], table[2])
    return SimpleNamespace(frames=frames, function=table[3], below=table[4], through=table[5])


def test_causes():
    contexts = Contexts()
    f = contexts.child(0, "f")
    g = contexts.child(f, "g")
    # f calls g twice, and is called again and calls it once.
    calls = true_calls((1, f, 0, 500), (1, f, 600, 900), (1, g, 100, 200), (1, g, 300, 400),
                       (1, g, 700, 800))
    check("callers are found by time", causes.caller_rows(calls, contexts).tolist(),
          [-1, -1, 0, 0, 1])
    merged = instances((1, g, 110, 750))
    links = link(calls, merged)
    seen = np.array([0, 0, 1, 1, 1])
    observed = metrics.Observed(events=seen, seen=seen)

    def merges(second_address):
        index = causes.index_sights(calls, sights_of(
            (1, g, 150, 7, 0x10, 3), (1, g, 350, 7, second_address, 3), (1, g, 750, 7, 0x10, 3)))
        counts, _ = causes.merges(calls, links, causes.caller_rows(calls, contexts), observed,
                                  index)
        return {name: n for name, n in counts.items() if n}

    check("calls from one place in a loop, and from two calls of the caller", merges(0x10),
          {"same place": 1, "inherited": 1})
    check("calls from two places", merges(0x20), {"other place": 1, "inherited": 1})
    observed.seen[3] = 0
    check("calls that no stack shows are no rule's fault", merges(0x20), {"unseen": 2})

    def splits(function, seen, second=(1, f, 400, 440)):
        parts = instances((1, f, 10, 90), second)
        one = true_calls((1, f, 0, 500))
        index = causes.index_sights(one, sights_of((1, f, 50, 5, 0x10, 3),
                                                   (1, f, 420, function, 0x10, 3)))
        counts, _ = causes.splits(one, parts, link(one, parts),
                                  causes.caller_rows(parts, contexts),
                                  metrics.Observed(events=np.array([2]), seen=np.array([seen])),
                                  index)
        return {name: n for name, n in counts.items() if n}

    check("a split of one call whose stacks agree", splits(5, 2), {"same place": 1})
    check("a split at a stack that lacks the call", splits(5, 1), {"broken": 1})
    check("a split between two parts of a function", splits(6, 2), {"other name": 1})


def test_truth():
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "task.txt").write_text(
            'SESS timestamp=0.000000010 pid=7 sid=aa exename="/p"\n'
            "TASK timestamp=0.000000020 tid=7 pid=7\n")
        (directory / "sid-aa.map").write_text("1000-2000 r-xp 00000000 00:00 0   /p\n")

        def write(tid, records):
            (directory / f"{tid}.dat").write_bytes(b"".join(
                struct.pack("<QQ", time, kind | 5 << 3 | depth << 6 | address << 16)
                for time, kind, depth, address in records))

        write(7, [(100, 0, 0, 0x1100), (110, 0, 1, 0x1200), (120, 0, 2, 0x1300),
                  (130, 1, 2, 0x1300), (140, 1, 1, 0x1200), (150, 0, 1, 0x1300),
                  (160, 1, 1, 0x1300), (170, 0, 1, 0x1300)])
        names = {0x100: "main", 0x200: None, 0x300: "g"}
        contexts = Contexts()
        program = SimpleNamespace(function_at=names.get)
        exact = truth.read_truth(directory, {"/p": program}, {}, contexts)
        calls = exact.calls
        check("calls of functions that no stack can show are left out of contexts",
              [(contexts.text(c), b, e) for c, b, e in
               zip(calls.context.tolist(), calls.begin.tolist(), calls.end.tolist())],
              [("main", 100, 170), ("main > g", 120, 130), ("main > g", 150, 160),
               ("main > g", 170, 170)])
        check("calls without an exit are open", calls.open.tolist(), [True, False, False, True])
        with open(directory / "task.txt", "a") as tasks:
            tasks.write("FORK timestamp=0.000000145 pid=8 ppid=7\n")
        write(8, [(140, 1, 2, 0x1300), (146, 1, 1, 0x1200), (150, 0, 1, 0x1300)])
        contexts = Contexts()
        calls = truth.read_truth(directory, {"/p": program}, {8: (7, 125)}, contexts).calls
        check("a forked process begins with the calls of its parent, open ones",
              [(contexts.text(c), b, e, o) for t, c, b, e, o in
               zip(*(column.tolist() for column in (calls.thread, calls.context, calls.begin,
                                                    calls.end, calls.open))) if t == 8],
              [("main", 125, 150, True), ("main > g", 125, 140, True),
               ("main > g", 150, 150, True)])


def test_hooks():
    calls = true_calls((1, 1, 1000, 2000), (1, 1, 3000, 4000))
    stacks = SimpleNamespace(names={5: (graph.HOOK_ENTER, "", 0), 6: (graph.HOOK_EXIT, "", 0),
                                    7: ("callee", "", 0), 8: ("schedule", "", 1)})

    def widened(time, above):
        frames = points((1, 1, time))
        wide = hooks.widen(calls, stacks, SimpleNamespace(frames=frames, above=np.array([above])))
        return list(zip(wide.begin.tolist(), wide.end.tolist()))

    check("a function under its entry hook is there before the trace says so", widened(2900, 5),
          [(1000, 2000), (2900, 4000)])
    check("and after its end under its exit hook", widened(2100, 6), [(1000, 2100), (3000, 4000)])
    check("a function under something else is no news", widened(2900, 7),
          [(1000, 2000), (3000, 4000)])
    check("a function that is preempted before its hook is there already", widened(2900, 8),
          [(1000, 2000), (2900, 4000)])
    check("and behind its hook still", widened(2100, 8), [(1000, 2100), (3000, 4000)])
    check("neither is a hook inside the call", widened(3000, 5), [(1000, 2000), (3000, 4000)])
    check("nor one behind the last call", widened(4100, 5), [(1000, 2000), (3000, 4000)])


def covered_run(shares, default, shown, syscalls=20):
    """A run of 1000 calls with these shares of contexts, slow contexts, calls and slow calls, in all
    event sets, with the paper's rule and the default one, and on the stacks."""
    def mode(values):
        return {"contexts": {"covered": values[0], "slow_covered": values[1]},
                "all": {"covered": values[2]}, "slow": {"covered": values[3]}}

    seen = dict(zip(("contexts", "slow_contexts", "calls", "slow_calls"), shown))
    figures = {"events": 2 * syscalls, "seen": seen,
               "modes": {"function": mode(shares), "control-flow": mode(default)}}
    return {"calls": 1000, "sets": {name: figures for name in paper.SETS.values()}}


def stack_events(*rows):
    """Rows: kind, argument, thread, time, complete, functions from the root."""
    lengths = [len(row[5]) for row in rows]
    columns = [np.array([row[i] for row in rows]) for i in range(5)]
    columns[0] = np.array([graph.KINDS.index(row[0]) for row in rows])
    columns[4] = columns[4] != 0
    functions = np.array([f for row in rows for f in row[5]], dtype=np.int64)
    return graph.Stacks(*columns, first=np.append(0, np.cumsum(lengths)), functions=functions,
                        addresses=np.zeros(len(functions), dtype=np.uint64),
                        names={1: ("f", "p", 0), 2: ("g", "p", 0),
                               3: ("mcount_entry", "libmcount.so", 0), 4: ("memcpy", "libc", 0)})


def test_own_cpu():
    switches = stack_events(
        ("switch-out", 0, 1, 100, 0, ()), ("switch-in", 0, 2, 120, 0, ()),
        ("switch-in", 0, 1, 150, 0, ()), ("switch-out", 0, 2, 160, 0, ()),
        ("switch-out", 0, 1, 300, 0, ()), ("switch-in", 0, 1, 400, 0, ()),
        ("exec", 0, 1, 500, 0, ()))
    clock = own.CpuClock(switches)

    def between(thread, begin, end):
        times = clock.at(np.array([thread, thread]), np.array([begin, end]))
        return int(times[1] - times[0])

    check("CPU time is without what lies between a switch out and the next one in",
          [between(1, 0, 90), between(1, 90, 120), between(1, 90, 200), between(1, 110, 500)],
          [90, 10, 60, 250])
    check("a thread runs from its first switch in to its last one out", between(2, 0, 1000), 40)
    check("a thread without switches runs all the time", between(3, 0, 1000), 1000)

    contexts = Contexts()
    f = contexts.child(0, "f")
    g = contexts.child(f, "g")
    calls = TrueCalls(*np.array([(1, f, 0, 600), (1, g, 90, 200)]).T, open=np.array([True, False]))
    check("what the parent's calls last in a child of vfork ends when it begins its program",
          own.traced(calls, switches, contexts).tolist(), [-350.0, 290.0, 60.0])
    weight_of = own.weigh(SimpleNamespace(hooks_inside=np.array([f, g, g]),
                                          hooks_outside=np.array([0, f, g])),
                          weight.Weight(20, 30), len(contexts))
    check("a call's hooks weigh in it and in its caller", weight_of.tolist(), [30, 50, 70])

    ticks = stack_events(
        ("sample", 10, 1, 1, 1, (1, 2)), ("sample", 20, 1, 2, 1, (1, 2, 4)),
        ("sample", 10, 1, 3, 1, (1,)), ("sample", 10, 1, 4, 1, (1, 2, 3)),
        ("sample", 10, 1, 5, 0, (1, 2)), ("enter", 0, 1, 6, 1, (1, 2)))
    found, weights = own.sampled(ticks, metrics.sights(ticks, {1: "f", 2: "g"}, contexts))
    check("samples count for their innermost known function, unless they are broken or in a hook",
          list(zip(found.tolist(), weights.tolist())), [(g, 10), (g, 20), (f, 10)])
    check("samples in hooks are counted", own.ticks_in_hooks(ticks), 0.2)
    more = stack_events(("sample", 10, 1, 1, 1, (1, 2, 3)), ("sample", 10, 1, 2, 1, (1, 3)),
                        ("sample", 10, 1, 3, 1, (1,)))
    check("contexts with more of the tracer than of the program are known",
          own.mostly_tracer(more, metrics.sights(more, {1: "f", 2: "g"}, contexts),
                            len(contexts)).tolist(), [False, False, True])

    h, i = contexts.child(f, "h"), contexts.child(f, "i")
    figures, truth_share, _ = own.compare(
        np.array([0.0, 340.0, 100.0, 60.0, 90.0]), np.array([0.0, 40.0, 0.0, 50.0, 0.0]),
        np.arange(len(contexts)) == i, {"ours": np.array([7.0, 2.0, 2.0, 100.0, 5.0])}, contexts)
    check("shares are those of what is left without hooks", truth_share.tolist(),
          [0, 0.75, 0.25, 0, 0])
    check("contexts that are mostly hooks or the tracer are left out and told",
          (figures["left_out"], figures["holding"]), ([contexts.text(i), contexts.text(h)], 2))
    check("one sample of two equal contexts is expected to be half off",
          round(own.expected_distance(np.array([0, 0.5, 0.5]), 1), 12), 0.5)
    check("four are 3/16 off", round(own.expected_distance(np.array([0.5, 0.5]), 4), 12), 0.1875)
    check("errors and the distance are those of shares",
          (figures["ours"]["error"][0], figures["ours"]["distance"]), ((1 / 3 + 1) / 2, 0.25))


SHORT_AND_LONG = r"""
#include <stdio.h>
#define QUIET __attribute__((no_instrument_function))
static const char *open_calls[8];
static int depth;
void plain(void);
void tiny(void);
QUIET static const char *name(void *function)
{
	return function == (void *)plain ? "plain" : function == (void *)tiny ? "tiny" : "other";
}
QUIET __attribute__((noinline)) void __cyg_profile_func_enter(void *function, void *site)
{
	open_calls[depth++] = name(function);
	(void)site;
}
QUIET __attribute__((noinline)) void __cyg_profile_func_exit(void *function, void *site)
{
	depth--;
	printf("%s%s ", open_calls[depth], open_calls[depth] == name(function) ? "" : "?");
	(void)site;
}
static inline __attribute__((always_inline)) int inlined(int n) { return n * 7; }
__attribute__((noinline)) void tiny(void) { __asm__ volatile(""); }
__attribute__((noinline)) void plain(void) { tiny(); printf("[%d] ", inlined(depth)); tiny(); }
QUIET int main(void) { plain(); tiny(); puts(""); return 0; }
"""


def test_thin():
    contexts = Contexts()
    f = contexts.child(0, "f")
    g, h = contexts.child(f, "g"), contexts.child(f, "h")
    calls = TrueCalls(*np.array([(1, f, 0, 1), *[(1, g, 0, 1)] * 10, (1, h, 0, 1)]).T,
                      open=np.zeros(12, dtype=bool))
    spent = np.array([0.0, 1.0, 1000.0, 999.0])
    check("functions keep their hooks while these weigh a twentieth of the time",
          thin.long_functions(spent, calls, contexts, weight.Weight(3, 5)), {"f", "g", "h"})
    check("those with the longest calls first, whatever they are together",
          thin.long_functions(spent, calls, contexts, weight.Weight(4, 6)), {"f", "h"})
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "hooked"
        subprocess.run(["gcc", "-O2", "-g", "-finstrument-functions",
                        "-fno-optimize-sibling-calls", "-x", "c", "-", "-o", path],
                       input=SHORT_AND_LONG, check=True, text=True)

        def hooks_of(program):
            return subprocess.run([program], check=True, capture_output=True, text=True).stdout

        program = elf.Program(path)
        check("with all hooks every call is there, those of inlined functions, too",
              hooks_of(path), "tiny other [7] tiny plain tiny \n")
        check("without those of short functions and of inlined ones, the others are",
              hooks_of(thin.write(program, {"plain"})), "[7] plain \n")
        check("the program itself is as it was", hooks_of(path),
              "tiny other [7] tiny plain tiny \n")


def test_counts():
    contexts = [1, 1, 1, 2, 2, 3, 3]
    calls = instances(*((1, context, 100 * i, 100 * i + 50) for i, context in enumerate(contexts)))
    calls.flags[:] = [metrics.SHOWS] * 3 + [metrics.SHOWS, 0] + [metrics.COUNTED, metrics.PART]
    calls.max_calls[0] = 4
    check("the number of calls is known where each instance says so, without parts of calls",
          [column.tolist() for column in metrics.count_bounds(calls, (0, 0), 4)],
          [[0, 3, 2, 1], [np.inf, 6, np.inf, 1]])
    check("lost events may hide calls of all, broken stacks those that stacks show",
          metrics.count_bounds(calls, (5, 7), 4)[1].tolist(), [np.inf, 18, np.inf, 6])
    calls.flags[1] |= metrics.LOST
    check("a call that a loss ended may be one, and is none seen",
          [column.tolist()[1] for column in metrics.count_bounds(calls, (0, 0), 4)], [2, 6])


def test_weight():
    with tempfile.TemporaryDirectory() as directory:
        records, time = [(0, 0, 0)], 10
        for inside in (20, 20, 26, 5000):
            records += [(time, 0, 1), (time + inside, 1, 1)]
            time += inside + 40
        (Path(directory) / "7.dat").write_bytes(b"".join(
            struct.pack("<QQ", time, kind | depth << 6) for time, kind, depth in records))
        hook = weight.measure(Path(directory))
        check("a hook weighs what calls of nothing and the time between them last, "
              "interrupted ones left out", (hook.inside, hook.outside), (22.0, 40.0))


def test_paper():
    apache = paper.TABLE[0]
    check("a figure is held against the rounded limits of the paper's range",
          [paper.side(value, (18.7, 19.3)) for value in (0.1864, 0.1866, 0.1934, 0.1936)],
          ["below", "within", "within", "above"])
    check("every figure of the paper has its counterpart",
          [[len(column) for column in row.coverage] for row in paper.TABLE],
          [[len(paper.SETS)] * len(paper.COLUMNS)] * len(paper.TABLE))
    result = paper.compare(covered_run((0.1, 0.99, 0.05, 0.5), (0.2, 0.99, 0.04, 0.5),
                                       (0.1, 1, 0.05, 0.5)), apache, "control-flow")
    check("figures of the paper's rule are put below, within or above the paper's",
          {name: len(figures) for name, figures in result.sides["function"].items()},
          {"below": 3, "within": 7, "above": 2})
    check("what is below and covers all that the stacks show is told",
          result.limited_by_stacks, [("contexts, all", name) for name in paper.SETS])
    check("the default rule is held against the paper's",
          (len(result.more), len(result.same), len(result.less)), (3, 6, 3))
    check("system calls per call are held against the paper's rate", result.rate, "within")


def test_recording():
    check("a timer that is slower by two has every second sample of each thread",
          recording.every(2, np.array([1, 1, 2, 1, 2, 1])).tolist(),
          [True, False, True, True, False, False])
    check("clones and parts have the name of their function",
          [plain_name(n) for n in ("f", "f.cold", "f.constprop.0", "f.isra.0.cold", "f.part.3")],
          ["f"] * 5)


for test in (test_links, test_figures, test_causes, test_truth, test_hooks, test_own_cpu,
             test_thin, test_counts, test_weight, test_paper, test_recording):
    test()
done_testing()
