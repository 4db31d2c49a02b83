/* SPDX-License-Identifier: MIT */
/*
 * See values.h.
 */
#include "plugins/perf/command/values.h"

void itp_values_append(bt_value *values, const char *name, const char *text)
{
	bt_value *array = bt_value_map_borrow_entry_value(values, name);

	if (!array) {
		bt_value_map_insert_empty_array_entry(values, name, &array);
	}
	bt_value_array_append_string_element(array, text);
}
