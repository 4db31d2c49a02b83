# SPDX-License-Identifier: MIT
"""What units are held against, on cases made by hand, as TAP."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

import follow  # noqa: E402
import kernel  # noqa: E402
import kinds  # noqa: E402
import times  # noqa: E402
from chains import Fault  # noqa: E402
from client import Ask, Request, order  # noqa: E402
from names import without_directories  # noqa: E402
from recording import text_of_error, threads_below  # noqa: E402
from tap import check, done_testing  # noqa: E402

CLIENT, LISTENER, WORKER, OTHER, CLIENT_PORT = 10, 20, 21, 30, 4711
ACCEPTS, SETS, POLLS = kernel.ACCEPT | kernel.WAIT, kernel.SET | kernel.WAIT, kernel.WAIT


def events_of(rows, process_of=None):
    return kernel.Events.of_rows([kernel.Event(*row) for row in rows], process_of)


def truth_of(*rows, process_of=None):
    """Rows: thread, time, kind, `a`, `b`. The client asks at 100 and is back at 900."""
    events = events_of(rows, process_of)
    request = Request("all", 0, CLIENT, CLIENT_PORT, 100, 900)
    threads = {LISTENER, WORKER} | events.servers()
    accepted = events.accepted({CLIENT}, threads).get(CLIENT_PORT)
    return kernel.begin_of(events, request, threads, accepted), kernel.end_of(events, request, threads)[0]


def test_kernel():
    asleep = [(CLIENT, 120, "wakes", LISTENER), (LISTENER, 150, "runs")]
    answer = [(WORKER, 700, "answered", CLIENT_PORT)]
    check("a request begins when the thread that it woke runs, in the thread that reads it, until the answer arrives",
          truth_of(*asleep, (WORKER, 300, "reads", CLIENT_PORT), *answer), ((150, WORKER), 700))
    check("a thread that someone else woke does not begin it",
          truth_of((OTHER, 120, "wakes", LISTENER), *asleep[1:],
                   (WORKER, 300, "reads", CLIENT_PORT), *answer), ((300, WORKER), 700))
    check("nor does one of another program that the client woke",
          truth_of((CLIENT, 120, "wakes", OTHER), (OTHER, 150, "runs"),
                   (WORKER, 300, "reads", CLIENT_PORT), *answer), ((300, WORKER), 700))
    check("to a server that was busy it is known when the wait returns that tells of it",
          truth_of((WORKER, 250, "returns", SETS, 1), (WORKER, 300, "reads", CLIENT_PORT), *answer),
          ((250, WORKER), 700))
    check("of several that return it is the latest: the thread would not have waited again",
          truth_of((WORKER, 210, "returns", SETS, 1), (WORKER, 250, "returns", SETS, 1),
                   (WORKER, 300, "reads", CLIENT_PORT), *answer), ((250, WORKER), 700))
    check("but not before another connection was read",
          truth_of((WORKER, 250, "returns", SETS, 2), (WORKER, 280, "reads", 4712),
                   (WORKER, 300, "reads", CLIENT_PORT), *answer), ((300, WORKER), 700))
    opened = [(CLIENT, 110, "connects", CLIENT_PORT)]
    accept = [(CLIENT, 105, "wakes", LISTENER), (LISTENER, 200, "returns", POLLS, 1),
              (LISTENER, 210, "returns", ACCEPTS, 5)]
    check("a connection that a busy server accepts begins when the wait returns that tells of it",
          truth_of(*opened, *accept, (WORKER, 300, "reads", CLIENT_PORT), *answer), ((200, WORKER), 700))
    check("connections are accepted in the order in which they are there",
          truth_of((CLIENT, 90, "connects", 4700), *opened, *accept,
                   (LISTENER, 400, "returns", ACCEPTS, 6), (WORKER, 500, "reads", CLIENT_PORT), *answer),
          ((400, WORKER), 700))
    busy = [(CLIENT, 20, "wakes", LISTENER), (LISTENER, 50, "sleeps"), (LISTENER, 60, "runs"), (LISTENER, 70, "returns", ACCEPTS, 5), *opened,
            (LISTENER, 150, "returns", POLLS, 1), (LISTENER, 200, "enters", ACCEPTS, 3)]
    check("an accept that has slept before is the wait that tells, though it does not now",
          truth_of((LISTENER, 10, "enters", ACCEPTS, 3), *busy, (LISTENER, 210, "returns", ACCEPTS, 6), *answer),
          ((210, LISTENER), 700))
    check("one before which its thread has slept has not",
          truth_of(*busy[:3], (LISTENER, 65, "enters", ACCEPTS, 3), *busy[3:], (LISTENER, 210, "returns", ACCEPTS, 6),
                   *answer), ((150, LISTENER), 700))
    reads = [(WORKER, 300, "enters", kernel.READ, 5), (WORKER, 340, "reads", CLIENT_PORT), *answer]
    check("what is there before it is read begins with the call that reads it", truth_of(*reads), ((300, WORKER), 700))
    check("or when its thread runs again that has slept in it, rather than been preempted",
          (truth_of(reads[0], (WORKER, 310, "sleeps"), (WORKER, 330, "runs"), *reads[1:]),
           truth_of(reads[0], (WORKER, 330, "runs"), *reads[1:])),
          (((330, WORKER), 700), ((300, WORKER), 700)))
    check("one that nobody read or was woken for has no time", truth_of(*answer)[0], (None, None))
    apart = [(CLIENT, 110, "wakes", WORKER), (WORKER, 120, "runs"), (WORKER, 150, "enters", kernel.READ, 5),
             (WORKER, 160, "sleeps"), (CLIENT, 250, "asked", CLIENT_PORT), (CLIENT, 251, "wakes", WORKER),
             (WORKER, 270, "runs"), (WORKER, 280, "reads", CLIENT_PORT), *answer]
    opened_at = (CLIENT, 105, "connects", CLIENT_PORT)
    early = [*apart[:2], (CLIENT, 130, "asked", CLIENT_PORT), apart[2], apart[7], *answer]
    check("who has slept for its first bytes, with its connection accepted, has waited for the client", truth_of(*apart), ((270, WORKER), 700))
    check("but bytes that woke nobody were there in time",
          truth_of(opened_at, *early), ((120, WORKER), 700))
    check("who was woken while the client ran, before it has sent, was not woken by that", truth_of(*early), ((150, WORKER), 700))
    own = {LISTENER: WORKER, WORKER: WORKER}
    sets = [(LISTENER, 10, "enters", SETS, 4), (WORKER, 20, "enters", SETS, 4),
            (WORKER, 90, "returns", SETS, 1), (CLIENT, 130, "asked", CLIENT_PORT), (LISTENER, 150, "returns", SETS, 2),
            *reads]
    check("of threads that wait for one epoll set any learns of it, behind its arrival",
          (truth_of(*sets, process_of=own), truth_of(*sets)), (((150, WORKER), 700), ((300, WORKER), 700)))
    dropped = [(CLIENT, 110, "connects", CLIENT_PORT), (CLIENT, 111, "wakes", LISTENER), (LISTENER, 115, "returns", ACCEPTS, 7), (CLIENT, 130, "asked", CLIENT_PORT),
               (LISTENER, 150, "returns", SETS, 1), (LISTENER, 170, "enters", kernel.DROP, 7), (LISTENER, 180, "returns", POLLS, 0), *reads]
    check("who takes a connection out of a set for a worker had learned of it by the latest wait",
          (truth_of(*dropped, process_of=own), truth_of(*dropped)), (((150, WORKER), 700), ((115, WORKER), 700)))
    check("who is woken and sleeps again without having come back with anything has not learned of it",
          truth_of((CLIENT, 120, "wakes", WORKER), (WORKER, 140, "runs"), (WORKER, 145, "sleeps"), (WORKER, 290, "runs"), *reads),
          ((300, WORKER), 700))
    arrived = events_of(answer)
    request = Request("all", 0, CLIENT, CLIENT_PORT, 100, 900)
    check("the thread that sends the last of the answer has answered, one of another program was interrupted",
          (kernel.end_of(arrived, request, {LISTENER, WORKER}), kernel.end_of(arrived, request, {LISTENER})), ((700, WORKER), (700, None)))
    told = [(WORKER, 702, "tells"), (LISTENER, 704, "tells")]
    check("it ends when the socket is told by the thread that has sent, once", truth_of(*asleep, answer[0], *told, told[1])[1], 702)
    again = [(WORKER, 750, "answered", CLIENT_PORT)]
    check("what is sent again, of which no socket is told, has come before", truth_of(*asleep, answer[0], *told, *again)[1], 702)
    check("without an answer's packets it ends with the client", truth_of(*asleep)[1], 900)
    check("a datagram for another client is no answer",
          truth_of(*asleep, (LISTENER, 300, "reads", CLIENT_PORT), (LISTENER, 600, "answered", CLIENT_PORT),
                   (LISTENER, 650, "answered", CLIENT_PORT + 1)), ((150, LISTENER), 600))


def test_screen():
    screen, program, reader = 40, 41, 42
    request = Request("all", 0, CLIENT, 0, 100, 900)
    events = events_of([
        (CLIENT, 110, "wakes", screen), (screen, 120, "wakes", program),
        (program, 150, "runs"), (program, 300, "wakes", screen),
        (program, 700, "returns", kernel.WRITE, 40), (screen, 800, "wakes", CLIENT),
        (program, 850, "returns", kernel.WRITE, 40), (program, 950, "returns", kernel.WRITE, 40)])
    check("on a screen it begins when the X server has woken the program, and ends when that has last written before",
          kernel.on_screen(events, request, {program}, {screen}), (150, program, 700, program))
    events = events_of([
        (CLIENT, 110, "wakes", screen), (screen, 120, "wakes", reader), (reader, 150, "runs"),
        (program, 700, "returns", kernel.WRITE, 40)])
    check("one thread may take it, and another one answer",
          kernel.on_screen(events, request, {program, reader}, {screen}), (150, reader, 700, program))


def test_kinds():
    check("types that are the kinds by other names have the index 1",
          kinds.adjusted_rand([("a", 1), ("a", 1), ("b", 2), ("b", 2), ("c", 3)]), 1.0)
    check("one type for all kinds has the index 0", kinds.adjusted_rand([("a", 1), ("a", 1), ("b", 1), ("b", 1)]), 0.0)
    check("of six with one in the wrong type it is what the formula says",
          round(kinds.adjusted_rand([("a", 1)] * 3 + [("b", 2)] * 2 + [("b", 1)]), 4), 0.3243)
    lengths = {"even": (70, 130), "uneven": (69, 131)}
    units = [times.Span(name, 1, WORKER, 0, length + 5, 5) for name, both in lengths.items() for length in both]
    check("a type is even when its units differ by 30 % of the mean, without their wait for a CPU", kinds.even_share(units), 50.0)
    check("how much lengths of one group differ is told by the time of all",
          round(kinds.deviation([("a", 1), ("a", 3), ("b", 10), ("b", 10)]), 3), 8.333)
    ask = Ask("line", {"a": ("a", 3), "b": ("b", 2)})
    check("the order is by chance, the same for a seed, and has each kind as often as is known",
          (order(ask, 1) == order(ask, 1), order(ask, 1) == order(ask, 2), sorted(kind for _, kind in order(ask, 1))),
          (True, False, ["a", "a", "a", "b", "b"]))


def unit(begin_ns, end_ns, tid=WORKER, of_type="type"):
    return times.Span(of_type, 1, tid, begin_ns, end_ns, 0)


def truth(begin_ns, end_ns, answerer=WORKER):
    return SimpleNamespace(begin_ns=begin_ns, end_ns=end_ns, tid=WORKER, answerer=answerer)


def test_standing():
    requests = [Request("all", i, 1, 1, 100 * i, 100 * i + 50) for i in range(3)]
    units = [unit(100 * i + 10, 100 * i + 40, of_type=of_type) for i, of_type in enumerate(["a", "a", "b"])]
    more = [unit(50, 60, of_type="a"), unit(160, 170, of_type="b"), unit(60, 70, of_type="c"), unit(900, 910, of_type="a")]
    found = [([truth(100 * i + 10, 100 * i + 40) for i in range(3)], requests)]
    check("types stand for requests when most of their units are those of requests, while the client asks",
          times.standing(found, sorted(units + more, key=lambda one: one.begin_ns)), [units[0], more[0], units[1]])


def test_times():
    check("of 101 times in order the 100th is exceeded by one in a hundred, the 51st by half",
          [times.quantile(range(1, count + 1), share) for count, share in ((101, 0.99), (301, 0.99), (101, 0.5), (1, 0.99))],
          [100, 298, 51, 1])
    check("where it lies between two, so does it", (times.quantile([10, 20], 0.25), times.quantile([], 0.5)), (12.5, 0))
    units = times.by_thread([unit(0, 100), unit(100, 300), unit(300, 310), unit(100, 300, LISTENER)])
    check("a request belongs to the unit of its thread that shares most of its time",
          times.unit_of(truth(90, 305), units), unit(100, 300))
    check("and to none where there is none", times.unit_of(truth(310, 400), units), None)
    check("one that a thread takes and another answers is a unit of either",
          times.unit_of(truth(290, 400, OTHER), times.by_thread([unit(290, 300), unit(295, 400, OTHER)])), unit(295, 400, OTHER))

    def holds(taken_ns, count=100):
        requests = [Request("all", i, 1, 1, 0, 2000) for i in range(100)]
        truths = [kernel.Truth(request, 0, 1000, WORKER, WORKER) for request in requests]
        figures = times.figures_of([unit(0, time_ns) for time_ns in taken_ns[:count]])
        return times.row(SimpleNamespace(name="server"), Ask("line", {}), truths, requests, [], figures)[1]
    check("times that are a tenth off hold, more do not",
          (holds([1100] * 100), holds([1101] * 100), holds([899] * 100)), (True, False, False))
    check("a hundredth that is a fifth off holds, more does not",
          (holds([1000] * 98 + [1200] * 2), holds([1000] * 98 + [1221] * 2)), (True, False))
    check("one in a hundred may be missing, two may not", (holds([1000] * 100, 99), holds([1000] * 100, 98)), (True, False))


def hop(process, pid, begin_ns, end_ns, function="!serve", queued_ns=0):
    return {"process": process, "pid": pid, "tid": pid, "begin_ns": begin_ns, "end_ns": end_ns, "queued_ns": queued_ns,
            "function": function}


def test_follow():
    hops = [hop("nginx", 1, 0, 1000), hop("uwsgi", 2, 100, 900), hop("postgres", 3, 200, 800), hop("postgres", 3, 820, 850)]
    line = follow.Line(0, 1000, hops, True)
    way = [("nginx", 1), ("uwsgi", None), ("postgres", 3)]
    check("a request that went through the right processes is right", follow.is_right(line, way), True)
    check("through another one of them it is wrong", follow.is_right(line, way[:2] + [("postgres", 4)]), False)
    check("so it is in another order", follow.is_right(line, way[::-1]), False)
    check("with one process too few or too many",
          (follow.is_right(line, way[:2]), follow.is_right(line, way + [("redis", None)])), (False, False))
    check("and when it says that it is not complete", follow.is_right(line._replace(is_complete=False), way), False)
    check("a process has for itself what no other took", [follow.own_ns(one, hops) for one in hops], [200, 170, 600, 30])
    handed = [hop("pool", 1, 0, 1000), hop("pool", 1, 300, 1010, queued_ns=200)]
    check("nor a thread what another one of its process took, which it waited for, and which ends a little later",
          [follow.own_ns(one, handed) for one in handed], [100, 710])
    check("the one with most names the fault, by its function",
          [follow.names_fault(line, Fault(*fault)) for fault in
           (("postgres", ("serve",)), ("postgres", ("scan",)), ("nginx", ("serve",)))], [True, False, False])
    called = line._replace(hops=[{**hops[0], "callers": ["scan", "run"]}])
    check("or by a caller of that", [follow.names_fault(called, Fault("nginx", (name,))) for name in ("run", "walk")],
          [True, False])

    def own_lines(times_of, tids, lines):
        truths = [SimpleNamespace(begin_ns=begin_ns, end_ns=end_ns, tid=tid) for (begin_ns, end_ns), tid in zip(times_of, tids)]
        return [found and lines.index(found) for _, found in follow.matched(truths, lines)]

    lines = [line._replace(begin_ns=12, end_ns=1010), line]
    check("each line is one request's", own_lines(((0, 1000), (10, 1010), (5000, 5001)), (None,) * 3, lines), [1, 0, None])
    lines = [line._replace(hops=[{**hops[0], "tid": tid}]) for tid in (LISTENER, WORKER)]
    check("and one of the thread that took it", own_lines(((0, 1000), (0, 999)), (WORKER, LISTENER), lines), [1, 0])
    lines = [line._replace(begin_ns=624, end_ns=1692), line._replace(begin_ns=634, end_ns=1781)]
    check("of several at once they are the ones that together share most",
          own_lines(((588, 1664), (635, 1717)), (None, None), lines), [0, 1])
    check("the same number in each log is the same request",
          follow.LOGGED.match("12 LOG:  statement: select 5 /* /47 */")[2], "47")


def test_errors():
    check("a table says which program failed, without its path and arguments",
          text_of_error(subprocess.CalledProcessError(250, ["/usr/bin/perf", "script", "-i", "/tmp/perf.data"])),
          "perf ends with status 250")
    check("nor does it have the path of a file that is missing",
          text_of_error(FileNotFoundError(2, "No such file or directory", "/tmp/truth.data")), "No such file or directory")
    check("what somebody wrote for the table stays", text_of_error(OSError("units ends with status 1")), "units ends with status 1")

    check("names of Python's functions have no directories",
          without_directories("py::Loop._run:/srv/a b/loop.py: epoll_wait, py::<module>:<string>"),
          "Loop._run (loop.py): epoll_wait, <module> (<string>)")


def test_threads():
    with tempfile.TemporaryDirectory() as directory:
        recorder = shutil.copy(shutil.which("sleep"), os.path.join(directory, "perf-recorder"))
        started = [subprocess.Popen([recorder, "60"]), subprocess.Popen(["sleep", "60"])]
        found = threads_below(os.getpid())
        for process in started:
            process.kill()
            process.wait()
    check("the recorder is none of the server's threads", [process.pid in found for process in started], [False, True])


test_errors()
test_threads()
test_kernel()
test_screen()
test_kinds()
test_times()
test_standing()
test_follow()
done_testing()
