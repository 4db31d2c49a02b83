# SPDX-License-Identifier: MIT
"""A trace with fields and messages of every kind, for test-symbolize.sh.

source.kinds.trace has one stream with packets and a clock, and one with neither. Some fields are
called like those that hold addresses, and have other types.
"""
import bt2


def structure(trace_class, members):
    result = trace_class.create_structure_field_class()
    for name, field_class in members.items():
        result.append_member(name, field_class)
    return result


def labelled(enumeration, mappings):
    for label, ranges in mappings.items():
        enumeration.add_mapping(label, ranges)
    return enumeration


def choice(trace_class):
    variant = trace_class.create_variant_field_class()
    variant.append_option("number", trace_class.create_signed_integer_field_class(64))
    variant.append_option("text", trace_class.create_string_field_class())
    return variant


def selected(trace_class, selector):
    variant = trace_class.create_variant_field_class(selector)
    variant.append_option(
        "low", trace_class.create_bool_field_class(), bt2.UnsignedIntegerRangeSet([(0, 4)])
    )
    variant.append_option(
        "high", trace_class.create_string_field_class(), bt2.UnsignedIntegerRangeSet([(5, 9)])
    )
    return variant


def payload(trace_class):
    unsigned = trace_class.create_unsigned_integer_field_class
    signed = trace_class.create_signed_integer_field_class
    selector = unsigned(8)
    length = unsigned(16)
    return structure(trace_class, {
        "bool": trace_class.create_bool_field_class(),
        "bits": trace_class.create_bit_array_field_class(12),
        "unsigned": unsigned(7),
        "hexadecimal": unsigned(64, preferred_display_base=bt2.IntegerDisplayBase.HEXADECIMAL),
        "signed": signed(32),
        "labels": labelled(
            trace_class.create_unsigned_enumeration_field_class(8),
            {"some": bt2.UnsignedIntegerRangeSet([(1, 3), (7, 7)])}),
        "signed_labels": labelled(
            trace_class.create_signed_enumeration_field_class(8),
            {"below": bt2.SignedIntegerRangeSet([(-9, -1)])}),
        "single": trace_class.create_single_precision_real_field_class(),
        "double": trace_class.create_double_precision_real_field_class(),
        "text": trace_class.create_string_field_class(),
        "fixed": trace_class.create_static_array_field_class(unsigned(8), 3),
        "length": length,
        "counted": trace_class.create_dynamic_array_field_class(
            structure(trace_class, {"member": signed(16)}), length),
        "free": trace_class.create_dynamic_array_field_class(
            trace_class.create_string_field_class()),
        "option": trace_class.create_option_without_selector_field_class(unsigned(32)),
        "no_option": trace_class.create_option_without_selector_field_class(unsigned(32)),
        "variant": choice(trace_class),
        "selector": selector,
        "selected": selected(trace_class, selector),
        "perf_callchain": trace_class.create_dynamic_array_field_class(signed(64)),
        "perf_ip": trace_class.create_string_field_class(),
    })


VALUES = {
    "bool": True, "unsigned": 127, "hexadecimal": 2**64 - 1, "signed": -2**31,
    "labels": 7, "signed_labels": -5, "single": 0.5, "double": -0.1, "text": "\tü",
    "fixed": [1, 2, 3], "length": 2, "counted": [{"member": -1}, {"member": 1}],
    "free": ["b", "a"], "option": 5, "selector": 6, "perf_callchain": [-1, 5],
    "perf_ip": "text",
}


class KindsIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._full, self._bare, self._event, self._bare_event = port.user_data
        trace = self._full.trace_class(name="kinds", environment={"text": "a", "number": -3})
        self._messages = iter(self._all_messages(trace))

    def _all_messages(self, trace):
        full = trace.create_stream(self._full, 7, "first")
        packet = full.create_packet()
        packet.context_field["cpu_id"] = 3
        yield self._create_stream_beginning_message(full, default_clock_snapshot=10)
        yield self._create_packet_beginning_message(packet, default_clock_snapshot=11)
        yield self._full_event(packet)
        yield self._create_packet_end_message(packet, default_clock_snapshot=20)
        yield self._create_discarded_events_message(full, 5, 20, 30)
        yield self._create_discarded_events_message(full, None, 30, 31)
        yield self._create_discarded_packets_message(full, 2, 31, 40)
        bare = trace.create_stream(self._bare, 9)
        yield self._create_stream_beginning_message(bare)
        message = self._create_event_message(self._bare_event, bare)
        message.event.payload_field["number"] = 1
        yield message
        yield self._create_discarded_events_message(bare, 6)
        yield self._create_stream_end_message(bare)
        yield self._create_stream_end_message(full, default_clock_snapshot=50)

    def _full_event(self, packet):
        message = self._create_event_message(self._event, packet, default_clock_snapshot=12)
        for name, value in VALUES.items():
            message.event.payload_field[name] = value
        message.event.payload_field["bits"].value_as_integer = 0xABC
        message.event.payload_field["no_option"].has_field = False
        message.event.payload_field["variant"].selected_option_index = 1
        message.event.payload_field["variant"].value = "chosen"
        message.event.payload_field["selected"].selected_option_index = 1
        message.event.payload_field["selected"].value = "six"
        message.event.common_context_field["ip"] = 1.5
        message.event.specific_context_field["callstack_user"] = "no stack"
        return message

    def __next__(self):
        return next(self._messages)


@bt2.plugin_component_class
class trace(bt2._UserSourceComponent, message_iterator_class=KindsIterator):
    def __init__(self, config, params, obj):
        trace_class = self._create_trace_class(assigns_automatic_stream_class_id=False)
        clock = self._create_clock_class(
            frequency=1000, name="slow", description="a clock", precision=4,
            offset=bt2.ClockClassOffset(5, 6), origin_is_unix_epoch=False)
        full = trace_class.create_stream_class(
            4, name="full", default_clock_class=clock, supports_packets=True,
            assigns_automatic_event_class_id=False, assigns_automatic_stream_id=False,
            packets_have_beginning_default_clock_snapshot=True,
            packets_have_end_default_clock_snapshot=True,
            supports_discarded_events=True, discarded_events_have_default_clock_snapshots=True,
            supports_discarded_packets=True, discarded_packets_have_default_clock_snapshots=True,
            packet_context_field_class=structure(
                trace_class, {"cpu_id": trace_class.create_unsigned_integer_field_class(8)}),
            event_common_context_field_class=structure(
                trace_class, {"ip": trace_class.create_double_precision_real_field_class()}))
        event = full.create_event_class(
            11, name="kinds:all", log_level=bt2.EventClassLogLevel.NOTICE, emf_uri="uri",
            specific_context_field_class=structure(
                trace_class, {"callstack_user": trace_class.create_string_field_class()}),
            payload_field_class=payload(trace_class))
        bare = trace_class.create_stream_class(
            5, supports_discarded_events=True, assigns_automatic_stream_id=False)
        bare_event = bare.create_event_class(payload_field_class=structure(
            trace_class, {"number": trace_class.create_signed_integer_field_class(64)}))
        self._add_output_port("out", (full, bare, event, bare_event))


bt2.register_plugin(__name__, "kinds")
