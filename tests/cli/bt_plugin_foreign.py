# SPDX-License-Identifier: MIT
"""Traces that introperf did not write, for test-foreign-traces.sh.

source.foreign.trace sends one introperf:function and two introperf:stack events whose layout or
values are spoiled in the way that its parameter `spoil` names.
"""
import bt2

SPOILS = (
    "nothing", "event-name", "no-payload", "missing-field", "field-type", "array-type",
    "unknown-kind", "unknown-function", "unequal-arrays", "deep-stack", "time-backwards",
    "no-clock", "node-only", "wide-pid", "filled",
)


def unsigned(trace_class, bits):
    return trace_class.create_unsigned_integer_field_class(bits)


def signed(trace_class, bits):
    return trace_class.create_signed_integer_field_class(bits)


def function_payload(trace_class):
    payload = trace_class.create_structure_field_class()
    payload.append_member("id", unsigned(trace_class, 32))
    for name in ("name", "module", "build_id"):
        payload.append_member(name, trace_class.create_string_field_class())
    payload.append_member("layer", unsigned(trace_class, 8))
    return payload


def stack_payload(trace_class, spoil):
    payload = trace_class.create_structure_field_class()
    # Another order than ours, and one member more: neither matters.
    payload.append_member("remark", trace_class.create_string_field_class())
    payload.append_member("comm", trace_class.create_string_field_class())
    payload.append_member("kind", unsigned(trace_class, 8))
    for name in ("pid", "tid", "cpu", "argument"):
        if name == "tid" and spoil == "missing-field":
            continue
        if name == "tid" and spoil == "field-type":
            payload.append_member(name, trace_class.create_string_field_class())
            continue
        payload.append_member(name, signed(trace_class, 64))
    payload.append_member("callee", unsigned(trace_class, 32))
    payload.append_member("complete", unsigned(trace_class, 8))
    for name in ("addresses", "functions"):
        element = signed(trace_class, 64) if spoil == "array-type" else unsigned(trace_class, 64)
        payload.append_member(name, trace_class.create_dynamic_array_field_class(element))
    if spoil == "filled":
        payload.append_member("filled", unsigned(trace_class, 32))
    return payload


class TraceIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._spoil, trace_class, stream_class, self._function, self._stack = port.user_data
        stream = trace_class(name="foreign").create_stream(stream_class)
        self._messages = iter(
            [self._create_stream_beginning_message(stream)]
            + self._events(stream)
            + [self._create_stream_end_message(stream)]
        )

    def _events(self, stream):
        if self._spoil == "no-clock":
            return []
        times = (1000, 900) if self._spoil == "time-backwards" else (1000, 2000)
        return [self._function_event(stream)] + [
            self._stack_event(stream, time) for time in times
        ]

    def _function_event(self, stream):
        message = self._create_event_message(self._function, stream, default_clock_snapshot=1000)
        payload = message.event.payload_field
        payload["id"] = 7
        payload["name"] = "main"
        payload["module"] = "program"
        payload["build_id"] = ""
        payload["layer"] = 0
        return message

    def _stack_event(self, stream, time):
        message = self._create_event_message(self._stack, stream, default_clock_snapshot=time)
        payload = message.event.payload_field
        if self._spoil == "no-payload":
            return message
        depth = 1025 if self._spoil == "deep-stack" else 1
        function = 8 if self._spoil == "unknown-function" else 7
        payload["remark"] = ""
        payload["comm"] = "program"
        # The thread leaves the CPU, blocked: latencies are known.
        payload["kind"] = 99 if self._spoil == "unknown-kind" else 2
        payload["pid"] = 2**40 if self._spoil == "wide-pid" else 1
        if self._spoil == "field-type":
            payload["tid"] = "1"
        elif self._spoil != "missing-field":
            payload["tid"] = 1
        payload["cpu"] = -1
        payload["argument"] = 1
        payload["callee"] = 0
        payload["complete"] = 1
        if self._spoil == "filled":
            payload["filled"] = 1
        payload["addresses"] = [4096] * depth
        payload["functions"] = [function] * (2 if self._spoil == "unequal-arrays" else depth)
        return message

    def __next__(self):
        return next(self._messages)


@bt2.plugin_component_class
class trace(bt2._UserSourceComponent, message_iterator_class=TraceIterator):
    def __init__(self, config, params, obj):
        spoil = str(params["spoil"])
        assert spoil in SPOILS
        trace_class = self._create_trace_class()
        clock = self._create_clock_class(frequency=1000000000, origin_is_unix_epoch=False)
        if spoil == "no-clock":
            stream_class = trace_class.create_stream_class()
        else:
            stream_class = trace_class.create_stream_class(default_clock_class=clock)
        function = stream_class.create_event_class(
            name="introperf:function", payload_field_class=function_payload(trace_class)
        )
        stack_name = {"event-name": "sched_switch", "node-only": "introperf:node"}
        stack = stream_class.create_event_class(
            name=stack_name.get(spoil, "introperf:stack"),
            payload_field_class=None
            if spoil == "no-payload"
            else stack_payload(trace_class, spoil),
        )
        self._add_output_port("out", (spoil, trace_class, stream_class, function, stack))


bt2.register_plugin(__name__, "foreign")
