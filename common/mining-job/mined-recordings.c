/* SPDX-License-Identifier: MIT */
/*
 * See mined-recordings.h. A thread keeps of a recording the stacks behind its symptoms, with their
 * contexts; the others wait with theirs for their turn. At most twice as many as processors are in
 * memory.
 */
#include "common/mining-job/mined-recordings.h"

#include <malloc.h>

#include "common/base/failure.h"
#include "common/compare/first-path.h"
#include "common/engine/memory-profile.h"
#include "common/mine/intake.h"
#include "common/render/mining/mining.h"

#define AHEAD_PER_THREAD 2
/* Between two looks whether the user has had enough. */
#define LOOK_US 50000

/* Recording, and the findings of its thread. */
struct mined_recording {
	/* Weak. */
	const char *path;
	struct itp_mined_recordings *all;
	/* Owned by this; members below are the thread's until it has put the recording there. */
	GAsyncQueue *done;
	/* Owned by this. */
	struct itp_recordings *recordings;
	GPtrArray *warnings;
	GString *each;
	/* Reason why it, or a part of it, could not be read. */
	GError *failure;
	/* Its trace; without symptoms to look for, it has no tree. Owned by this. */
	struct itp_intake intake;
};

struct itp_mined_recordings {
	/* Weak. */
	const struct itp_reading_params *params;
	struct itp_mining_job *job;
	/* struct mined_recording *, in the order of the paths. Owned by this. */
	GPtrArray *list;
	/* How many of them were begun, and how many were added. */
	guint begun;
	guint added;
	guint ahead;
	/* Owned by this. */
	GThreadPool *threads;
	/* Set when nobody waits any more. */
	gint is_given_up;
};

/* ---- In a thread ---- */

static bool goes_on(const struct itp_progress *progress, void *data)
{
	(void)progress;
	return !g_atomic_int_get(&((struct mined_recording *)data)->all->is_given_up);
}

static void keep_warning(const char *text, void *data)
{
	g_ptr_array_add(((struct mined_recording *)data)->warnings, g_strdup(text));
}

static void tell_symptom(struct mined_recording *recording, const struct itp_recall *recall,
			 const struct itp_symptom *symptom)
{
	g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	g_autoptr(GArray) steps = NULL;

	g_array_append_vals(one, symptom, 1);
	steps = itp_chain(recall, one);
	itp_render_mining_symptom(recording->path, symptom, steps, recording->each);
}

static void add_symptoms(struct mined_recording *recording, const struct itp_recall *recall,
			 const GArray *symptoms)
{
	const struct itp_mining_job *job = recording->all->job;

	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_symptom *symptom = &g_array_index(symptoms, struct itp_symptom, i);

		itp_interest_add(&recording->intake.interest, recall->history, symptom, job->scope);
		if (job->each) {
			tell_symptom(recording, recall, symptom);
		}
		itp_intake_count_symptom(&recording->intake, symptom->end_ns - symptom->begin_ns);
	}
}

static void look_into(struct mined_recording *recording, const struct itp_profile_source *source,
		      GError **error)
{
	const struct itp_workload *workload = &source->profile->workload;
	const struct itp_recall *recall = workload->recall;
	struct itp_intake *intake = &recording->intake;
	guint calls = 0;
	guint left_out = 0;
	g_autoptr(GArray) symptoms =
		itp_trace_symptoms(itp_recordings_symptoms(recording->recordings), source,
				   recall->history, &calls, &left_out, error);

	if (symptoms) {
		intake->tree = recall->tree;
		intake->functions = recall->functions;
		intake->trace = (struct itp_mined_trace){
			.path = (char *)recording->path,
			.symptom = (char *)recording->all->job->symptom,
			.calls = calls,
			.left_out = left_out,
			.is_complete = workload->complete,
			.has_wakeups = itp_history_has_wakeups(recall->history),
		};
		add_symptoms(recording, recall, symptoms);
	}
}

static void read_recording(struct mined_recording *recording)
{
	const struct itp_recordings_watch watch = { .progress = goes_on,
						    .tell = keep_warning,
						    .data = recording };
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct itp_reading_params params = *recording->all->params;
	GError **failure = &recording->failure;
	GError *refusal = NULL;

	params.analysis.remembers = true;
	params.analysis.wish = recording->all->job->wish;
	g_ptr_array_add(paths, (char *)recording->path);
	recording->recordings = itp_recordings_new(paths, &params, failure);
	/* A recording that was given up is finished at once. */
	if (recording->recordings &&
	    (itp_recordings_read(recording->recordings, &watch, failure) || *failure)) {
		itp_recordings_add_profiles(recording->recordings, profiles);
	}
	if (profiles->len > 0) {
		look_into(recording, &g_array_index(profiles, struct itp_memory_profile, 0).source,
			  &refusal);
	}
	*failure = *failure ? itp_failure_of_part(*failure, refusal) : refusal;
}

