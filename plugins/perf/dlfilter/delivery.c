/* SPDX-License-Identifier: MIT */
/*
 * See delivery.h.
 */
#include "plugins/perf/dlfilter/delivery.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>

#include "messages/failure.h"
#include "plugins/perf/host/words.h"

#define DESCRIPTORS "/proc/self/fd"

/* perf does not tell what it reads, but has it open. Adds it to `paths`. */
static void add_open_files(GPtrArray *paths)
{
	g_autoptr(GDir) descriptors = g_dir_open(DESCRIPTORS, 0, NULL);
	const char *name;

	while (descriptors && (name = g_dir_read_name(descriptors))) {
		g_autofree char *link = g_build_filename(DESCRIPTORS, name, NULL);
		const int flags = fcntl((int)g_ascii_strtoll(name, NULL, 10), F_GETFL);
		char *path = g_file_read_link(link, NULL);

		if (path && flags >= 0 && (flags & O_ACCMODE) == O_RDONLY &&
		    g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
			g_ptr_array_add(paths, g_steal_pointer(&path));
		}
		g_free(path);
	}
}

static bool open_inputs(struct itp_delivery *delivery, char *const *texts, int count,
			GError **error)
{
	struct itp_dlargs *dlargs = &delivery->dlargs;
	g_autofree char *next = g_strdup(delivery->host->next);
	const bool is_read = itp_dlargs_init(dlargs, texts, count, error);
	const struct itp_result_options options = { .values = dlargs->values,
						    .inputs = &dlargs->inputs,
						    .save = dlargs->save,
						    .next = next };

	if (!is_read) {
		return false;
	}
	add_open_files(dlargs->inputs.paths);
	delivery->result = itp_result_new(&options, error);
	delivery->recordings = delivery->result ? itp_recordings_new(dlargs->inputs.recordings,
								     &dlargs->params, error) :
						  NULL;
	return delivery->recordings;
}

bool itp_delivery_init(struct itp_delivery *delivery, const struct itp_delivery_host *host,
		       char *const *texts, int count, GError **error)
{
	delivery->host = host;
	if (!open_inputs(delivery, texts, count, error)) {
		return false;
	}
	itp_samples_init(&delivery->samples, &delivery->dlargs);
	delivery->pages = itp_code_pages_new(host->ask, delivery->samples.translator.symbolizer);
	return true;
}

void itp_delivery_release(struct itp_delivery *delivery)
{
	itp_code_pages_free(delivery->pages);
	itp_result_free(delivery->result);
	itp_recordings_free(delivery->recordings);
	itp_samples_release(&delivery->samples);
	itp_dlargs_release(&delivery->dlargs);
	if (delivery->is_watching) {
		itp_interrupt_release(&delivery->interrupt);
	}
}

void itp_delivery_watch(struct itp_delivery *delivery)
{
	if (!delivery->is_watching) {
		itp_interrupt_init(&delivery->interrupt);
		delivery->is_watching = true;
	}
}

int itp_delivery_add_event(struct itp_delivery *delivery, const struct itp_bytes *attr,
			   const char *name)
{
	struct itp_translator *translator = &delivery->samples.translator;
	int error = itp_translator_add_attr(translator, attr, name);
	uint32_t last = translator->file->attrs->len - 1;

	if (error != 0) {
		return error;
	}
	if (itp_samples_are_syscalls(&delivery->samples, last)) {
		itp_code_pages_trust(delivery->pages);
	}
	delivery->has_chains |= (itp_perf_file_attr(translator->file, last)->sample_type &
				 PERF_SAMPLE_CALLCHAIN) != 0;
	return (int)last;
}

int itp_delivery_set_kernel(struct itp_delivery *delivery, const char *build_id, const char *symbol,
			    uint64_t start)
{
	struct itp_kernel *kernel = itp_symbolizer_kernel(delivery->samples.translator.symbolizer);
	const char *image = delivery->dlargs.params.symbols.kernel;

	if (build_id[0] != '\0') {
		itp_kernel_set_build_id(kernel, build_id);
	}
	if (symbol) {
		itp_kernel_set_function(kernel, symbol, start);
	}
	return image ? itp_kernel_set_image(kernel, image) : 0;
}

