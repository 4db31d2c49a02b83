/* SPDX-License-Identifier: MIT */
/*
 * See interests.h. A thread keeps of a recording the stacks behind its symptoms, with their
 * contexts; the others wait with theirs for their turn. At most twice as many as processors are in
 * memory.
 */
#include "plugins/perf/command/interests.h"

#include <malloc.h>

#include "common/base/failure.h"
#include "common/compare/first-path.h"
#include "common/mine/interests.h"
#include "common/render/mining/mining.h"
#include "common/wait/nested.h"
#include "common/engine/memory-profile.h"

#define AHEAD_PER_THREAD 2
/* Between two looks whether the user has had enough. */
#define LOOK_US 50000

/* Recording, and the findings of its thread. */
struct job {
	/* Weak. */
	const char *path;
	struct itp_interests *all;
	/* Guarded by the lock; members below are the thread's until it is set. */
	bool is_done;
	/* Owned by this. */
	struct itp_recordings *recordings;
	struct itp_interest interest;
	GPtrArray *warnings;
	GString *each;
	/* Reason why it, or a part of it, could not be read. */
	GError *failure;
	/* Trace, whose path is NULL; of no use without symptoms, and told with `recall`. */
	struct itp_mined_trace trace;
	const struct itp_recall *recall;
};

struct itp_interests {
	struct itp_interest_options options;
	/* struct job *, in the order of the recordings. Owned by this. */
	GPtrArray *jobs;
	/* How many of them were begun, and how many were added. */
	guint begun;
	guint added;
	guint ahead;
	/* Owned by this. */
	GThreadPool *threads;
	GMutex lock;
	GCond changed;
	/* Set when nobody waits any more. */
	gint is_given_up;
};

/* ---- In a thread ---- */

static bool goes_on(const struct itp_progress *progress, void *data)
{
	(void)progress;
	return !g_atomic_int_get(&((struct job *)data)->all->is_given_up);
}

static void keep_warning(const char *text, void *data)
{
	g_ptr_array_add(((struct job *)data)->warnings, g_strdup(text));
}

/* *ret_count is of how many calls they are the slow ones. NULL when they cannot be found. */
static GArray *find_symptoms(const struct job *job, const struct itp_profile_source *source,
			     guint *ret_count, GError **error)
{
	struct itp_symptoms *wished = itp_recordings_symptoms(job->recordings);
	GArray *symptoms;

	if (wished) {
		return itp_symptoms_finish(wished, ret_count);
	}
	symptoms = itp_first_path_symptoms(source, error);
	*ret_count = symptoms ? symptoms->len : 0;
	return symptoms;
}

static void tell_symptom(struct job *job, const struct itp_symptom *symptom)
{
	g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	g_autoptr(GArray) steps = NULL;

	g_array_append_vals(one, symptom, 1);
	steps = itp_chain(job->recall, one);
	itp_render_mining_symptom(job->path, symptom, steps, job->each);
}

static void add_symptoms(struct job *job, const GArray *symptoms)
{
	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_symptom *symptom = &g_array_index(symptoms, struct itp_symptom, i);

		itp_interest_add(&job->interest, job->recall->history, symptom,
				 job->all->options.scope);
		if (job->all->options.tells_each) {
			tell_symptom(job, symptom);
		}
		job->trace.symptoms++;
		job->trace.cost_ns += symptom->end_ns - symptom->begin_ns;
	}
}

static void look_into(struct job *job, const struct itp_profile_source *source, GError **error)
{
	const struct itp_workload *workload = &source->profile->workload;
	guint calls = 0;
	g_autoptr(GArray) symptoms = find_symptoms(job, source, &calls, error);

	if (symptoms) {
		job->recall = workload->recall;
		job->trace.calls = calls;
		job->trace.left_out = itp_symptoms_leave_out_parts(symptoms, job->recall->history);
		job->trace.is_complete = workload->complete;
		job->trace.has_wakeups = itp_history_has_wakeups(job->recall->history);
		add_symptoms(job, symptoms);
	}
}

static void read_recording(struct job *job)
{
	const struct itp_recordings_watch watch = { .progress = goes_on,
						    .tell = keep_warning,
						    .data = job };
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct itp_reading_params params = *job->all->options.params;
	GError *refusal = NULL;

	params.analysis.remembers = true;
	params.analysis.wish = job->all->options.wish;
	g_ptr_array_add(paths, (char *)job->path);
	job->recordings = itp_recordings_new(paths, &params, &job->failure);
	/* A recording that was given up is finished at once. */
	if (job->recordings &&
	    (itp_recordings_read(job->recordings, &watch, &job->failure) || job->failure)) {
		itp_recordings_add_profiles(job->recordings, profiles);
	}
	if (profiles->len > 0) {
		look_into(job, &g_array_index(profiles, struct itp_memory_profile, 0).source,
			  &refusal);
	}
	job->failure = job->failure ? itp_failure_of_part(job->failure, refusal) : refusal;
}

