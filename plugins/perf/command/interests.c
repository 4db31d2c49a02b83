/* SPDX-License-Identifier: MIT */
/*
 * See interests.h. Recordings are read one by one, and nothing but their stacks of interest is
 * kept.
 */
#include "plugins/perf/command/interests.h"

#include "common/rank/detail.h"
#include "common/render/mining/mining.h"
#include "messages/failure.h"
#include "plugins/perf/host/memory-profile.h"
#include "sinks/rank/rank.h"

/* A recording on its way to what is mined. */
struct adding {
	struct itp_mining *mining;
	struct itp_stack_set *sets;
	const struct itp_recall *recall;
	struct itp_mined_trace trace;
	uint32_t number;
	/* By function of the recording: that of the mining, 0 until it is known. Owned by this. */
	GArray *functions;
};

/* ---- The symptoms where none are asked for ---- */

/* Ranks as sink.introperf.rank does, and looks at the first path. */
struct first_path {
	struct itp_rank_sink sink;
	/* struct itp_symptom; NULL until there is a path. Owned by whoever ranks. */
	GArray *symptoms;
};

static bool take_first_path(struct itp_rank_sink *sink, const struct itp_sides *sides,
			    enum itp_rank_ending ending, GError **error)
{
	const struct itp_ranking_options options = { .top = 1, .folds = true };
	struct itp_ranking *ranking = itp_rank_sink_rank(sink, options, sides, error);
	struct itp_path_detail detail;

	(void)ending;
	if (ranking && ranking->paths->len > 0) {
		itp_path_detail_init(&detail, ranking,
				     &g_array_index(ranking->paths, struct itp_ranked_path, 0));
		g_clear_pointer(&((struct first_path *)sink)->symptoms, g_array_unref);
		((struct first_path *)sink)->symptoms = itp_call_detail_symptoms(&detail.suspect);
	}
	itp_ranking_free(ranking);
	return ranking;
}

/* NULL when they cannot be ranked. */
static GArray *find_slowest(const GArray *profiles, GError **error)
{
	struct first_path first = {
		.sink = { .show_result = take_first_path, .view = { .fold_recursion = true } },
	};
	bool done = itp_rank_sink_open(&first.sink, error);

	if (done) {
		itp_memory_profile_rank(&g_array_index(profiles, struct itp_memory_profile, 0),
					&first.sink);
		done = itp_rank_sink_end(&first.sink, ITP_RANK_ENDED, error);
	}
	itp_rank_sink_release(&first.sink);
	if (done && !first.symptoms) {
		first.symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	}
	if (!done) {
		g_clear_pointer(&first.symptoms, g_array_unref);
	}
	return first.symptoms;
}

/* ---- Their stacks ---- */

/* Builds of a program differ from trace to trace, and are one here. */
static uint32_t function_of(struct adding *adding, uint32_t id)
{
	uint32_t known =
		id < adding->functions->len ? g_array_index(adding->functions, uint32_t, id) : 0;

	if (known == 0) {
		struct itp_function function =
			*itp_function_table_get(adding->recall->functions, id);

		function.build_id = "";
		function.file = NULL;
		known = itp_function_table_intern(adding->mining->functions, &function);
		if (id >= adding->functions->len) {
			g_array_set_size(adding->functions, id + 1);
		}
		g_array_index(adding->functions, uint32_t, id) = known;
	}
	return known;
}

/* The path of `chain` as one stack. Processes are left out of it, but for threads of which nothing
 * else is known: one cause may be in many programs. */
static uint32_t node_of(struct adding *adding, const struct itp_interest *interest, uint32_t chain,
			struct itp_stack_set *set)
{
	g_autoptr(GArray) contexts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t node = ITP_CONTEXT_ROOT;

	itp_context_tree_path(interest->chains, chain, contexts);
	for (guint i = 0; i < contexts->len; i++) {
		itp_context_tree_path(adding->recall->tree, g_array_index(contexts, uint32_t, i),
				      path);
		for (guint k = path->len > 1 ? 1 : 0; k < path->len; k++) {
			node = itp_context_tree_child(
				set->tree, node,
				function_of(adding, g_array_index(path, uint32_t, k)));
		}
	}
	return node;
}

static void add_stacks(struct adding *adding, const struct itp_interest *interest)
{
	for (guint i = 0; i < interest->stacks->len; i++) {
		const struct itp_interest_stack *stack =
			&g_array_index(interest->stacks, struct itp_interest_stack, i);
		struct itp_stack_set *set =
			&adding->sets[stack->is_wait ? ITP_MINE_WAITING : ITP_MINE_RUNNING];

		itp_stack_set_add(set, node_of(adding, interest, stack->chain, set), stack->cost_ns,
				  stack->count, adding->number);
	}
}

