# SPDX-License-Identifier: MIT
"""A recording of perf, laid out as LTTng 2.13 lays out a kernel trace.

source.lttng.kernel reads the CTF trace that `perf data convert --to-ctf --all` made (parameter
`perf`) and sends the same events with LTTng's names and fields: a stream for each CPU, and the
contexts procname, pid, tid, callstack_kernel and callstack_user with all events. The parameter
`without` leaves out one context or changes something, see CONTEXTS and CHANGES; "other-type:FIELD"
makes that field a text where it is a number, and a number where it is anything else.
"""
import re

import bt2

CONTEXTS = ("procname", "pid", "tid", "callstack_kernel", "callstack_user")
CHANGES = ("signed-stack", "text-tid", "no-depth", "cut-stack", "deep-stack", "compat",
           "discarded-events", "discarded-packets", "time-backwards", "no-end", "two-clocks")
OTHER_TYPE = "other-type:"
# The event at which something happens that happens once, and how many are lost there.
MIDDLE = 1000
LOST = 7

MARKER = 2**64 - 4095
KERNEL = 2**64 - 128
USER = 2**64 - 512
CUT = 2**64 - 1
LIMIT = 128
EXECVE = 59


def call_names():
    names = {}
    with open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", encoding="ascii") as file:
        for line in file:
            match = re.match(r"#define __NR_(\w+) (\d+)", line)
            if match:
                names[int(match[2])] = match[1]
    return names


def split_chain(chain):
    parts = {KERNEL: [], USER: []}
    part = None
    for address in chain:
        if address >= MARKER:
            part = parts.get(address)
        elif part is not None:
            part.append(address)
    return parts[KERNEL], parts[USER]


class Translator:
    """From perf's events to (name, fields, context, time), as LTTng would have them."""

    def __init__(self):
        self._calls = call_names()
        self._comms = {}

    def _context(self, pid, tid, chain=()):
        kernel, user = split_chain(chain)
        return {
            "procname": self._comms.get(tid, ""),
            "pid": pid,
            "tid": tid,
            "callstack_kernel": kernel,
            "callstack_user": user,
        }

    def _sample(self, name, event):
        context = self._context(
            int(event["perf_pid"]), int(event["perf_tid"]), map(int, event["perf_callchain"])
        )
        if name == "raw_syscalls:sys_enter":
            return "syscall_entry_" + self._calls[int(event["id"])], {}, context
        if name == "raw_syscalls:sys_exit":
            return "syscall_exit_" + self._calls[int(event["id"])], {"ret": int(event["ret"])}, context
        if name == "sched:sched_switch":
            fields = {
                "prev_state": int(event["prev_state"]),
                "next_comm": str(event["next_comm"]),
                "next_tid": int(event["next_pid"]),
            }
            return "sched_switch", fields, context
        if name == "sched:sched_wakeup":
            return "sched_wakeup", {"tid": int(event["pid"])}, context
        return "timer_hrtimer_expire_entry", {}, context

    def _record(self, name, event, time):
        pid, tid = int(event["pid"]), int(event["tid"])
        if name == "perf_comm":
            is_exec = self._comms.get(tid) == "perf-exec"
            self._comms[tid] = str(event["comm"])
            if is_exec:
                return "sched_process_exec", {"tid": tid}, self._context(pid, tid)
        if name == "perf_fork" and time > 0:
            parent = int(event["ptid"])
            self._comms[tid] = self._comms[parent]
            fields = {
                "parent_tid": parent,
                "parent_pid": int(event["ppid"]),
                "child_tid": tid,
                "child_pid": pid,
            }
            return "sched_process_fork", fields, self._context(int(event["ppid"]), parent)
        if name == "perf_exit":
            return "sched_process_exit", {"tid": tid}, self._context(pid, tid)
        return None

    def translate(self, name, event, time):
        if name.startswith("perf_"):
            return self._record(name, event, time)
        return self._sample(name, event)


def read_perf(path):
    translator = Translator()
    for message in bt2.TraceCollectionMessageIterator(path):
        if not isinstance(message, bt2._EventMessageConst):
            continue
        time = message.default_clock_snapshot.value
        cpu = int(message.event.packet.context_field["cpu_id"])
        found = translator.translate(message.event.name, message.event, time)
        if found:
            yield (time, cpu) + found


def change_context(context, change):
    if change == "no-depth":
        context["callstack_kernel"] = context["callstack_user"] = []
    elif change == "cut-stack":
        context["callstack_user"] = context["callstack_user"][:2] + [CUT]
    elif change == "deep-stack":
        user = context["callstack_user"]
        context["callstack_user"] = (user * LIMIT)[:LIMIT]
    elif change == "text-tid":
        context["tid"] = str(context["tid"])


