/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "messages/clock.h"

#include "messages/identity.h"

static bool copy_texts(bt_clock_class *clock, const bt_clock_class *from)
{
	const char *name = bt_clock_class_get_name(from);
	const char *description = bt_clock_class_get_description(from);

	return (!name ||
		bt_clock_class_set_name(clock, name) == BT_CLOCK_CLASS_SET_NAME_STATUS_OK) &&
	       (!description || bt_clock_class_set_description(clock, description) ==
					BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK);
}

bt_clock_class *itp_clock_copy(bt_self_component *self, const bt_clock_class *from)
{
	bt_clock_class *clock = bt_clock_class_create(self);
	int64_t offset_seconds;
	uint64_t offset_cycles;

	if (!clock || !copy_texts(clock, from)) {
		bt_clock_class_put_ref(clock);
		return NULL;
	}
	bt_clock_class_set_frequency(clock, bt_clock_class_get_frequency(from));
	bt_clock_class_get_offset(from, &offset_seconds, &offset_cycles);
	bt_clock_class_set_offset(clock, offset_seconds, offset_cycles);
	bt_clock_class_set_origin_is_unix_epoch(clock, bt_clock_class_origin_is_unix_epoch(from));
	if (!itp_clock_identity_copy(clock, from)) {
		BT_CLOCK_CLASS_PUT_REF_AND_RESET(clock);
	}
	return clock;
}

bool itp_clock_snapshot_ns(const bt_clock_snapshot *snapshot, int64_t *ret_time_ns)
{
	bool fits = bt_clock_snapshot_get_ns_from_origin(snapshot, ret_time_ns) ==
		    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK;

	if (!fits) {
		bt_current_thread_clear_error();
	}
	return fits;
}

bool itp_clock_zero_ns(const bt_clock_class *clock, int64_t *ret_zero_ns)
{
	bool fits = bt_clock_class_cycles_to_ns_from_origin(clock, 0, ret_zero_ns) ==
		    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK;

	if (!fits) {
		bt_current_thread_clear_error();
	}
	return fits;
}