static void tell_symptom(const struct adding *adding, const struct itp_symptom *symptom,
			 const char *path, GString *each)
{
	g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	g_autoptr(GArray) steps = NULL;

	g_array_append_vals(one, symptom, 1);
	steps = itp_chain(adding->recall, one);
	itp_render_mining_symptom(path, symptom, steps, each);
}

static void add_symptoms(struct adding *adding, const GArray *symptoms, const char *path,
			 const struct itp_interest_options *options)
{
	struct itp_interest interest;

	itp_interest_init(&interest);
	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_symptom *symptom = &g_array_index(symptoms, struct itp_symptom, i);

		itp_interest_add(&interest, adding->recall->history, symptom, options->scope);
		if (options->each) {
			tell_symptom(adding, symptom, path, options->each);
		}
		adding->trace.symptoms++;
		adding->trace.cost_ns += symptom->end_ns - symptom->begin_ns;
	}
	add_stacks(adding, &interest);
	itp_interest_release(&interest);
}

/* ---- A recording ---- */

static GArray *find_symptoms(const struct itp_recordings *recordings, const GArray *profiles,
			     guint *ret_count, GError **error)
{
	const struct itp_symptoms *wished = itp_recordings_symptoms(recordings);
	GArray *symptoms;

	if (wished) {
		return itp_symptoms_finish(wished, ret_count);
	}
	symptoms = find_slowest(profiles, error);
	*ret_count = symptoms ? symptoms->len : 0;
	return symptoms;
}

static bool add_recording(struct itp_mining *mining, bool of_base, const char *path,
			  const struct itp_recordings *recordings,
			  const struct itp_interest_options *options, GError **error)
{
	GArray *traces = of_base ? mining->base_traces : mining->traces;
	struct adding adding = { .mining = mining,
				 .sets = of_base ? mining->base_sets : mining->sets,
				 .number = traces->len,
				 .functions = g_array_new(FALSE, TRUE, sizeof(uint32_t)) };
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	g_autoptr(GArray) symptoms = NULL;
	guint calls = 0;

	itp_recordings_add_profiles(recordings, profiles);
	if (profiles->len > 0) {
		adding.recall = g_array_index(profiles, struct itp_memory_profile, 0)
					.source.profile->workload.recall;
		symptoms = find_symptoms(recordings, profiles, &calls, error);
	}
	if (symptoms) {
		add_symptoms(&adding, symptoms, path, options);
		adding.trace.path = g_strdup(path);
		adding.trace.calls = calls;
		adding.trace.has_wakeups = itp_history_has_wakeups(adding.recall->history);
		g_array_append_val(traces, adding.trace);
	}
	g_array_unref(adding.functions);
	return symptoms;
}

/* Whoever is mined was not seen to be woken by anybody. */
static void warn_of_wakeups(const struct itp_mining *mining, bool of_base, const char *path,
			    const struct itp_recordings_watch *watch, uint32_t before)
{
	const GArray *traces = of_base ? mining->base_traces : mining->traces;
	g_autofree char *text = NULL;

	if (traces->len > before &&
	    !g_array_index(traces, struct itp_mined_trace, before).has_wakeups) {
		text = g_strdup_printf("%s: whom threads waited for was not recorded (no "
				       "sched:sched_waking): each wait counts for itself",
				       path);
		watch->tell(text, watch->data);
	}
}

bool itp_interests_add(struct itp_mining *mining, bool of_base, const char *path,
		       const struct itp_host_params *params,
		       const struct itp_interest_options *options,
		       const struct itp_recordings_watch *watch, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct itp_host_params wished = *params;
	struct itp_recordings *recordings;
	uint32_t before = (of_base ? mining->base_traces : mining->traces)->len;
	GError *reason = NULL;
	bool done = false;

	wished.analysis.remembers = true;
	wished.analysis.wish = options->wish;
	g_ptr_array_add(paths, (char *)path);
	recordings = itp_recordings_new(paths, &wished, error);
	if (recordings) {
		bool is_whole = itp_recordings_read(recordings, watch, &reason);

		done = add_recording(mining, of_base, path, recordings, options,
				     reason ? NULL : error) &&
		       is_whole;
		warn_of_wakeups(mining, of_base, path, watch, before);
	}
	if (reason) {
		g_propagate_error(error, reason);
	}
	itp_recordings_free(recordings);
	return done;
}
