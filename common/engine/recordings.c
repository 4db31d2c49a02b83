/* SPDX-License-Identifier: MIT */
/*
 * See recordings.h.
 */
#include "common/engine/recordings.h"

#include "common/base/failure.h"
#include "common/engine/memory-profile.h"

#define EVENTS_PER_LOOK 4096

/* Single recording. */
struct recording {
	/* Weak. */
	struct itp_perf_input *input;
	/* Added to the recording's times. */
	int64_t offset_ns;
	/* Owned by this. */
	struct itp_perf_session *session;
	struct itp_analysis *analysis;
	char *name;
	struct itp_profile_source source;
};

struct itp_recordings {
	struct itp_perf_inputs inputs;
	/* struct recording *, as `inputs`. Owned by this. */
	GPtrArray *list;
	/* Progress over all files before the present one. */
	struct itp_progress progress;
};

static struct recording *recording_new(const struct itp_recordings *recordings,
				       struct itp_perf_input *input,
				       const struct itp_reading_params *params)
{
	struct recording *recording = g_new0(struct recording, 1);

	recording->input = input;
	recording->offset_ns = itp_perf_input_clock(input, recordings->inputs.is_wall).offset_ns;
	recording->session = input->opened;
	recording->name = itp_perf_input_name(input);
	recording->analysis =
		itp_analysis_new(recording->name, &params->analysis, recording->session->functions);
	itp_analysis_watch(recording->analysis,
			   itp_perf_reader_watched(recording->session->reader));
	return recording;
}

static void recording_free(struct recording *recording)
{
	itp_analysis_free(recording->analysis);
	g_free(recording->name);
	g_free(recording);
}

struct itp_recordings *itp_recordings_new(const GPtrArray *paths,
					  const struct itp_reading_params *params, GError **error)
{
	struct itp_recordings *recordings = g_new0(struct itp_recordings, 1);
	const struct itp_perf_options options = itp_symbol_params_options(&params->symbols);

	recordings->list = g_ptr_array_new_with_free_func((GDestroyNotify)recording_free);
	if (!itp_perf_inputs_init(&recordings->inputs, paths, &options, params->clock, error)) {
		itp_recordings_free(recordings);
		return NULL;
	}
	for (guint i = 0; i < recordings->inputs.list->len; i++) {
		struct recording *recording = recording_new(
			recordings, g_ptr_array_index(recordings->inputs.list, i), params);

		g_ptr_array_add(recordings->list, recording);
		recordings->progress.total_bytes +=
			itp_perf_reader_total_bytes(recording->session->reader);
	}
	return recordings;
}

void itp_recordings_free(struct itp_recordings *recordings)
{
	if (!recordings) {
		return;
	}
	g_ptr_array_unref(recordings->list);
	itp_perf_inputs_release(&recordings->inputs);
	g_free(recordings);
}

/* Handles the next few events. Returns 1, 0 at the end of the file, or a negative itp_error;
 * *ret_count is how many there were. */
static int read_events(struct recording *recording, unsigned int *ret_count)
{
	struct itp_perf_reader *reader = recording->session->reader;
	struct itp_stack_event event;
	int result = 1;

	for (*ret_count = 0; result > 0 && *ret_count < EVENTS_PER_LOOK; ++*ret_count) {
		result = itp_perf_reader_next(reader, &event);
		if (result > 0) {
			int code;

			event.time_ns += recording->offset_ns;
			code = itp_analysis_push(recording->analysis, &event);
			result = code != 0 ? code : result;
		}
	}
	return result;
}

/* Reads a recording to its end, or until it is stopped. Returns as read_events(). */
static int read_all(struct itp_recordings *recordings, struct recording *recording,
		    const struct itp_recordings_watch *watch)
{
	struct itp_progress *progress = &recordings->progress;
	const struct itp_perf_reader *reader = recording->session->reader;
	const uint64_t before = progress->done_bytes;
	unsigned int count;
	int result;

	do {
		result = read_events(recording, &count);
		progress->done_events += count;
		progress->done_bytes = before + itp_perf_reader_done_bytes(reader);
	} while (result > 0 && watch->progress(progress, watch->data));
	progress->done_bytes = before + itp_perf_reader_total_bytes(reader);
	return result;
}

