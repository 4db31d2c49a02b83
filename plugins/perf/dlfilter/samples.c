/* SPDX-License-Identifier: MIT */
/*
 * See samples.h.
 */
#include "plugins/perf/dlfilter/samples.h"

void itp_samples_init(struct itp_samples *samples, const struct itp_dlargs *dlargs)
{
	const struct itp_perf_options perf_options =
		itp_symbol_params_options(&dlargs->params.symbols);
	struct itp_analysis_options options = dlargs->params.analysis;

	/* perf tells nothing of them. */
	options.losses_untold = true;
	samples->functions = itp_function_table_new();
	samples->analysis = itp_analysis_new(dlargs->name, &options, samples->functions);
	samples->file.attrs = g_array_new(FALSE, FALSE, sizeof(struct itp_perf_attr));
	samples->file.attr_by_id = g_hash_table_new(NULL, NULL);
	itp_translator_init_for_samples(&samples->translator, &samples->file, &perf_options,
					samples->functions);
}

void itp_samples_release(struct itp_samples *samples)
{
	if (!samples->functions) {
		return;
	}
	itp_translator_release(&samples->translator);
	g_array_unref(samples->file.attrs);
	g_hash_table_unref(samples->file.attr_by_id);
	itp_analysis_free(samples->analysis);
	itp_function_table_free(samples->functions);
}

/* Hands the translator's queue to the core. */
static int push_queue(struct itp_samples *samples)
{
	const struct itp_event_queue *queue = &samples->translator.queue;
	int error = 0;

	for (size_t i = 0; error == 0 && i < queue->length; i++) {
		error = itp_analysis_push(samples->analysis, &queue->events[i]);
	}
	return error;
}

int itp_samples_push(struct itp_samples *samples, uint16_t misc,
		     const struct itp_perf_sample *sample, uint64_t time_ns)
{
	int error = itp_translator_push_sample(&samples->translator, misc, sample, time_ns);

	return error != 0 ? error : push_queue(samples);
}

int itp_samples_change(struct itp_samples *samples, enum itp_event_kind kind, struct itp_task *task,
		       uint64_t time_ns)
{
	struct itp_translator *translator = &samples->translator;

	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)time_ns;
	if (kind == ITP_EVENT_EXEC) {
		itp_task_exec(task);
	}
	itp_translator_add(translator, kind, task, -1);
	if (kind == ITP_EVENT_END) {
		itp_tasks_end(translator->tasks, task);
	}
	return push_queue(samples);
}