class Layout:
    """The classes of the trace."""

    def __init__(self, component, change):
        self.change = change
        self.other_type = change[len(OTHER_TYPE):] if change.startswith(OTHER_TYPE) else None
        self.trace_class = component._create_trace_class()
        clock = component._create_clock_class(
            name="monotonic", frequency=1000000000, origin_is_unix_epoch=False
        )
        self.stream_class = self.trace_class.create_stream_class(
            name="channel0",
            default_clock_class=clock,
            supports_packets=True,
            packets_have_beginning_default_clock_snapshot=True,
            packets_have_end_default_clock_snapshot=True,
            supports_discarded_events=change == "discarded-events",
            discarded_events_have_default_clock_snapshots=change == "discarded-events",
            supports_discarded_packets=change == "discarded-packets",
            discarded_packets_have_default_clock_snapshots=change == "discarded-packets",
            packet_context_field_class=self._structure({"cpu_id": 0}),
            event_common_context_field_class=self._context(),
        )
        self.second_class = None
        if change == "two-clocks":
            self.second_class = self.trace_class.create_stream_class(
                default_clock_class=component._create_clock_class(
                    frequency=1000, origin_is_unix_epoch=False))
        self._event_classes = {}

    def _structure(self, fields):
        structure = self.trace_class.create_structure_field_class()
        for name, value in fields.items():
            structure.append_member(name, self._field(self.value_of(name, value)))
        return structure

    def value_of(self, name, value):
        """The value, or one of another type in its place."""
        if name != self.other_type:
            return value
        return str(value) if isinstance(value, int) else 7

    def _field(self, value):
        if isinstance(value, str):
            return self.trace_class.create_string_field_class()
        return self.trace_class.create_signed_integer_field_class(64)

    def _context(self):
        structure = self.trace_class.create_structure_field_class()
        for name in CONTEXTS:
            if name == self.change:
                continue
            if name.startswith("callstack_") and name != self.other_type:
                self._append_stack(structure, name)
            else:
                is_text = name == "procname" or (name, self.change) == ("tid", "text-tid")
                value = self.value_of(name, "" if is_text else 0)
                if name.startswith("callstack_"):
                    value = 0
                structure.append_member(name, self._field(value))
        return structure

    def _append_stack(self, structure, name):
        length = self.trace_class.create_unsigned_integer_field_class(32)
        if self.change == "signed-stack":
            element = self.trace_class.create_signed_integer_field_class(64)
        else:
            element = self.trace_class.create_unsigned_integer_field_class(64)
        structure.append_member(f"_{name}_length", length)
        structure.append_member(
            name, self.trace_class.create_dynamic_array_field_class(element, length)
        )

    def event_class(self, name, fields):
        if name not in self._event_classes:
            self._event_classes[name] = self.stream_class.create_event_class(
                name=name, payload_field_class=self._structure(fields)
            )
        return self._event_classes[name]

    def fill_context(self, target, context):
        change_context(context, self.change)
        for name, value in context.items():
            if name == self.change:
                continue
            value = self.value_of(name, value)
            if name.startswith("callstack_") and name != self.other_type:
                target[f"_{name}_length"] = len(value)
                if self.change == "signed-stack":
                    value = [number - 2**64 if number >= 2**63 else number for number in value]
            target[name] = value


class KernelIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._layout, self._events, environment = port.user_data
        self._trace = self._layout.trace_class(name="kernel", environment=environment)
        self._messages = self._all_messages()

    def _all_messages(self):
        packets = {}
        for cpu in sorted({event[1] for event in self._events}):
            stream = self._trace.create_stream(self._layout.stream_class)
            packets[cpu] = stream.create_packet()
            packets[cpu].context_field["cpu_id"] = cpu
            yield self._create_stream_beginning_message(stream)
            yield self._create_packet_beginning_message(packets[cpu], self._events[0][0])
        if self._layout.second_class is not None:
            yield self._create_stream_beginning_message(
                self._trace.create_stream(self._layout.second_class))
        for number, (time, cpu, name, fields, context) in enumerate(self._events):
            if number == MIDDLE and self._layout.change.startswith("discarded-"):
                yield self._loss(packets[cpu].stream, time)
            if number == MIDDLE and self._layout.change == "time-backwards":
                time = self._events[0][0]
            message = self._create_event_message(
                self._layout.event_class(name, fields), packets[cpu], default_clock_snapshot=time
            )
            self._layout.fill_context(message.event.common_context_field, context)
            for field, value in fields.items():
                message.event.payload_field[field] = self._layout.value_of(field, value)
            yield message
        if self._layout.change == "no-end":
            return
        for packet in packets.values():
            yield self._create_packet_end_message(packet, self._events[-1][0])
            yield self._create_stream_end_message(packet.stream)

    def _loss(self, stream, time):
        if self._layout.change == "discarded-events":
            return self._create_discarded_events_message(stream, LOST, time - 1, time)
        return self._create_discarded_packets_message(stream, LOST, time - 1, time)

    def __next__(self):
        return next(self._messages)


@bt2.plugin_component_class
class kernel(bt2._UserSourceComponent, message_iterator_class=KernelIterator):
    def __init__(self, config, params, obj):
        change = str(params["without"]) if "without" in params else ""
        assert change in ("",) + CONTEXTS + CHANGES or change.startswith(OTHER_TYPE)
        layout = Layout(self, change)
        events = list(read_perf(str(params["perf"])))
        if change == "compat":
            events = [event[:2] + (re.sub("^syscall_", "compat_syscall_", event[2]),) + event[3:]
                      for event in events]
        for _, _, name, fields, _ in events:
            layout.event_class(name, fields)
        environment = {"domain": "kernel", "tracer_name": "lttng-modules", "tracer_major": 2,
                       "tracer_minor": 13, "kernel_release": "none"}
        self._add_output_port("out", (layout, events, environment))


bt2.register_plugin(__name__, "lttng")