/* A GFunc. */
static void run_job(gpointer data, gpointer user_data)
{
	struct job *job = data;
	struct itp_interests *interests = user_data;

	if (!g_atomic_int_get(&interests->is_given_up)) {
		read_recording(job);
	}
	g_mutex_lock(&interests->lock);
	job->is_done = true;
	g_cond_signal(&interests->changed);
	g_mutex_unlock(&interests->lock);
}

/* ---- For the asker ---- */

static void forget_job(struct job *job)
{
	itp_interest_release(&job->interest);
	g_clear_pointer(&job->recordings, itp_recordings_free);
	g_ptr_array_set_size(job->warnings, 0);
	g_string_truncate(job->each, 0);
	g_clear_error(&job->failure);
}

static void free_job(gpointer data)
{
	struct job *job = data;

	forget_job(job);
	g_ptr_array_unref(job->warnings);
	g_string_free(job->each, TRUE);
	g_free(job);
}

static struct job *job_new(struct itp_interests *interests, const char *path)
{
	struct job *job = g_new0(struct job, 1);

	job->path = path;
	job->all = interests;
	job->warnings = g_ptr_array_new_with_free_func(g_free);
	job->each = g_string_new(NULL);
	itp_interest_init(&job->interest);
	return job;
}

/* Begins as many as may be in memory. */
static void begin_some(struct itp_interests *interests)
{
	while (interests->begun < interests->jobs->len &&
	       interests->begun < interests->added + interests->ahead) {
		g_thread_pool_push(interests->threads,
				   g_ptr_array_index(interests->jobs, interests->begun++), NULL);
	}
}

struct itp_interests *itp_interests_new(const GPtrArray *paths,
					const struct itp_interest_options *options)
{
	struct itp_interests *interests = g_new0(struct itp_interests, 1);
	guint threads = CLAMP(g_get_num_processors(), 1, MAX(paths->len, 1));

	/* With an arena for each thread, malloc() may set errno to ENOMEM and then find memory in
	 * another; but errno alone tells of libraries (common/base/memory.h). */
	mallopt(M_ARENA_MAX, 1);
	interests->options = *options;
	interests->ahead = AHEAD_PER_THREAD * threads;
	interests->jobs = g_ptr_array_new_with_free_func(free_job);
	for (guint i = 0; i < paths->len; i++) {
		g_ptr_array_add(interests->jobs, job_new(interests, g_ptr_array_index(paths, i)));
	}
	g_mutex_init(&interests->lock);
	g_cond_init(&interests->changed);
	interests->threads = g_thread_pool_new(run_job, interests, (gint)threads, FALSE, NULL);
	begin_some(interests);
	return interests;
}

void itp_interests_free(struct itp_interests *interests)
{
	g_atomic_int_set(&interests->is_given_up, true);
	g_thread_pool_free(interests->threads, FALSE, TRUE);
	g_ptr_array_unref(interests->jobs);
	g_mutex_clear(&interests->lock);
	g_cond_clear(&interests->changed);
	g_free(interests);
}

/* False when the user has had enough before. */
static bool wait_for(struct itp_interests *interests, const struct job *job,
		     const struct itp_recordings_watch *watch)
{
	const struct itp_progress nothing = { .done_bytes = 0 };
	bool is_wanted = true;

	g_mutex_lock(&interests->lock);
	while (!job->is_done && is_wanted) {
		g_cond_wait_until(&interests->changed, &interests->lock,
				  g_get_monotonic_time() + LOOK_US);
		is_wanted = watch->progress(&nothing, watch->data);
	}
	g_mutex_unlock(&interests->lock);
	return is_wanted;
}

static void add(const struct job *job, struct itp_mining *mining, bool of_base)
{
	struct itp_mined_trace trace = job->trace;
	const struct itp_mined_interest interest = { .interest = &job->interest,
						     .tree = job->recall->tree,
						     .functions = job->recall->functions };

	trace.path = (char *)job->path;
	trace.symptom = (char *)job->all->options.symptom;
	itp_mining_add(mining, of_base, &trace, &interest);
}

bool itp_interests_add_next(struct itp_interests *interests, struct itp_mining *mining,
			    bool of_base, GString *each, const struct itp_recordings_watch *watch,
			    GError **error)
{
	struct job *job = g_ptr_array_index(interests->jobs, interests->added);
	bool is_whole;

	if (!wait_for(interests, job, watch)) {
		return false;
	}
	for (guint i = 0; i < job->warnings->len; i++) {
		watch->tell(g_ptr_array_index(job->warnings, i), watch->data);
	}
	if (each) {
		g_string_append(each, job->each->str);
	}
	if (job->recall) {
		add(job, mining, of_base);
	}
	is_whole = !job->failure;
	if (job->failure) {
		g_propagate_error(error, g_steal_pointer(&job->failure));
	}
	forget_job(job);
	interests->added++;
	begin_some(interests);
	return is_whole;
}
