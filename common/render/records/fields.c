/* SPDX-License-Identifier: MIT */
/*
 * See fields.h: the record in the making, and values that several tables have.
 */
#include "common/render/records/fields.h"

#include <math.h>

#include "common/render/cells.h"
#include "common/render/workload.h"

void itp_record_set(struct itp_record *record, const char *name, json_t *value)
{
	g_autofree char *with_unit = NULL;

	if (g_str_has_suffix(name, "_")) {
		const bool calls = record->ranking->options.metric == ITP_METRIC_COUNT;

		with_unit = g_strconcat(name, calls ? "calls" : "ns", NULL);
	}
	json_object_set_new_nocheck(record->object, with_unit ? with_unit : name, value);
}

json_t *itp_record_texts(const struct itp_record *record, json_t *array, const char *separator)
{
	g_autoptr(GString) texts = g_string_new(NULL);
	size_t i;
	json_t *text;

	if (record->layout == ITP_LAYOUT_JSON) {
		return array;
	}
	json_array_foreach(array, i, text)
	{
		g_string_append_printf(texts, "%s%s", i > 0 ? separator : "",
				       json_string_value(text));
	}
	json_decref(array);
	return itp_json_text(texts->str);
}

json_t *itp_record_possible(uint64_t seen, uint64_t unseen)
{
	return unseen == ITP_CALLS_UNKNOWN ? json_null() : itp_json_unsigned(seen + unseen);
}

json_t *itp_record_deviation_ns(const struct itp_workload *workload, const struct itp_ticks *ticks)
{
	return workload && itp_workload_has_ticks(workload) ?
		       json_integer(llround(itp_ticks_deviation_ns(ticks))) :
		       json_null();
}

json_t *itp_record_known(uint32_t function, const char *text)
{
	return function == ITP_FUNCTION_UNKNOWN ? NULL : itp_json_text(text);
}