struct itp_task *itp_delivery_task(struct itp_delivery *delivery, int32_t pid, int32_t tid,
				   const char *comm)
{
	struct itp_tasks *tasks = delivery->samples.translator.tasks;
	struct itp_task *task;

	if (tid <= 0) {
		return NULL;
	}
	task = itp_tasks_get(tasks, pid, tid);
	if (task->is_ended) {
		itp_tasks_forget_ended(tasks);
		task = itp_tasks_get(tasks, pid, tid);
	}
	if (comm && strcmp(comm, task->comm) != 0) {
		itp_tasks_rename(tasks, task, comm);
		/* A thread with another name may run another program, even where no system call
		 * tells. */
		itp_code_pages_end(delivery->pages, tid);
	}
	return task;
}

uint64_t itp_delivery_time(struct itp_delivery *delivery, uint64_t time_ns)
{
	delivery->late_samples += time_ns < delivery->last_time;
	delivery->last_time = MAX(delivery->last_time, time_ns);
	return delivery->last_time;
}

int itp_delivery_begin(struct itp_delivery *delivery, const struct itp_perf_sample *sample,
		       struct itp_task *task)
{
	enum itp_memory_change change =
		task ? itp_samples_memory_change(&delivery->samples, sample) : ITP_MEMORY_SAME;

	if (change == ITP_MEMORY_MAPPED) {
		itp_code_pages_change(delivery->pages, task->process->pid);
	}
	return change == ITP_MEMORY_NEW ? itp_samples_change(&delivery->samples, ITP_EVENT_EXEC,
							     task, sample->stamp.time) :
					  0;
}

int itp_delivery_push(struct itp_delivery *delivery, uint16_t misc,
		      const struct itp_perf_sample *sample, struct itp_task *task)
{
	int error = itp_samples_push(&delivery->samples, misc, sample, sample->stamp.time);

	if (error == 0 && task && itp_samples_is_end(&delivery->samples, sample)) {
		error = itp_samples_change(&delivery->samples, ITP_EVENT_END, task,
					   sample->stamp.time);
		itp_code_pages_end(delivery->pages, sample->stamp.tid);
	}
	return error;
}

static void warn_of_late_samples(const struct itp_delivery *delivery)
{
	g_autofree char *text = NULL;

	if (delivery->late_samples > 0) {
		text = g_strdup_printf("warning: perf handed over %" G_GUINT64_FORMAT
				       " of its samples too late; each counts as of the time of "
				       "the one before",
				       delivery->late_samples);
		delivery->host->say(text);
	}
}

static bool describe(const void *data, struct itp_output *output, GError **error)
{
	const char *name = ((const struct itp_delivery *)data)->dlargs.name;

	return itp_output_set_environment(output, "introperf_input", name, error) &&
	       itp_output_set_name(output, name, error);
}

static void forget(void *data)
{
	itp_analysis_forget(((struct itp_delivery *)data)->samples.analysis);
}

/* Ends the input. */
static bool make_profile(struct itp_delivery *delivery, bool is_interrupted,
			 struct itp_memory_profile *profile, GError **error)
{
	int code;

	if (delivery->samples.translator.file->attrs->len == 0) {
		itp_failure_set(error,
				"perf handed over no samples: the recording has none, or none "
				"that was chosen");
		return false;
	}
	if (!delivery->has_chains) {
		itp_failure_set(error, "%s", itp_error_text(ITP_ERROR_NO_CALLCHAINS));
		return false;
	}
	warn_of_late_samples(delivery);
	if (is_interrupted) {
		itp_analysis_end_early(delivery->samples.analysis);
	}
	*profile = (struct itp_memory_profile){ .input_path = delivery->dlargs.name,
						.describe = describe,
						.forget = forget,
						.data = delivery };
	code = itp_analysis_finish(delivery->samples.analysis, &profile->source);
	if (code != 0) {
		itp_failure_set(error, "%s", itp_error_text(code));
	}
	return code == 0;
}

static void tell(const char *message, void *data)
{
	const struct itp_delivery *delivery = data;
	g_autofree char *text = itp_words(message, ITP_WORDS_PARAMETER);

	delivery->host->say(text);
}

enum itp_outcome itp_delivery_conclude(struct itp_delivery *delivery, bool is_cut, GError **error)
{
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	struct itp_conclusion conclusion = { .result = delivery->result,
					     .recordings = delivery->recordings,
					     .interrupt = &delivery->interrupt,
					     .watch = { .tell = tell, .data = delivery },
					     .profiles = profiles };
	struct itp_memory_profile profile;

	itp_delivery_watch(delivery);
	conclusion.is_interrupted = itp_interrupt_take(&delivery->interrupt) || is_cut;
	if (!make_profile(delivery, conclusion.is_interrupted, &profile, error)) {
		return ITP_OUTCOME_FAILED;
	}
	g_array_append_val(profiles, profile);
	return itp_conclude(&conclusion, error);
}
