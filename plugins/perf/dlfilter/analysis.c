/* SPDX-License-Identifier: MIT */
/*
 * See analysis.h.
 */
#include "plugins/perf/dlfilter/analysis.h"

#include "common/control-flow/answers.h"

struct itp_analysis {
	/* Weak. */
	const struct itp_dlargs *dlargs;
	/* Only its attributes. */
	struct itp_perf_file file;
	struct itp_translator translator;
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_flow_answers *answers;
	struct itp_infer *infer;
	struct itp_profile *profile;
	struct itp_normalizer *normalizer;
	/* Functions below this were introduced to `answers`. */
	uint32_t known_functions;
	/* What went wrong while the core called back. */
	int failure;
};

static void on_instance(const struct itp_instance *instance, void *data)
{
	struct itp_analysis *analysis = data;
	int error = itp_normalizer_push(analysis->normalizer, instance);

	if (error != 0 && analysis->failure == 0) {
		analysis->failure = error;
	}
}

static const struct itp_function *function_of(const void *data, uint32_t node)
{
	const struct itp_analysis *analysis = data;

	return itp_function_table_get(analysis->functions,
				      itp_context_tree_get(analysis->tree, node)->function);
}

struct itp_analysis *itp_analysis_new(const struct itp_dlargs *dlargs)
{
	struct itp_analysis *analysis = g_new0(struct itp_analysis, 1);
	const struct itp_perf_options perf_options = itp_dlargs_perf_options(dlargs);
	struct itp_infer_options options = dlargs->infer;

	analysis->dlargs = dlargs;
	analysis->functions = itp_function_table_new();
	analysis->tree = itp_context_tree_new();
	analysis->answers = itp_flow_answers_new(analysis->functions);
	options.flow = (struct itp_flow){ .can_stay = itp_flow_answers_can_stay,
					  .may_jump_away = itp_flow_answers_may_jump_away,
					  .may_avoid = itp_flow_answers_may_avoid,
					  .is_frameless = itp_flow_answers_is_frameless,
					  .data = analysis->answers };
	analysis->infer =
		itp_infer_new(&options, analysis->functions, analysis->tree, on_instance, analysis);
	analysis->profile = itp_profile_new(dlargs->name);
	analysis->normalizer = itp_normalizer_new(dlargs->normalize.estimate, analysis->profile,
						  function_of, analysis);
	analysis->file.attrs = g_array_new(FALSE, FALSE, sizeof(struct itp_perf_attr));
	analysis->file.attr_by_id = g_hash_table_new(NULL, NULL);
	itp_translator_init_for_samples(&analysis->translator, &analysis->file, &perf_options,
					analysis->functions);
	return analysis;
}

void itp_analysis_free(struct itp_analysis *analysis)
{
	if (!analysis) {
		return;
	}
	itp_translator_release(&analysis->translator);
	g_array_unref(analysis->file.attrs);
	g_hash_table_unref(analysis->file.attr_by_id);
	itp_infer_free(analysis->infer);
	itp_normalizer_free(analysis->normalizer);
	itp_profile_free(analysis->profile);
	itp_flow_answers_free(analysis->answers);
	itp_context_tree_free(analysis->tree);
	itp_function_table_free(analysis->functions);
	g_free(analysis);
}

struct itp_translator *itp_analysis_translator(struct itp_analysis *analysis)
{
	return &analysis->translator;
}

static void introduce_functions(struct itp_analysis *analysis)
{
	uint32_t size = itp_function_table_size(analysis->functions);

	for (; analysis->known_functions < size; analysis->known_functions++) {
		const struct itp_function *function =
			itp_function_table_get(analysis->functions, analysis->known_functions);

		itp_flow_answers_add(analysis->answers, analysis->known_functions,
				     function->file ? function->file : "", function->build_id);
	}
}

/* Hands the translator's queue to the core. */
static int push_queue(struct itp_analysis *analysis)
{
	introduce_functions(analysis);
	for (size_t i = 0; i < analysis->translator.queue.length; i++) {
		int error = itp_infer_push(analysis->infer, &analysis->translator.queue.events[i]);

		if (error != 0) {
			return error;
		}
	}
	itp_event_queue_clear(&analysis->translator.queue);
	return analysis->failure;
}

int itp_analysis_push(struct itp_analysis *analysis, uint16_t misc,
		      const struct itp_perf_sample *sample, uint64_t time_ns)
{
	int error = itp_translator_push_sample(&analysis->translator, misc, sample, time_ns);

	return error != 0 ? error : push_queue(analysis);
}

int itp_analysis_change(struct itp_analysis *analysis, enum itp_event_kind kind,
			struct itp_task *task, uint64_t time_ns)
{
	struct itp_translator *translator = &analysis->translator;

	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)time_ns;
	if (kind == ITP_EVENT_EXEC) {
		itp_task_exec(task);
	}
	itp_translator_add(translator, kind, task, -1);
	if (kind == ITP_EVENT_END) {
		itp_tasks_end(translator->tasks, task);
	}
	return push_queue(analysis);
}

static void get_context(const void *contexts, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context *context = itp_context_tree_get(contexts, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

static void describe_workload(struct itp_analysis *analysis)
{
	struct itp_workload *workload = &analysis->profile->workload;
	g_autofree char *inferred = itp_infer_options_text(&analysis->dlargs->infer);
	g_autofree char *normalized =
		itp_normalize_options_text(&analysis->dlargs->normalize, inferred);

	g_free(workload->options);
	/* perf tells a dlfilter nothing of them. */
	workload->options = g_strconcat(normalized, " losses=untold", NULL);
	workload->counts = *itp_infer_counts(analysis->infer);
	workload->complete = false;
}

int itp_analysis_finish(struct itp_analysis *analysis, struct itp_profile_source *ret_source)
{
	itp_infer_finish(analysis->infer);
	itp_wakers_merge(analysis->profile->wakers, itp_infer_wakers(analysis->infer));
	describe_workload(analysis);
	*ret_source = (struct itp_profile_source){
		.profile = analysis->profile,
		.functions = analysis->functions,
		.node_count = itp_context_tree_size(analysis->tree),
		.get_context = get_context,
		.contexts = analysis->tree,
	};
	return analysis->failure;
}
