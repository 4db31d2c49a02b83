# SPDX-License-Identifier: MIT
"""When a request was the server's: what the kernel tells beside the recording that is judged.

The client's time has a way in it: out, from the client's system call until the server runs for the request,
and back, from when the answer lies in the client's socket until the client runs again. On a busy machine
the way takes longer than the server. A second recording without stacks tells where it ends and begins:

- A request begins when the first of the server's threads that its arrival woke has come to a CPU. One that
  woke nobody, as the server was busy, begins when a system call that waits for any connection returns to the
  thread that accepts this one or reads of it, or else when that does so. The first connection that is there is
  the first to be accepted.
- It ends when the last of the answer's packets has arrived at the client's socket.

A program with a screen is asked, and answers, by way of the X server: a request begins when a thread runs that
this has woken, and ends when the program has last written to sockets before the client is told. That it has
woken the X server would not do, as this may be at work still.

Datagrams (UDP) are told of by other events, without a port, so one client at a time must ask then.
"""
import bisect
import collections
import os
import re
import subprocess

LINE = re.compile(r"\s*(-?\d+)\s+\[\d+\]\s+(\d+)\.(\d{9}):\s+\w+:(\w+):\s+(.*)")
# poll, select, accept, epoll_wait, pselect6, ppoll, epoll_pwait, accept4
WAITS = "(" + "||".join(f"id=={number}" for number in (7, 23, 43, 232, 270, 271, 281, 288)) + ")&&ret>=0"
# writev and sendmsg, by which the library of X writes.
WRITES = "(id==20||id==46)&&ret>0"
# Without whom it was started for, it ends by itself.
LONGEST_S = "600"
# Of datagrams there are no ports.
ANY_PORT = 0
PORTS = {"tcp_probe": re.compile(r"src=\S*:(\d+) dest=\S*:(\d+) .*data_len=(\d+)"),
         "tcp_rcv_space_adjust": re.compile(r"sport=(\d+) dport=(\d+)")}
ACCEPTS = re.compile(r"NR (?:43|288) = ")
WROTE = re.compile(r"NR (?:20|46) = ")
ESTABLISHED = re.compile(r"dport=(\d+)")
WOKEN = re.compile(r"pid=(\d+) prio=")
NEXT = re.compile(r"next_pid=(\d+)")

# `tid` has taken the request, and `answerer` has sent the last of the answer, where that is known.
Truth = collections.namedtuple("Truth", "request begin_ns end_ns tid answerer")


