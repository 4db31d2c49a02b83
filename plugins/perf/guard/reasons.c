/* SPDX-License-Identifier: MIT */
/*
 * See reasons.h.
 */
#include "plugins/perf/guard/reasons.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/render/json.h"
#include "common/render/units.h"

/* Functions shown of a context, at most, the last: callees say most about the lateness. */
#define SHOWN 4
#define CALLED " \u203a "
/* Part of the time from which a thread is said to do nothing but run, or but wait. */
#define MOSTLY 0.9

static const struct itp_function *function_of_reason(const struct itp_function_table *functions,
						     const struct itp_guard_reason *reason, guint i)
{
	return itp_function_table_get(functions, g_array_index(reason->path, uint32_t, i));
}

/* ---- Text ---- */

static void append_path(const struct itp_function_table *functions,
			const struct itp_guard_reason *reason, GString *output)
{
	const guint length = reason->path->len;
	const guint begin = length > SHOWN ? length - SHOWN : 0;

	for (guint i = begin; i < length; i++) {
		g_autofree char *name =
			itp_label_clean(function_of_reason(functions, reason, i)->name);

		g_string_append_printf(output, "%s%s", i > begin ? CALLED : "", name);
	}
}

/* True when an earlier reason is a context below: its part is not meant. */
static bool is_rest(const struct itp_guard_excess_of_type *told, guint number)
{
	const GArray *path = g_array_index(told->reasons, struct itp_guard_reason, number).path;
	bool found = false;

	for (guint i = 0; i < number && !found; i++) {
		const GArray *other = g_array_index(told->reasons, struct itp_guard_reason, i).path;

		found = path->len <= other->len &&
			memcmp(path->data, other->data, path->len * sizeof(uint32_t)) == 0;
	}
	return found;
}

static const char *doing_text(const struct itp_guard_reason *reason)
{
	return reason->running >= MOSTLY     ? "running in" :
	       reason->running <= 1 - MOSTLY ? "blocked in" :
					       "in";
}

/* Usual time in the context, and time of late units in it, on average. */
static void append_usual(const struct itp_guard_reason *reason, GString *output)
{
	g_autofree char *usual = itp_units_time(reason->usual_ns);
	g_autofree char *now = itp_units_time(reason->seen_ns / (int64_t)MAX(reason->units, 1));

	if (reason->usual_ns < 0) {
		g_string_append_printf(output, " (%s each)", now);
	} else {
		g_string_append_printf(output, " (%s each, usually %s)", now,
				       reason->usual_ns > 0 ? usual : "next to nothing");
	}
}

/* Part of the late units with a stack. */
static void append_seen(const struct itp_guard_excess_of_type *told, GString *output)
{
	g_autofree char *units = itp_units_count(told->seen_units);

	if (told->reasons->len == 0) {
		g_string_append(output, "; where was not seen");
	} else if (told->seen_units < told->units) {
		g_string_append_printf(
			output, "; of %s of them, with %.0f %% of that, stacks were seen", units,
			100 * (double)told->seen_excess_ns / (double)MAX(told->excess_ns, 1));
	}
}

void itp_guard_reasons_append(const struct itp_function_table *functions,
			      const struct itp_guard_excess_of_type *told, const char *name,
			      int64_t typical_ns, GString *output)
{
	g_autofree char *clean = itp_label_clean(name);
	g_autofree char *units = itp_units_counted(told->units, "late unit");
	g_autofree char *excess = itp_units_time(told->excess_ns);
	g_autofree char *taken = itp_units_time(told->taken_ns / (int64_t)MAX(told->units, 1));
	g_autofree char *typical = itp_units_time(typical_ns);

	g_string_append_printf(output, "%s of %s took %s longer than usual (%s each, usually %s)",
			       units, clean, excess, taken, typical);
	append_seen(told, output);
	for (guint i = 0; i < told->reasons->len; i++) {
		const struct itp_guard_reason *reason =
			&g_array_index(told->reasons, struct itp_guard_reason, i);

		g_string_append_printf(output, "%s %.0f %% %s%s ", i == 0 ? ":" : ";",
				       100 * reason->part, is_rest(told, i) ? "elsewhere " : "",
				       doing_text(reason));
		append_path(functions, reason, output);
		append_usual(reason, output);
	}
}

/* ---- JSON ---- */

static json_t *reason_object(const struct itp_function_table *functions,
			     const struct itp_guard_reason *reason)
{
	json_t *object = json_object();
	json_t *stack = json_array();

	itp_json_set_real(object, "part", reason->part);
	itp_json_set_signed(object, "excess_ns", reason->excess_ns);
	itp_json_set_unsigned(object, "units", reason->units);
	itp_json_set_signed(object, "seen_ns", reason->seen_ns);
	itp_json_set_real(object, "running", reason->running);
	if (reason->usual_ns >= 0) {
		itp_json_set_signed(object, "usual_ns", reason->usual_ns);
	}
	for (guint i = 0; i < reason->path->len; i++) {
		g_autofree char *key =
			itp_guard_function_key(function_of_reason(functions, reason, i));

		json_array_append_new(stack, itp_json_text(key));
	}
	json_object_set_new_nocheck(object, "stack", stack);
	return object;
}

void itp_guard_reasons_set(const struct itp_function_table *functions,
			   const struct itp_guard_excess_of_type *told, int64_t typical_ns,
			   json_t *object)
{
	json_t *reasons = json_array();

	itp_json_set_unsigned(object, "units", told->units);
	itp_json_set_signed(object, "taken_ns", told->taken_ns);
	itp_json_set_signed(object, "typical_ns", typical_ns);
	itp_json_set_signed(object, "excess_ns", told->excess_ns);
	itp_json_set_unsigned(object, "seen_units", told->seen_units);
	itp_json_set_signed(object, "seen_excess_ns", told->seen_excess_ns);
	for (guint i = 0; i < told->reasons->len; i++) {
		json_array_append_new(
			reasons,
			reason_object(functions,
				      &g_array_index(told->reasons, struct itp_guard_reason, i)));
	}
	json_object_set_new_nocheck(object, "reasons", reasons);
}
