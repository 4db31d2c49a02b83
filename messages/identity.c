/* SPDX-License-Identifier: MIT */
/* See identity.h. */
#include "messages/identity.h"

/* UUID in both versions, as a trace may be saved in a graph of one version and read in a graph of
 * the other. */
static const uint8_t shared_uuid[] = { 0xf0, 0xb0, 0xfe, 0x9e, 0xe9, 0xfd, 0x57, 0x13,
				       0x89, 0xc8, 0x66, 0xb7, 0x58, 0x74, 0xaa, 0xbc };
#define SHARED_UID "f0b0fe9e-e9fd-5713-89c8-66b75874aabc"

#ifdef ITP_HAS_MIP_1

/* Copies a property from `from` to `to`, if set: COPY(trace, TRACE, uid, UID). */
#define COPY(kind, KIND, property, PROPERTY)                                 \
	(!bt_##kind##_get_##property(from) ||                                \
	 bt_##kind##_set_##property(to, bt_##kind##_get_##property(from)) == \
		 BT_##KIND##_SET_##PROPERTY##_STATUS_OK)

static bool is_newer(const bt_trace_class *trace_class)
{
	return bt_trace_class_get_graph_mip_version(trace_class) > 0;
}

static void copy_exactness(bt_clock_class *to, const bt_clock_class *from)
{
	uint64_t cycles;

	if (bt_clock_class_get_opt_precision(from, &cycles) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_clock_class_set_precision(to, cycles);
	}
	if (bt_clock_class_get_accuracy(from, &cycles) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_clock_class_set_accuracy(to, cycles);
	}
}

static bool copy_origin(bt_clock_class *to, const bt_clock_class *from)
{
	return !bt_clock_class_origin_is_known(from) || bt_clock_class_origin_is_unix_epoch(from) ||
	       bt_clock_class_set_origin(to, bt_clock_class_get_origin_namespace(from),
					 bt_clock_class_get_origin_name(from),
					 bt_clock_class_get_origin_uid(from)) ==
		       BT_CLOCK_CLASS_SET_ORIGIN_STATUS_OK;
}

#endif

bool itp_clock_identity_share(bt_clock_class *clock)
{
#ifdef ITP_HAS_MIP_1
	if (bt_clock_class_get_graph_mip_version(clock) > 0) {
		return bt_clock_class_set_uid(clock, SHARED_UID) ==
		       BT_CLOCK_CLASS_SET_UID_STATUS_OK;
	}
#endif
	bt_clock_class_set_uuid(clock, shared_uuid);
	return true;
}

bool itp_clock_identity_copy(bt_clock_class *to, const bt_clock_class *from)
{
#ifdef ITP_HAS_MIP_1
	if (bt_clock_class_get_graph_mip_version(to) > 0) {
		copy_exactness(to, from);
		return copy_origin(to, from) &&
		       COPY(clock_class, CLOCK_CLASS, namespace, NAMESPACE) &&
		       COPY(clock_class, CLOCK_CLASS, uid, UID);
	}
#endif
	bt_clock_class_set_precision(to, bt_clock_class_get_precision(from));
	if (bt_clock_class_get_uuid(from)) {
		bt_clock_class_set_uuid(to, bt_clock_class_get_uuid(from));
	}
	return true;
}

bool itp_trace_identity_copy(bt_trace *to, const bt_trace *from)
{
#ifdef ITP_HAS_MIP_1
	if (is_newer(bt_trace_borrow_class_const(to))) {
		return COPY(trace, TRACE, namespace, NAMESPACE) && COPY(trace, TRACE, uid, UID);
	}
#endif
	if (bt_trace_get_uuid(from)) {
		bt_trace_set_uuid(to, bt_trace_get_uuid(from));
	}
	return true;
}

bool itp_stream_class_identity_copy(bt_stream_class *to, const bt_stream_class *from)
{
#ifdef ITP_HAS_MIP_1
	return !is_newer(bt_stream_class_borrow_trace_class_const(to)) ||
	       (COPY(stream_class, STREAM_CLASS, namespace, NAMESPACE) &&
		COPY(stream_class, STREAM_CLASS, uid, UID));
#else
	(void)to, (void)from;
	return true;
#endif
}

bool itp_event_class_identity_copy(bt_event_class *to, const bt_event_class *from)
{
#ifdef ITP_HAS_MIP_1
	return !is_newer(bt_stream_class_borrow_trace_class_const(
		       bt_event_class_borrow_stream_class_const(to))) ||
	       (COPY(event_class, EVENT_CLASS, namespace, NAMESPACE) &&
		COPY(event_class, EVENT_CLASS, uid, UID));
#else
	(void)to, (void)from;
	return true;
#endif
}
