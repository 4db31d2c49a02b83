/* SPDX-License-Identifier: MIT */
/*
 * See inputs.h.
 */
#include "sources/perf/inputs.h"

#include <glib/gstdio.h>

#include "messages/failure.h"

const char *const itp_perf_clock_names[] = {
	[ITP_PERF_CLOCK_AUTO] = "auto",
	[ITP_PERF_CLOCK_RECORDING] = "recording",
	[ITP_PERF_CLOCK_WALL] = "wall",
	NULL,
};

/* What was read from it once is gone. */
static bool check_standard_input(const GPtrArray *paths, GError **error)
{
	guint count = 0;

	for (guint i = 0; i < paths->len; i++) {
		count += g_str_equal(g_ptr_array_index(paths, i), ITP_PERF_STANDARD_INPUT);
	}
	if (count > 1) {
		itp_failure_set(error,
				"parameter \"inputs\": \"%s\" is there %u times; standard "
				"input can be read once",
				ITP_PERF_STANDARD_INPUT, count);
	}
	return count <= 1;
}

static bool are_same_file(const char *path, const char *other)
{
	GStatBuf status;
	GStatBuf other_status;

	return g_stat(path, &status) == 0 && g_stat(other, &other_status) == 0 &&
	       status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

/* A recording compared with itself tells nothing, and its events would all be there twice. */
static bool check_repeated(const GPtrArray *paths, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);

		for (guint k = 0; k < i; k++) {
			const char *other = g_ptr_array_index(paths, k);

			if (are_same_file(path, other)) {
				itp_failure_set(error,
						"parameter \"inputs\": %s and %s are the same "
						"recording; name each once",
						other, path);
				return false;
			}
		}
	}
	return true;
}

static bool open_inputs(struct itp_perf_inputs *inputs, const GPtrArray *paths,
			const struct itp_perf_options *options, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		struct itp_perf_input *input =
			itp_perf_input_new(g_ptr_array_index(paths, i), options, error);

		if (!input) {
			return false;
		}
		g_ptr_array_add(inputs->list, input);
	}
	return true;
}

/* Whether the times of all inputs become times of day. */
static bool choose_clock(struct itp_perf_inputs *inputs, enum itp_perf_clock clock, GError **error)
{
	inputs->is_wall = clock != ITP_PERF_CLOCK_RECORDING;
	for (guint i = 0; inputs->is_wall && i < inputs->list->len; i++) {
		const struct itp_perf_input *input = g_ptr_array_index(inputs->list, i);

		inputs->is_wall = itp_perf_input_has_epoch(input);
		if (!inputs->is_wall && clock == ITP_PERF_CLOCK_WALL) {
			itp_failure_set(error,
					"%s: parameter \"clock\": the recording does not tell the "
					"time of day; record with `perf record -k CLOCK_MONOTONIC`",
					input->path);
			return false;
		}
	}
	return true;
}

bool itp_perf_inputs_init(struct itp_perf_inputs *inputs, const GPtrArray *paths,
			  const struct itp_perf_options *options, enum itp_perf_clock clock,
			  GError **error)
{
	inputs->list = g_ptr_array_new_with_free_func((GDestroyNotify)itp_perf_input_free);
	return check_standard_input(paths, error) && check_repeated(paths, error) &&
	       open_inputs(inputs, paths, options, error) && choose_clock(inputs, clock, error);
}

void itp_perf_inputs_release(struct itp_perf_inputs *inputs)
{
	g_clear_pointer(&inputs->list, g_ptr_array_unref);
}
