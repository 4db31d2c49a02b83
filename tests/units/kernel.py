# SPDX-License-Identifier: MIT
"""When a request was the server's: what the kernel tells beside the recording that is judged.

The client's time has a way in it: out, from the client's system call until the server runs for the request,
and back, from when the answer lies in the client's socket until the client runs again. On a busy machine
the way takes longer than the server. A second recording without stacks tells where it ends and begins:

- A request begins when the first of the server's threads that its arrival woke has come to a CPU: that of its first
  bytes, or that of its connection, where this is new and these have woken nobody. A server that has accepted
  it, and sleeps until there is something in it, waits for the client. One that
  woke nobody, as the server was busy, begins when the latest system call that waits for any connection returns to
  the thread that accepts this one or reads of it, or else when that begins to read. An accept in which the thread
  sleeps at times waits itself, so that what it had waited for before was another one's. The first connection
  that is there is the first to be accepted. Where several threads of a process wait for one epoll set, as those of
  Go's runtime do, each learns for all: it begins when the first of them returns with something behind its arrival.
- It ends when the last of the answer lies in the client's socket, which is told of it then, where it is told by
  the thread that sends.

A program with a screen is asked, and answers, by way of the X server: a request begins when a thread runs that
this has woken, and ends when the program has last written to sockets before the client is told. That it has
woken the X server would not do, as this may be at work still.

The other recorder works in the server's time: 1.5 to 8 µs until it counts for a thread that comes to a CPU, 6 µs to
copy a stack when a system call begins. Both recordings have to note the same instant on the same side of that work.
So a thread has come to a CPU when the kernel says so to both, behind it (PERF_RECORD_SWITCH): programs in the
kernel, which record by default, are told where a switch begins, up to 1 µs before. And system calls are
noted by events of their own (syscalls), which come before those of all system calls (raw_syscalls) when they were
there first. A read that has not slept begins with its call, rather than where its data are copied.

Datagrams (UDP) are told of by other events, without a port, so one client at a time must ask then.
"""
import bisect
import collections
import os
import re
import subprocess

LINE = re.compile(r"\s*(-?\d+)/(-?\d+)\s+\[\d+\]\s+(\d+)\.(\d{9}):\s+(?:\w+:(\w+):\s+(.*)|PERF_RECORD_SWITCH_CPU_WIDE +(IN|OUT preempt|OUT) .*)")
ACCEPTS = ["accept", "accept4"]
SETS = ["epoll_pwait", "epoll_wait"]
WAITS = [*ACCEPTS, *SETS, "poll", "ppoll", "pselect6", "select"]
READS = ["read", "readv", "recvfrom", "recvmmsg", "recvmsg"]
# By which the library of X writes.
WRITES = ["sendmsg", "writev"]
# perf 6.1 cannot read a recording in which somebody has loaded a program into the kernel ("failed to process type:
# 18"): --no-bpf-event. Without whom it was started for, it ends by itself.
LONGEST_S = "600"
# Of datagrams there are no ports.
ANY_PORT = 0
PORTS = {"tcp_probe": re.compile(r"src=\S*:(\d+) dest=\S*:(\d+) .*data_len=(\d+)"),
         "tcp_rcv_space_adjust": re.compile(r"sport=(\d+) dport=(\d+)")}
ESTABLISHED = re.compile(r"dport=(\d+)")
EPOLL_SET = re.compile(r"epfd: (\w+)")
WOKEN = re.compile(r"pid=(\d+) prio=")

# `tid` has taken the request, and `answerer` has sent the last of the answer, where that is known.
Truth = collections.namedtuple("Truth", "request begin_ns end_ns tid answerer")


def of_calls(edge, names, condition):
    """The options of perf for an edge of system calls, "enter" or "exit"."""
    return [word for name in names for word in ("-e", f"syscalls:sys_{edge}_{name}", *condition)]


