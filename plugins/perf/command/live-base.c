/* SPDX-License-Identifier: MIT */
/*
 * See live-base.h.
 */
#include "plugins/perf/command/live-base.h"

#include "messages/failure.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/host/trial.h"

#define STANDARD_STREAM "-"

static bool add_inputs(struct itp_live_base *base, const bt_value *names, GError **error)
{
	for (uint64_t i = 0; names && i < bt_value_array_get_length(names); i++) {
		const char *name =
			bt_value_string_get(bt_value_array_borrow_element_by_index_const(names, i));

		if (g_str_equal(name, STANDARD_STREAM)) {
			itp_failure_set(error, "parameter \"base\": name a file, not \"-\"");
			return false;
		}
		if (!itp_inputs_add(&base->inputs, name, error)) {
			return false;
		}
	}
	return true;
}

static bool read_recordings(struct itp_live_base *base, GError **error)
{
	struct itp_progress_line line;
	struct itp_recordings_watch watch = itp_reading_watch(&line);
	bool done;

	itp_progress_line_init(&line);
	done = itp_recordings_read(base->recordings, &watch, error);
	itp_progress_line_release(&line);
	itp_recordings_add_profiles(base->recordings, base->profiles);
	return done;
}

/* Before there are other threads and perf records. */
static bool try_traces(const struct itp_live_base *base, GError **error)
{
	struct itp_graph plugins = { .graph = NULL };
	bool done = true;

	for (guint i = 0; done && i < base->inputs.traces->len; i++) {
		const GPtrArray *traces = g_ptr_array_index(base->inputs.traces, i);

		for (guint j = 0; done && j < traces->len; j++) {
			done = itp_trial_read(&plugins, g_ptr_array_index(traces, j), error);
		}
	}
	itp_graph_release(&plugins);
	return done;
}

/* With nothing to compare with, every period would look new. */
static bool check_profiles(const struct itp_live_base *base, GError **error)
{
	for (guint i = 0; i < base->profiles->len; i++) {
		const struct itp_profile *profile =
			g_array_index(base->profiles, struct itp_memory_profile, i).source.profile;

		if (itp_profile_is_empty(profile)) {
			itp_failure_set(error, "parameter \"base\": \"%s\" holds no calls",
					profile->workload.name);
			return false;
		}
	}
	return true;
}

bool itp_live_base_read(struct itp_live_base *base, bt_value *const *values, GError **error)
{
	const bt_value *names =
		bt_value_map_borrow_entry_value_const(values[ITP_STAGE_RANK], "base");

	*base = (struct itp_live_base){ .recordings = NULL };
	itp_inputs_init(&base->inputs);
	base->profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	if (!itp_host_params_init(&base->params, values, error) ||
	    !add_inputs(base, names, error) || !try_traces(base, error)) {
		return false;
	}
	base->recordings = itp_recordings_new(base->inputs.recordings, &base->params, error);
	return base->recordings && read_recordings(base, error) && check_profiles(base, error);
}

void itp_live_base_release(struct itp_live_base *base)
{
	g_array_unref(base->profiles);
	itp_recordings_free(base->recordings);
	itp_host_params_release(&base->params);
	itp_inputs_release(&base->inputs);
}