/* A GFunc. */
static void run_recording(gpointer data, gpointer user_data)
{
	struct mined_recording *recording = data;
	struct itp_mined_recordings *recordings = user_data;

	if (!g_atomic_int_get(&recordings->is_given_up)) {
		read_recording(recording);
	}
	g_async_queue_push(recording->done, recording);
}

/* ---- For the asker ---- */

static void forget_recording(struct mined_recording *recording)
{
	itp_intake_release(&recording->intake);
	g_clear_pointer(&recording->recordings, itp_recordings_free);
	g_ptr_array_set_size(recording->warnings, 0);
	g_string_truncate(recording->each, 0);
	g_clear_error(&recording->failure);
}

static void free_recording(gpointer data)
{
	struct mined_recording *recording = data;

	forget_recording(recording);
	g_async_queue_unref(recording->done);
	g_ptr_array_unref(recording->warnings);
	g_string_free(recording->each, TRUE);
	g_free(recording);
}

static struct mined_recording *recording_new(struct itp_mined_recordings *recordings,
					     const char *path)
{
	struct mined_recording *recording = g_new0(struct mined_recording, 1);

	recording->path = path;
	recording->all = recordings;
	recording->done = g_async_queue_new();
	recording->warnings = g_ptr_array_new_with_free_func(g_free);
	recording->each = g_string_new(NULL);
	itp_intake_init(&recording->intake, NULL, NULL);
	return recording;
}

/* Begins as many as may be in memory. */
static void begin_some(struct itp_mined_recordings *recordings)
{
	while (recordings->begun < recordings->list->len &&
	       recordings->begun < recordings->added + recordings->ahead) {
		g_thread_pool_push(recordings->threads,
				   g_ptr_array_index(recordings->list, recordings->begun++), NULL);
	}
}

struct itp_mined_recordings *itp_mined_recordings_new(const GPtrArray *paths,
						      const struct itp_reading_params *params,
						      struct itp_mining_job *job)
{
	struct itp_mined_recordings *recordings = g_new0(struct itp_mined_recordings, 1);
	guint threads = CLAMP(g_get_num_processors(), 1, MAX(paths->len, 1));

	/* With an arena for each thread, malloc() may set errno to ENOMEM and then find memory in
	 * another; but errno alone tells of libraries (common/base/memory.h). */
	mallopt(M_ARENA_MAX, 1);
	recordings->params = params;
	recordings->job = job;
	recordings->ahead = AHEAD_PER_THREAD * threads;
	recordings->list = g_ptr_array_new_with_free_func(free_recording);
	for (guint i = 0; i < paths->len; i++) {
		g_ptr_array_add(recordings->list,
				recording_new(recordings, g_ptr_array_index(paths, i)));
	}
	recordings->threads =
		g_thread_pool_new(run_recording, recordings, (gint)threads, FALSE, NULL);
	begin_some(recordings);
	return recordings;
}

void itp_mined_recordings_free(struct itp_mined_recordings *recordings)
{
	g_atomic_int_set(&recordings->is_given_up, true);
	g_thread_pool_free(recordings->threads, FALSE, TRUE);
	g_ptr_array_unref(recordings->list);
	g_free(recordings);
}

/* False when the user has had enough before. */
static bool await_recording(struct mined_recording *recording,
			    const struct itp_recordings_watch *watch)
{
	const struct itp_progress nothing = { .done_bytes = 0 };
	bool is_wanted = true;

	while (is_wanted && !g_async_queue_timeout_pop(recording->done, LOOK_US)) {
		is_wanted = watch->progress(&nothing, watch->data);
	}
	return is_wanted;
}

bool itp_mined_recordings_add_next(struct itp_mined_recordings *recordings, bool of_base,
				   const struct itp_recordings_watch *watch, GError **error)
{
	struct mined_recording *recording = g_ptr_array_index(recordings->list, recordings->added);
	struct itp_mining_job *job = recordings->job;
	bool is_whole;

	if (!await_recording(recording, watch)) {
		return false;
	}
	for (guint i = 0; i < recording->warnings->len; i++) {
		watch->tell(g_ptr_array_index(recording->warnings, i), watch->data);
	}
	if (job->each) {
		g_string_append(job->each, recording->each->str);
	}
	if (recording->intake.tree) {
		itp_mining_add(&job->mining, of_base, &recording->intake);
	}
	is_whole = !recording->failure;
	if (recording->failure) {
		g_propagate_error(error, g_steal_pointer(&recording->failure));
	}
	forget_recording(recording);
	recordings->added++;
	begin_some(recordings);
	return is_whole;
}
