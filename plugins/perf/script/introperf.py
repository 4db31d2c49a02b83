#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks the calling contexts that explain where the time went, inside perf script.

    perf script -s introperf.py [-- NAME=VALUE ...]

perf calls the functions below with what it reads; they hand it to the engine, which is not written
in Python. Where perf has no Python of its own but is a module for it, this file is a program:

    introperf.py [-i PERF.DATA] [NAME=VALUE ...]

man 7 introperf-script describes the arguments.
"""
import os
import sys

try:
    import perf_trace_context
except ImportError:
    perf_trace_context = None


def fail(reason):
    """Ends perf too, which aborts when it meets any other exception."""
    # Names in it may be hostile to a terminal.
    text = "".join(c if c.isprintable() else "\ufffd" for c in str(reason))
    print("introperf.py: %s" % text, file=sys.stderr)
    sys.stderr.flush()
    sys.exit(1)


try:
    import _introperf
except ImportError as error:
    fail("its engine cannot be used, which must be in %s or in PYTHONPATH: %s" %
         (os.path.dirname(os.path.abspath(sys.argv[0])), error))

# As shells tell it.
INTERRUPTED = 130

engine = None


def named(arguments):
    """All as NAME=VALUE, for which one may write --NAME=VALUE or --NAME VALUE."""
    rest = list(arguments)
    while rest:
        text = rest.pop(0)
        if text.startswith("--") and text != "--" and "=" not in text and rest:
            text += "=" + rest.pop(0)
        if text != "--":
            yield text.removeprefix("--")


def start(arguments):
    """Makes the engine."""
    global engine
    try:
        engine = _introperf.Engine(list(named(arguments)))
    except Exception as error:
        fail(error)


def finish(is_cut=False):
    """Writes the result."""
    try:
        is_whole = engine.finish(is_cut)
    except Exception as error:
        fail(error)
    if not is_whole:
        sys.exit(INTERRUPTED)


# What perf calls.


def trace_begin():
    start(sys.argv[1:])


def trace_end():
    finish()


def whole_tracepoint(name, context, fields, sample):
    """A sample of a tracepoint, with all that perf knows of it."""
    global trace_unhandled
    try:
        if not engine.tracepoint(name.replace("__", ":", 1), fields, sample):
            trace_unhandled = brief_tracepoint
    except Exception as error:
        fail(error)


def brief_tracepoint(name, context, fields):
    """The same without what the engine rarely needs, and perf takes long to collect."""
    global trace_unhandled
    try:
        if engine.tracepoint(name.replace("__", ":", 1), fields, None):
            trace_unhandled = whole_tracepoint
    except Exception as error:
        fail(error)


# Called for all tracepoints. perf looks it up for each sample, and at how many arguments it takes.
trace_unhandled = whole_tracepoint


def process_event(sample):
    """A sample of any other event."""
    try:
        engine.sample(sample)
    except Exception as error:
        fail(error)


def context_switch(time, cpu, pid, tid, other_pid, other_tid, machine_pid, is_out, is_preempted,
                   *more):
    try:
        engine.switch(time, cpu, pid, tid, is_out, is_preempted)
    except Exception as error:
        fail(error)


# The remaining functions are for the module `perf`.


def described(event, comm):
    """What perf script would hand over for an event of the module."""
    return {
        "ev_name": str(event.evsel)[len("evsel("):-len(")")],
        "attr": {"type": event.evsel.type, "sample_type": event.evsel.sample_type},
        "sample": {"pid": event.sample_pid, "tid": event.sample_tid,
                   "time": event.sample_time, "cpu": event.sample_cpu},
        "raw_buf": event.raw_buf,
        "comm": comm,
        "callchain": [{"ip": frame.ip, "dso": frame.dso, "sym": {"name": frame.symbol}}
                      for frame in event.callchain or ()],
        "dso": event.dso_long_name, "dso_bid": event.dso_bid,
        "dso_map_start": event.map_start, "dso_map_end": event.map_end,
        "dso_map_pgoff": event.map_pgoff,
        "symbol": event.symbol, "sym_start": event.sym_start,
    }


def read_session(path):
    """Hands over all of a recording; True if it was interrupted."""
    def take(event):
        try:
            comm = session.find_thread(event.sample_tid).comm()
        except TypeError:
            comm = None
        engine.sample(described(event, comm))

    try:
        session = perf.session(perf.data(path), sample=take)
        session.process_events()
    except KeyboardInterrupt:
        return True
    except Exception as error:
        fail("%s: %s" % (path, error))
    return False


def main(arguments):
    path = "perf.data"
    if arguments[:1] in (["-i"], ["--input"]) and len(arguments) > 1:
        path = arguments[1]
        arguments = arguments[2:]
    start(arguments)
    finish(read_session(path))


if not perf_trace_context:
    try:
        import perf
        perf.session
    except (ImportError, AttributeError):
        # Older modules of that name only count.
        fail("perf runs it: perf script -s introperf.py; on its own it needs perf's Python module, "
             "one that has perf.session")
    main(sys.argv[1:])
