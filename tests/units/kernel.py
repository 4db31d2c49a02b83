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
  A thread that takes the connection out of an epoll set, as for a worker that is to read it, has learned of it by its
  latest wait. A thread that was woken, and sleeps again without having come back with anything, looked at the clock.
- It ends when the last of the answer lies in the client's socket, which is told of it then, where it is told by
  the thread that sends. What no socket was told of had come before, and was sent again.

A program with a screen is asked, and answers, by way of the X server: a request begins when a thread runs that
this has woken, and ends when the program has last written to sockets before the client is told. That it has
woken the X server would not do, as this may be at work still.

The recorder that is judged works in the server's time, and this one does, too: a program in the kernel that notes
a time and a few numbers (kernel-events.bpf.c). It was there first, so that its times come before the other one's
work at the same place.

A datagram (UDP) that is read tells of the socket in which it lay, and not who sent it: those of one socket are read
in the order in which they came.
"""
import bisect
import collections
import os
import struct
import subprocess

# struct kernel_event of kernel-events.h.
EVENT = struct.Struct("=QqIIII")
KINDS = ["wakes", "runs", "sleeps", "enters", "returns", "connects", "reads", "asked", "answered", "tells"]
ACCEPT, SET, WAIT, READ, WRITE, DROP = (1 << i for i in range(6))

# Of a thread at a time; what `a` and `b` are depends on the kind.
Event = collections.namedtuple("Event", "tid time_ns kind a b", defaults=(0, 0))
# `tid` has taken the request, and `answerer` has sent the last of the answer, where that is known.
Truth = collections.namedtuple("Truth", "request begin_ns end_ns tid answerer")


class Recorder:
    """Records while the client asks: `with Recorder(program, path, port, has_datagrams, has_screen)`."""

    def __init__(self, program, path, port, has_datagrams, has_screen=False):
        self.path = path
        self.command = [program, path, str(port), "udp" if has_datagrams else "tcp", *["screen"] * has_screen]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "recording\n":
            raise OSError(f"{self.path}: the kernel's events are not recorded")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise OSError(f"{self.path}: the kernel's events are not all there")
        self.process.stdout.close()


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
        self.slept = collections.defaultdict(list)
        self.established, self.accepts = [], []
        # By when and in which thread a connection was accepted, its descriptor; and by process and descriptor, when and
        # by which thread it was taken out of an epoll set.
        self.descriptors, self.dropped = {}, collections.defaultdict(list)
        # Who sleeps; since when a thread is at what it reads; and whose accepts have slept.
        self.asleep, self.reading, self.sleeps_in_accept = set(), {}, set()
        self.read = collections.defaultdict(list)
        self.arrived = collections.defaultdict(list)
        # By connection, when something has come to the server.
        self.asked = collections.defaultdict(list)
        # By thread, what is on its way to the client's socket, and of which client to a socket of the server's.
        self.arriving, self.asking = {}, {}
        # By the server's socket, of which clients datagrams lie in it.
        self.queued = collections.defaultdict(collections.deque)

    @classmethod
    def of_rows(cls, rows, process_of=None):
        """Rows are events in order of time. `process_of` has the threads of which the process has another number."""
        events = cls()
        events.processes = dict(process_of or {})
        for event in rows:
            getattr(events, f"add_{event.kind}")(event)
        return events

    @classmethod
    def read_from(cls, path):
        with open(path, "rb") as file:
            rows = sorted(EVENT.iter_unpack(file.read()))
        return cls.of_rows((Event(tid, time_ns, KINDS[kind], a, b) for time_ns, b, _, tid, kind, a in rows),
                           {tid: pid for _, _, pid, tid, *_ in rows})

    def add_wakes(self, event):
        self.woken_by[event.tid].append((event.time_ns, event.a))

    def add_runs(self, event):
        self.runs[event.tid].append(event.time_ns)
        if event.tid in self.asleep:
            self.reading[event.tid] = event.time_ns

    def add_sleeps(self, event):
        self.asleep.add(event.tid)
        self.slept[event.tid].append(event.time_ns)

    def add_enters(self, event):
        if event.a & SET:
            self.add_waiter(event.tid, event.b)
        elif event.a & DROP:
            self.dropped[self.processes.get(event.tid, event.tid), event.b].append((event.time_ns, event.tid))
        else:
            self.reading[event.tid] = event.time_ns
        self.asleep.discard(event.tid)

    def add_returns(self, event):
        if event.a & WRITE:
            if event.b > 0:
                self.wrote[event.tid].append(event.time_ns)
        else:
            self.add_end_of_wait(event)
        self.asleep.discard(event.tid)

    def add_end_of_wait(self, event):
        self.waited[event.tid].append(event.time_ns)
        if event.a & ACCEPT:
            self.descriptors[event.time_ns, event.tid] = event.b
            self.add_accept(event.tid, event.time_ns)
        if event.tid in self.waiting and event.b > 0:
            self.told[self.waiting[event.tid]].append(event.time_ns)

    def add_connects(self, event):
        self.established.append((event.time_ns, event.a))

    def add_reads(self, event):
        if event.a == 0:
            if not self.queued[event.b]:
                return
            event = event._replace(a=self.queued[event.b].popleft())
        begin_ns = self.reading.get(event.tid, event.time_ns)
        bisect.insort(self.read[event.a], (begin_ns, event.tid))
        self.took_by[event.tid].append(begin_ns)

    def add_asked(self, event):
        self.asked[event.a].append(event.time_ns)
        self.asking[event.tid] = event.a

    def add_answered(self, event):
        bisect.insort(self.arrived[event.a], (event.time_ns, event.tid, False))
        self.arriving[event.tid] = event.a, event.time_ns
        self.asking.pop(event.tid, None)

    def add_tells(self, event):
        if event.tid in self.asking:
            self.queued[event.b].append(self.asking.pop(event.tid))
            return
        connection, begin_ns = self.arriving.pop(event.tid, (None, None))
        if begin_ns is not None:
            self.arrived[connection].remove((begin_ns, event.tid, False))
            bisect.insort(self.arrived[connection], (event.time_ns, event.tid, True))

    def add_waiter(self, tid, number):
        process = self.processes.get(tid, tid)
        self.waiting[tid] = process, number
        self.sets[process].add(self.waiting[tid])
        self.waiters[self.waiting[tid]].add(tid)

    def shared_told(self, tid, begin_ns, end_ns):
        """When a wait for an epoll set that several threads of its process wait for has first come back with something."""
        shared = [one for one in self.sets[self.processes.get(tid, tid)] if len(self.waiters[one]) > 1]
        return min((time_ns for one in shared for time_ns in between(self.told[one], begin_ns, end_ns)[:1]), default=None)

    def handed_on(self, accepted, tid, begin_ns, end_ns):
        """When a thread that has taken the connection out of an epoll set had learned of what is there to be read."""
        drops = between(self.dropped[self.processes.get(tid, tid), self.descriptors.get(accepted)], begin_ns, end_ns)
        waits = between(self.waited[drops[0][1]], begin_ns, drops[0][0]) if drops else []
        return waits[-1] if waits else None

    def has_run_in_vain(self, tid, run_ns):
        """The thread sleeps again, without having come back with anything."""
        slept = between(self.slept[tid], run_ns, float("inf"))[:1]
        return bool(slept) and not between(self.waited[tid], run_ns, slept[0]) and not between(self.took_by[tid], run_ns, slept[0])

    def add_accept(self, tid, time_ns):
        self.accepts.append((time_ns, tid))
        self.took_by[tid].append(time_ns)
        if tid in self.asleep:
            self.sleeps_in_accept.add(tid)

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
        return {tid for reads in self.read.values() for _, tid in reads}

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
        reads = between(self.read[request.port], request.begin_ns, request.end_ns)
        return [(time_ns, tid) for time_ns, tid in reads if tid in threads]

    def arrivals_of(self, request):
        """Of parts of the answer, and from which threads. One arrives while the thread that sends it does so."""
        found = between(self.arrived[request.port], request.begin_ns, request.end_ns)
        return [arrival for arrival in found if arrival[2]] or found


def between(times, begin_ns, end_ns):
    key = (lambda item: item) if not times or isinstance(times[0], int) else (lambda item: item[0])
    return times[bisect.bisect_left(times, begin_ns, key=key):bisect.bisect_right(times, end_ns, key=key)]


def first_run(events, request, threads, wakers, since_ns=0):
    """When the first of the threads runs that the wakers wake for the request, and which one that is."""
    woken = [one for waker in wakers for one in
             between(events.woken_by[waker], max(request.begin_ns, since_ns), request.end_ns)]
    ran = [(between(events.runs[tid], time_ns, request.end_ns)[:1], tid) for time_ns, tid in woken if tid in threads]
    ran = [(times, tid) for times, tid in ran if times and not events.has_run_in_vain(tid, times[0])]
    return min(((times[0], tid) for times, tid in ran), default=None)


def told_of(events, tid, accepted, begin_ns, end_ns):
    """When another thread than the one that reads learned of the request, if one did."""
    told = [events.shared_told(tid, begin_ns, end_ns), events.handed_on(accepted, tid, begin_ns, end_ns)]
    return min((time_ns for time_ns in told if time_ns is not None), default=None)


def begin_of(events, request, threads, accepted=None):
    """When, and in which thread; `accepted` is when and in which thread its connection was."""
    reads = events.reads_of(request, threads)
    tid = reads[0][1] if reads else None
    asked = between(events.asked[request.port], request.begin_ns, request.end_ns)
    told_ns = told_of(events, tid, accepted, asked[0], reads[0][0]) if asked and reads else None
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
    end_ns, tid, _ = (events.arrivals_of(request) or [(request.end_ns, None, False)])[-1]
    return end_ns, tid if tid in threads else None


def on_screen(events, request, threads, screen):
    """When a request by way of the X server begins, in which thread, when it ends, and which thread has written then:
    Qt reads keys in a thread of its own."""
    begin_ns, tid = first_run(events, request, threads, screen) or (None, None)
    told_ns = max((time_ns for one in screen for time_ns, woken in
                   between(events.woken_by[one], request.begin_ns, request.end_ns) if woken == request.tid),
                  default=request.end_ns)
    writes = [(time_ns, one) for one in threads for time_ns in
              between(events.wrote[one], begin_ns or request.begin_ns, told_ns)]
    return begin_ns, tid, *max(writes, default=(request.end_ns, tid))


def truths(path, requests, threads, screen=()):
    """Of each request that was seen to begin; `threads` are the server's, as far as they are known, and `screen`
    those of the X server, if there is one."""
    events = Events.read_from(path)
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
