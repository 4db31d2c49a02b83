# SPDX-License-Identifier: MIT
"""A trace that comes into being while it is read, for test-live.sh.

source.live.trace does what its parameter `steps` says, an array of strings:

    begin / end         the stream, numbered in the order of their beginning
    as PID              what follows is of the only thread of this process, until then of 1
    enter TIME NAME     the thread enters the function NAME
    leave TIME          the thread leaves the innermost one
    idle TIME           nothing has happened until then
    wait                there is nothing yet
    interrupt           the user presses Ctrl-C
    lose TIME           events are missing since the last one
    fail                the connection is lost
"""
import os
import signal

import bt2

ENTRY, EXIT = 6, 7


FUNCTION = "id:count name:text module:text build_id:text layer:count"
STACK = (
    "kind:count pid:number tid:number cpu:number comm:text argument:number callee:count "
    "complete:count addresses:array functions:array"
)


def field_class(trace_class, kind):
    if kind == "text":
        return trace_class.create_string_field_class()
    if kind == "number":
        return trace_class.create_signed_integer_field_class(64)
    if kind == "count":
        return trace_class.create_unsigned_integer_field_class(64)
    return trace_class.create_dynamic_array_field_class(field_class(trace_class, "count"))


def structure(trace_class, members):
    payload = trace_class.create_structure_field_class()
    for member in members.split():
        name, kind = member.split(":")
        payload.append_member(name, field_class(trace_class, kind))
    return payload


class Layout:
    """The classes of the trace: what filter.introperf.infer needs of introperf:function and
    introperf:stack."""

    def __init__(self, component):
        trace_class = component._create_trace_class()
        self.clock = component._create_clock_class(
            frequency=1000000000, origin_is_unix_epoch=False
        )
        self.stream_class = trace_class.create_stream_class(
            default_clock_class=self.clock,
            supports_discarded_events=True,
            discarded_events_have_default_clock_snapshots=True,
        )
        self.function = self.stream_class.create_event_class(
            name="introperf:function", payload_field_class=structure(trace_class, FUNCTION)
        )
        self.stack = self.stream_class.create_event_class(
            name="introperf:stack", payload_field_class=structure(trace_class, STACK)
        )
        self.trace = trace_class(name="live")


class TraceIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._layout, steps = port.user_data
        self._ids = {}
        self._streams = []
        self._ready = []
        self._last = 0
        self._pid = 1
        self._steps = iter(steps)

    def _event(self, event_class, time, fields):
        self._last = time
        message = self._create_event_message(
            event_class, self._streams[-1], default_clock_snapshot=time
        )
        for name, value in fields.items():
            message.event.payload_field[name] = value
        self._ready.append(message)

    def _stack(self, time, kind, functions):
        self._event(
            self._layout.stack,
            time,
            {"kind": kind, "pid": self._pid, "tid": self._pid, "cpu": 0, "comm": "program"}
            | {"argument": 0, "callee": 0, "complete": 1, "functions": functions}
            | {"addresses": [4096] * len(functions)},
        )

    def _do_begin(self):
        self._streams.append(self._layout.trace.create_stream(self._layout.stream_class))
        self._ready.append(self._create_stream_beginning_message(self._streams[-1]))

    def _do_end(self):
        self._ready.append(self._create_stream_end_message(self._streams.pop()))

    def _do_as(self, pid):
        self._pid = int(pid)

    def _do_enter(self, time, name):
        if name not in self._ids:
            self._ids[name] = len(self._ids) + 1
            self._event(
                self._layout.function,
                int(time),
                {"id": self._ids[name], "name": name, "module": "program", "build_id": ""}
                | {"layer": 0},
            )
        self._stack(int(time), ENTRY, [self._ids[name]])

    def _do_leave(self, time):
        self._stack(int(time), EXIT, [])

    def _do_idle(self, time):
        self._ready.append(
            self._create_message_iterator_inactivity_message(self._layout.clock, int(time))
        )

    def _do_wait(self):
        raise bt2.TryAgain

    def _do_interrupt(self):
        os.kill(os.getpid(), signal.SIGINT)

    def _do_lose(self, time):
        self._ready.append(
            self._create_discarded_events_message(
                self._streams[-1],
                count=7,
                beg_clock_snapshot=self._last,
                end_clock_snapshot=int(time),
            )
        )

    def _do_fail(self):
        raise RuntimeError("the connection is lost")

    def __next__(self):
        while not self._ready:
            name, *arguments = next(self._steps).split()
            getattr(self, "_do_" + name)(*arguments)
        return self._ready.pop(0)


@bt2.plugin_component_class
class trace(bt2._UserSourceComponent, message_iterator_class=TraceIterator):
    def __init__(self, config, params, obj):
        self._add_output_port("out", (Layout(self), [str(step) for step in params["steps"]]))


bt2.register_plugin(__name__, "live")