/* Failure of a recording that was not read to its end, as the reader returned `result`. Takes
 * `refusal`, the reason for no profile, or for one of a part; NULL: there is a profile. */
static GError *failure_of(const struct recording *recording, int result, GError *refusal)
{
	GError *failure;

	if (result >= 0) {
		return refusal;
	}
	failure = itp_perf_session_failure(recording->session, recording->input, result);
	if (!recording->source.profile) {
		return itp_failure_of_part(failure, refusal);
	}
	/* Showing of its profile is still undecided. */
	g_clear_error(&refusal);
	return failure;
}

/* Returns as read_events(). A file without a profile is an error, too. */
static int read_recording(struct itp_recordings *recordings, struct recording *recording,
			  const struct itp_recordings_watch *watch, GError **error)
{
	GError *failure = NULL;
	int result = read_all(recordings, recording, watch);
	bool is_made;

	if (result <= 0) {
		itp_missing_names_tell(recording->session->reader, recording->input, watch->tell,
				       watch->data);
	}
	if (result != 0) {
		itp_analysis_end_early(recording->analysis);
	}
	is_made = itp_analysis_finish(recording->analysis, &recording->source, &failure);
	if (result < 0 || !is_made) {
		g_propagate_error(error, failure_of(recording, result, failure));
	}
	return result;
}

bool itp_recordings_read(struct itp_recordings *recordings,
			 const struct itp_recordings_watch *watch, GError **error)
{
	GError *failure = NULL;
	int result = 0;

	for (guint i = 0; i < recordings->list->len && result <= 0; i++) {
		struct recording *recording = g_ptr_array_index(recordings->list, i);

		result = read_recording(recordings, recording, watch, failure ? NULL : &failure);
	}
	if (failure) {
		g_propagate_error(error, failure);
	}
	return !failure && result == 0;
}

static bool tell_facts(const void *data, itp_fact_func *tell, void *tell_data)
{
	return itp_perf_input_tell_facts(((const struct recording *)data)->input, tell, tell_data);
}

static void forget(void *data)
{
	itp_analysis_forget(((struct recording *)data)->analysis);
}

struct itp_symptoms *itp_recordings_symptoms(const struct itp_recordings *recordings)
{
	const struct recording *first = g_ptr_array_index(recordings->list, 0);

	return itp_analysis_symptoms(first->analysis);
}

const struct itp_unit_log *itp_recordings_units(const struct itp_recordings *recordings, guint i)
{
	const struct recording *recording = g_ptr_array_index(recordings->list, i);

	return itp_analysis_units(recording->analysis);
}

double itp_recordings_rests_part(const struct itp_recordings *recordings, guint i)
{
	const struct recording *recording = g_ptr_array_index(recordings->list, i);

	return itp_analysis_rests_part(recording->analysis);
}

const struct itp_through *itp_recordings_through(const struct itp_recordings *recordings, guint i)
{
	const struct recording *recording = g_ptr_array_index(recordings->list, i);

	return itp_analysis_through(recording->analysis);
}

void itp_recordings_add_profiles(const struct itp_recordings *recordings, GArray *profiles)
{
	for (guint i = 0; i < recordings->list->len; i++) {
		struct recording *recording = g_ptr_array_index(recordings->list, i);
		const struct itp_perf_description *description =
			itp_perf_reader_description(recording->session->reader);
		const struct itp_memory_profile profile = {
			.input_path = recording->input->path,
			.architecture = description->arch,
			.clock = itp_perf_input_clock(recording->input, recordings->inputs.is_wall),
			.name = recording->name,
			.tell_facts = tell_facts,
			.forget = forget,
			.data = recording,
			.source = recording->source,
		};

		/* Recordings behind the stopped one were not begun. */
		if (recording->source.profile) {
			g_array_append_val(profiles, profile);
		}
	}
}
