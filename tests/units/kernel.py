# SPDX-License-Identifier: MIT
"""When a request was the server's: what the kernel tells beside the recording that is judged.

The client's time has a way in it: out, from the client's system call until the server runs for the request,
and back, from when the answer lies in the client's socket until the client runs again. On a busy machine
the way takes longer than the server. A second recording without stacks tells where it ends and begins:

- A request begins when the first of the server's threads that its arrival woke has come to a CPU. One that
  woke nobody, as the server was busy, begins when the server reads of its connection.
- It ends when the last of the answer's packets has arrived at the client's socket. Where there are no
  connections (UDP), it ends when the client is woken for the last time.
"""
import bisect
import collections
import os
import re
import subprocess

LINE = re.compile(r"\s*(-?\d+)\s+\[\d+\]\s+(\d+)\.(\d{9}):\s+\w+:(\w+):\s+(.*)")
PORTS = {"tcp_probe": re.compile(r"src=\S*:(\d+) dest=\S*:(\d+) .*data_len=(\d+)"),
         "tcp_rcv_space_adjust": re.compile(r"sport=(\d+) dport=(\d+)")}
WOKEN = re.compile(r"pid=(\d+) prio=")
NEXT = re.compile(r"next_pid=(\d+)")

Truth = collections.namedtuple("Truth", "request begin_ns end_ns tid")


class Recorder:
    """Records while the client asks: `with Recorder(directory, port)`."""

    def __init__(self, path, port):
        mine = f"sport=={port}||dport=={port}"
        self.path = path
        self.command = ["perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC", "-m", "4096", "-D", "-1", "-o", path,
                        "-e", "sched:sched_waking", "-e", "sched:sched_switch", "-e", "tcp:tcp_probe", "--filter", mine,
                        "-e", "tcp:tcp_rcv_space_adjust", "--filter", mine]

    def __enter__(self):
        told, self.tell = os.pipe()
        self.heard, answer = os.pipe()
        self.perf = subprocess.Popen([*self.command, "--control", f"fd:{told},{answer}"], pass_fds=(told, answer),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(told)
        os.close(answer)
        self.say(b"enable")
        return self

    def say(self, command):
        os.write(self.tell, command + b"\n")
        if not os.read(self.heard, 5):
            raise OSError(f"{self.path}: perf does not record")

    def __exit__(self, *_):
        self.say(b"stop")
        self.perf.wait()
        os.close(self.tell)
        os.close(self.heard)


class Events:
    """By thread and connection, in order of time."""

    def __init__(self, path, port):
        self.woken_by = collections.defaultdict(list)
        self.woken = collections.defaultdict(list)
        self.runs = collections.defaultdict(list)
        self.read = collections.defaultdict(list)
        self.arrived = collections.defaultdict(list)
        text = subprocess.run(["perf", "script", "-i", path, "--ns", "-F", "tid,cpu,time,event,trace"],
                              check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        for match in filter(None, map(LINE.match, text.splitlines())):
            self.add(int(match[1]), int(match[2] + match[3]), match[4], match[5], port)

    def add(self, tid, time_ns, event, text, port):
        if event == "sched_waking":
            woken = int(WOKEN.search(text)[1])
            self.woken_by[tid].append((time_ns, woken))
            self.woken[woken].append((time_ns, tid))
        elif event == "sched_switch":
            self.runs[int(NEXT.search(text)[1])].append(time_ns)
        elif event in PORTS:
            own, other, *length = map(int, PORTS[event].search(text).groups())
            if event == "tcp_rcv_space_adjust" and own == port:
                self.read[other].append((time_ns, tid))
            if event == "tcp_probe" and other == port and length[0]:
                self.arrived[own].append(time_ns)

    def servers(self):
        """The threads that read requests."""
        return {tid for reads in self.read.values() for _, tid in reads}


def between(times, begin_ns, end_ns):
    key = (lambda item: item) if not times or isinstance(times[0], int) else (lambda item: item[0])
    return times[bisect.bisect_left(times, begin_ns, key=key):bisect.bisect_right(times, end_ns, key=key)]


def begin_of(events, request, threads):
    """When, and in which thread."""
    span = (request.begin_ns, request.end_ns)
    ran = [(between(events.runs[woken], time_ns, request.end_ns)[:1], woken)
           for time_ns, woken in between(events.woken_by[request.tid], *span) if woken in threads]
    reads = between(events.read[request.port], *span)
    tid = reads[0][1] if reads else None
    first = min((times[0], woken) for times, woken in ran if times) if any(times for times, _ in ran) else None
    if first and not (reads and reads[0][0] < first[0]):
        return first[0], tid or first[1]
    return reads[0] if reads else (None, None)


def end_of(events, request, threads):
    arrived = between(events.arrived[request.port], request.begin_ns, request.end_ns)
    if arrived:
        return arrived[-1]
    woken = [time_ns for time_ns, waker in between(events.woken[request.tid], request.begin_ns, request.end_ns)
             if waker in threads]
    return woken[-1] if woken else request.end_ns


def truths(path, port, requests, threads):
    """Of each request that was seen to begin; `threads` are the server's, as far as they are known."""
    events = Events(path, port)
    threads = set(threads) | events.servers()
    found = []
    for request in requests:
        begin_ns, tid = begin_of(events, request, threads)
        if begin_ns is not None:
            found.append(Truth(request, begin_ns, end_of(events, request, threads), tid))
    return found