class Recorder:
    """Records while the client asks: `with Recorder(path, port, has_datagrams, has_screen)`."""

    def __init__(self, path, port, has_datagrams, has_screen=False):
        mine = f"sport=={port}||dport=={port}"
        self.path = path
        self.command = ["perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC", "-m", "4096", "-D", "-1",
                        "-o", path,
                        "-e", "sched:sched_waking", "-e", "sched:sched_switch", "-e", "raw_syscalls:sys_exit",
                        "--filter", f"({WAITS})||({WRITES})" if has_screen else WAITS]
        if has_datagrams:
            self.command += ["-e", "sock:sock_recv_length", "--filter", "protocol==17&&ret>0",
                             "-e", "net:netif_rx", "--filter", 'name=="lo"']
        else:
            self.command += ["-e", "tcp:tcp_rcv_space_adjust", "--filter", mine, "-e", "tcp:tcp_probe", "--filter", mine,
                             "-e", "sock:inet_sock_set_state", "--filter", f"sport=={port}&&newstate==1"]

    def __enter__(self):
        told, self.tell = os.pipe()
        self.heard, answer = os.pipe()
        self.perf = subprocess.Popen([*self.command, "--control", f"fd:{told},{answer}", "sleep", LONGEST_S], pass_fds=(told, answer),
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

    def __init__(self):
        self.woken_by = collections.defaultdict(list)
        self.runs = collections.defaultdict(list)
        self.waited = collections.defaultdict(list)
        self.took_by = collections.defaultdict(list)
        self.wrote = collections.defaultdict(list)
        self.established, self.accepts = [], []
        self.read = collections.defaultdict(list)
        self.arrived = collections.defaultdict(list)

    @classmethod
    def of_rows(cls, rows, port):
        """Rows: thread, time, event, text."""
        events = cls()
        for tid, time_ns, event, text in rows:
            events.add(tid, time_ns, event, text, port)
        return events

    @classmethod
    def read_from(cls, path, port):
        text = subprocess.run(["perf", "script", "-i", path, "--ns", "-F", "tid,cpu,time,event,trace"],
                              check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return cls.of_rows(((int(match[1]), int(match[2] + match[3]), match[4], match[5])
                            for match in filter(None, map(LINE.match, text.splitlines()))), port)

    def add(self, tid, time_ns, event, text, port):
        if event == "sched_waking":
            self.woken_by[tid].append((time_ns, int(WOKEN.search(text)[1])))
        elif event == "sched_switch":
            self.runs[int(NEXT.search(text)[1])].append(time_ns)
        elif event == "sys_exit" and WROTE.match(text):
            self.wrote[tid].append(time_ns)
        elif event == "sys_exit":
            self.waited[tid].append(time_ns)
            if ACCEPTS.match(text):
                self.accepts.append((time_ns, tid))
                self.took_by[tid].append(time_ns)
        elif event == "inet_sock_set_state":
            self.established.append((time_ns, int(ESTABLISHED.search(text)[1])))
        elif event == "sock_recv_length":
            self.add_read(ANY_PORT, tid, time_ns)
        elif event == "netif_rx":
            self.arrived[ANY_PORT].append((time_ns, tid))
        elif event in PORTS:
            own, other, *length = map(int, PORTS[event].search(text).groups())
            if event == "tcp_rcv_space_adjust" and own == port:
                self.add_read(other, tid, time_ns)
            if event == "tcp_probe" and other == port and length[0]:
                self.arrived[own].append((time_ns, tid))

    def add_read(self, connection, tid, time_ns):
        self.read[connection].append((time_ns, tid))
        self.took_by[tid].append(time_ns)

    def found(self, read_ns, tid, begin_ns):
        """When the thread learned of what it reads then: it has accepted and read nothing else in between."""
        others = between(self.took_by[tid], begin_ns, read_ns - 1)
        waits = between(self.waited[tid], max([begin_ns, *(other + 1 for other in others)]), read_ns)
        return waits[0] if waits else read_ns

    def servers(self):
        """The threads that read of connections."""
        return {tid for port, reads in self.read.items() for _, tid in reads if port != ANY_PORT}

    def accepted(self, clients, threads):
        """By the client's port, when it was accepted, and in which thread: of those that clients wake, or that read."""
        woken = {tid for client in clients for _, tid in self.woken_by[client]} & threads | self.servers()
        accepts = iter([accept for accept in self.accepts if accept[1] in woken])
        found = {}
        for time_ns, port in self.established:
            found[port] = next((accept for accept in accepts if accept[0] >= time_ns), None)
        return found

    def reads_of(self, request, threads):
        reads = between(self.read[request.port] or self.read[ANY_PORT], request.begin_ns, request.end_ns)
        return [(time_ns, tid) for time_ns, tid in reads if tid in threads]

    def arrivals_of(self, request, threads):
        """Of parts of the answer, and from which threads. One arrives while the thread that sends it does so."""
        arrivals = self.arrived[request.port] or [
            arrival for arrival in self.arrived[ANY_PORT] if arrival[1] in threads]
        return between(arrivals, request.begin_ns, request.end_ns)


def between(times, begin_ns, end_ns):
    key = (lambda item: item) if not times or isinstance(times[0], int) else (lambda item: item[0])
    return times[bisect.bisect_left(times, begin_ns, key=key):bisect.bisect_right(times, end_ns, key=key)]


def first_run(events, request, threads, wakers):
    """When the first of the threads runs that the wakers wake for the request, and which one that is."""
    woken = [one for waker in wakers for one in between(events.woken_by[waker], request.begin_ns, request.end_ns)]
    ran = [(between(events.runs[tid], time_ns, request.end_ns)[:1], tid) for time_ns, tid in woken if tid in threads]
    return min(((times[0], tid) for times, tid in ran if times), default=None)


def begin_of(events, request, threads, accepted=None):
    """When, and in which thread; `accepted` is when and in which thread its connection was."""
    reads = events.reads_of(request, threads)
    tid = reads[0][1] if reads else None
    first = first_run(events, request, threads, {request.tid})
    if first and not (reads and reads[0][0] < first[0]):
        return first[0], tid or first[1]
    takes = [accepted] * bool(accepted and request.begin_ns <= accepted[0] <= request.end_ns) + reads[:1]
    return (events.found(*min(takes), request.begin_ns), tid or min(takes)[1]) if takes else (None, None)


def end_of(events, request, threads):
    """When, and which thread had it answered; a thread that is not the server's had only been interrupted."""
    end_ns, tid = (events.arrivals_of(request, threads) or [(request.end_ns, None)])[-1]
    return end_ns, tid if tid in threads else None


def on_screen(events, request, threads, screen):
    """When a request by way of the X server begins, in which thread, and when it ends."""
    begin_ns, tid = first_run(events, request, threads, screen) or (None, None)
    writes = [time_ns for one in threads for time_ns in
              between(events.wrote[one], begin_ns or request.begin_ns, request.end_ns)]
    return begin_ns, tid, max(writes, default=request.end_ns)


def truths(path, port, requests, threads, screen=()):
    """Of each request that was seen to begin; `threads` are the server's, as far as they are known, and `screen`
    those of the X server, if there is one."""
    events = Events.read_from(path, port)
    threads = (set(threads) | events.servers()) - set(screen)
    accepted = events.accepted({request.tid for request in requests}, threads)
    found = []
    for request in requests:
        if screen:
            begin_ns, tid, end_ns = on_screen(events, request, threads, screen)
            answerer = tid
        else:
            begin_ns, tid = begin_of(events, request, threads, accepted.get(request.port))
            end_ns, answerer = end_of(events, request, threads)
        if begin_ns is not None:
            found.append(Truth(request, begin_ns, end_ns, tid, answerer))
    return found
