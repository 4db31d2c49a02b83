/* SPDX-License-Identifier: MIT */
/*
 * See parts.h: the units of work in the data of the page.
 */
#include "common/base/labels.h"
#include "common/render/json.h"
#include "common/render/report/parts.h"
#include "common/render/units.h"

static json_t *slow_array(const struct itp_ranking *ranking, bool of_base,
			  const struct itp_slow_call *unit)
{
	struct itp_recording recording;
	json_t *array = json_array();

	itp_ranking_recording(ranking, of_base, unit->run, &recording);
	json_array_append_new(array, json_integer(unit->tid));
	json_array_append_new(array,
			      json_integer(itp_time_since_ns(unit->begin_ns, recording.begin_ns)));
	json_array_append_new(array, json_integer(unit->latency_ns));
	json_array_append_new(array, json_integer(unit->run));
	return array;
}

/* "serve: answer; look" */
static json_t *name_text(const struct itp_unit_sum *sum)
{
	g_autofree char *name =
		g_strconcat(sum->loop, sum->telling[0] != '\0' ? ": " : "", sum->telling, NULL);
	g_autofree char *clean = itp_label_clean(name);

	return itp_json_text(clean);
}

static json_t *type_object(const struct itp_ranking *ranking, bool of_base,
			   const struct itp_unit_sums *sums, guint number)
{
	const struct itp_unit_sum *sum = itp_unit_sums_get(sums, number);
	json_t *object = json_object();
	json_t *slowest = json_array();
	size_t count;
	const struct itp_slow_call *units =
		itp_slowest_of_node(itp_unit_sums_slowest(sums), number, &count);

	json_object_set_new_nocheck(object, "name", name_text(sum));
	itp_json_set_text(object, "process", sum->process);
	itp_json_set_unsigned(object, "count", sum->count);
	itp_json_set_signed(object, "total_ns", sum->total_ns);
	for (size_t i = 0; i < count; i++) {
		json_array_append_new(slowest, slow_array(ranking, of_base, &units[i]));
	}
	json_object_set_new_nocheck(object, "slowest", slowest);
	return object;
}

static gint compare_totals(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_unit_sum *left = itp_unit_sums_get(data, *(const guint *)a);
	const struct itp_unit_sum *right = itp_unit_sums_get(data, *(const guint *)b);

	return (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
}

/* guint: their numbers, the one with most time first. */
static GArray *sort_types(const struct itp_unit_sums *sums)
{
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; itp_unit_sums_get(sums, i); i++) {
		g_array_append_val(numbers, i);
	}
	g_array_sort_with_data(numbers, compare_totals, (gpointer)sums);
	return numbers;
}

guint *itp_report_unit_places(const struct itp_unit_sums *sums, guint *ret_count)
{
	g_autoptr(GArray) numbers = sort_types(sums);
	guint *places = g_new0(guint, numbers->len + 1);

	for (guint i = 0; i < numbers->len; i++) {
		places[g_array_index(numbers, guint, i)] = MIN(i, ITP_REPORT_UNIT_TYPES);
	}
	*ret_count = numbers->len;
	return places;
}

static json_t *types_array(const struct itp_ranking *ranking, bool of_base)
{
	const struct itp_unit_sums *sums = (of_base ? ranking->base : ranking->suspect)->units;
	g_autoptr(GArray) numbers = sort_types(sums);
	json_t *array = json_array();

	for (guint i = 0; i < MIN(numbers->len, ITP_REPORT_UNIT_TYPES); i++) {
		json_array_append_new(array, type_object(ranking, of_base, sums,
							 g_array_index(numbers, guint, i)));
	}
	return array;
}

json_t *itp_report_units(const struct itp_ranking *ranking)
{
	json_t *object = json_object();

	json_object_set_new_nocheck(object, "suspect", types_array(ranking, false));
	if (ranking->base) {
		json_object_set_new_nocheck(object, "base", types_array(ranking, true));
	}
	return object;
}