class Recorder:
    """Records while the client asks: `with Recorder(path, port, has_datagrams, has_screen)`."""

    def __init__(self, path, port, has_datagrams, has_screen=False):
        mine = f"sport=={port}||dport=={port}"
        self.path = path
        self.command = ["perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC", "-m", "4096", "-D", "-1",
                        "-o", path, "--no-bpf-event", "--switch-events", "-e", "sched:sched_waking",
                        *of_calls("exit", WAITS, ["--filter", "ret>=0"]), *of_calls("enter", ACCEPTS + SETS + READS, [])]
        if has_screen:
            self.command += of_calls("exit", WRITES, ["--filter", "ret>0"])
        self.command += ["-e", "sock:sk_data_ready", "--filter", f"protocol=={17 if has_datagrams else 6}"]
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
        # By epoll set: which threads have waited for it, and when one has come back with something. By process, its
        # sets; and by thread, its process and the set that it waits for.
        self.waiters, self.told = collections.defaultdict(set), collections.defaultdict(list)
        self.sets, self.processes, self.waiting = collections.defaultdict(set), {}, {}
        self.took_by = collections.defaultdict(list)
        self.wrote = collections.defaultdict(list)
        self.established, self.accepts = [], []
        # Who sleeps; since when a thread is at what it reads; and whose accepts have slept.
        self.asleep, self.reading, self.sleeps_in_accept = set(), {}, set()
        self.read = collections.defaultdict(list)
        self.arrived = collections.defaultdict(list)
        # By connection, when something has come to the server.
        self.asked = collections.defaultdict(list)
        # By thread, what is on its way to a socket.
        self.arriving = {}

    @classmethod
    def of_rows(cls, rows, port, process_of=None):
        """Rows: thread, time, event, text. `process_of` has the threads of which the process has another number."""
        events = cls()
        events.processes = dict(process_of or {})
        for tid, time_ns, event, text in rows:
            events.add(tid, time_ns, event, text, port)
        return events

    @classmethod
    def read_from(cls, path, port):
        text = subprocess.run(["perf", "script", "-i", path, "--show-switch-events", "--ns", "-F", "pid,tid,cpu,time,event,trace"],
                              check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        matches = list(filter(None, map(LINE.match, text.splitlines())))
        return cls.of_rows(((int(match[2]), int(match[3] + match[4]), match[5] or match[7], match[6]) for match in matches), port,
                           {int(match[2]): int(match[1]) for match in matches})

    def add(self, tid, time_ns, event, text, port):
        if event == "sched_waking":
            self.woken_by[tid].append((time_ns, int(WOKEN.search(text)[1])))
        elif event == "IN":
            self.runs[tid].append(time_ns)
            if tid in self.asleep:
                self.reading[tid] = time_ns
        elif event == "OUT":
            self.asleep.add(tid)
        elif event.startswith("sys_"):
            self.add_call(tid, time_ns, *event.removeprefix("sys_").split("_", 1), text)
        elif event == "inet_sock_set_state":
            self.established.append((time_ns, int(ESTABLISHED.search(text)[1])))
        elif event == "sock_recv_length":
            self.add_read(ANY_PORT, tid, time_ns)
        elif event == "netif_rx":
            self.add_arrival(ANY_PORT, tid, time_ns)
        elif event == "sk_data_ready":
            self.add_end_of_arrival(tid, time_ns)
        elif event in PORTS:
            own, other, *length = map(int, PORTS[event].search(text).groups())
            if event == "tcp_rcv_space_adjust" and own == port:
                self.add_read(other, tid, time_ns)
            if event == "tcp_probe" and other == port and length[0]:
                self.add_arrival(own, tid, time_ns)
            elif event == "tcp_probe" and own == port and length[0]:
                self.asked[other].append(time_ns)

    def add_call(self, tid, time_ns, edge, name, text):
        if edge == "enter" and name in SETS:
            self.add_waiter(tid, EPOLL_SET.search(text)[1])
        elif edge == "enter":
            self.reading[tid] = time_ns
        elif name in WRITES:
            self.wrote[tid].append(time_ns)
        else:
            self.waited[tid].append(time_ns)
            if name in ACCEPTS:
                self.add_accept(tid, time_ns)
            if tid in self.waiting and int(text, 0) > 0:
                self.told[self.waiting[tid]].append(time_ns)
        self.asleep.discard(tid)

    def add_waiter(self, tid, number):
        process = self.processes.get(tid, tid)
        self.waiting[tid] = process, number
        self.sets[process].add(self.waiting[tid])
        self.waiters[self.waiting[tid]].add(tid)

    def shared_told(self, tid, begin_ns, end_ns):
        """When a wait for an epoll set that several threads of its process wait for has first come back with something."""
        shared = [one for one in self.sets[self.processes.get(tid, tid)] if len(self.waiters[one]) > 1]
        return min((time_ns for one in shared for time_ns in between(self.told[one], begin_ns, end_ns)[:1]), default=None)

    def add_accept(self, tid, time_ns):
        self.accepts.append((time_ns, tid))
        self.took_by[tid].append(time_ns)
        if tid in self.asleep:
            self.sleeps_in_accept.add(tid)

    def add_read(self, connection, tid, time_ns):
        begin_ns = self.reading.get(tid, time_ns)
        bisect.insort(self.read[connection], (begin_ns, tid))
        self.took_by[tid].append(begin_ns)

    def add_arrival(self, connection, tid, time_ns):
        bisect.insort(self.arrived[connection], (time_ns, tid))
        self.arriving[tid] = connection, time_ns

    def add_end_of_arrival(self, tid, time_ns):
        connection, begin_ns = self.arriving.pop(tid, (None, None))
        if begin_ns is not None:
            self.arrived[connection].remove((begin_ns, tid))
            bisect.insort(self.arrived[connection], (time_ns, tid))

    def found(self, read_ns, tid, begin_ns):
        """When the thread learned of what it takes then: it has accepted and read nothing else in between, nor
        waited again, and does not sleep in the accept itself."""
        accepts = (read_ns, tid) in self.accepts
        if accepts and tid in self.sleeps_in_accept:
            return read_ns
        others = between(self.took_by[tid], begin_ns, read_ns - 1)
        waits = between(self.waited[tid], max([begin_ns, *(other + 1 for other in others)]), read_ns - accepts)
        return waits[-1] if waits else read_ns

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

    def is_opened_in(self, request):
        """Its connection is."""
        return any(port == request.port for _, port in between(self.established, request.begin_ns, request.end_ns))

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


def first_run(events, request, threads, wakers, since_ns=0):
    """When the first of the threads runs that the wakers wake for the request, and which one that is."""
    woken = [one for waker in wakers for one in
             between(events.woken_by[waker], max(request.begin_ns, since_ns), request.end_ns)]
    ran = [(between(events.runs[tid], time_ns, request.end_ns)[:1], tid) for time_ns, tid in woken if tid in threads]
    return min(((times[0], tid) for times, tid in ran if times), default=None)


def begin_of(events, request, threads, accepted=None):
    """When, and in which thread; `accepted` is when and in which thread its connection was."""
    reads = events.reads_of(request, threads)
    tid = reads[0][1] if reads else None
    asked = between(events.asked[request.port], request.begin_ns, request.end_ns)
    told_ns = events.shared_told(tid, asked[0], reads[0][0]) if asked and reads else None
    for since_ns in [*asked[:1], 0] if events.is_opened_in(request) else asked[:1] or [0]:
        first = first_run(events, request, threads, {request.tid}, since_ns)
        if first and not (reads and reads[0][0] < first[0]):
            return min(first[0], told_ns or first[0]), tid or first[1]
    if told_ns is not None:
        return told_ns, tid
    takes = [accepted] * bool(accepted and request.begin_ns <= accepted[0] <= request.end_ns) + reads[:1]
    return (events.found(*min(takes), request.begin_ns), tid or min(takes)[1]) if takes else (None, None)


def end_of(events, request, threads):
    """When, and which thread had it answered; a thread that is not the server's had only been interrupted."""
    end_ns, tid = (events.arrivals_of(request, threads) or [(request.end_ns, None)])[-1]
    return end_ns, tid if tid in threads else None


def on_screen(events, request, threads, screen):
    """When a request by way of the X server begins, in which thread, when it ends, and which thread has written then:
    Qt reads keys in a thread of its own."""
    begin_ns, tid = first_run(events, request, threads, screen) or (None, None)
    writes = [(time_ns, one) for one in threads for time_ns in
              between(events.wrote[one], begin_ns or request.begin_ns, request.end_ns)]
    return begin_ns, tid, *max(writes, default=(request.end_ns, tid))


def truths(path, port, requests, threads, screen=()):
    """Of each request that was seen to begin; `threads` are the server's, as far as they are known, and `screen`
    those of the X server, if there is one."""
    events = Events.read_from(path, port)
    threads = (set(threads) | events.servers()) - set(screen)
    accepted = events.accepted({request.tid for request in requests}, threads)
    found = []
    for request in requests:
        if screen:
            begin_ns, tid, end_ns, answerer = on_screen(events, request, threads, screen)
        else:
            begin_ns, tid = begin_of(events, request, threads, accepted.get(request.port))
            end_ns, answerer = end_of(events, request, threads)
        if begin_ns is not None:
            found.append(Truth(request, begin_ns, end_ns, tid, answerer))
    return found
