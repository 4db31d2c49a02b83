/* SPDX-License-Identifier: MIT */
/*
 * Making a translator: from all facts of the recording before its first record, or from substitutes
 * if somebody else reads the recording.
 */
#include "common/perf-data/translator.h"

#include "common/base/watched.h"
#include "common/elf/section.h"
#include "common/perf-data/feature.h"

#include <sys/utsname.h>

static void read_build_ids(struct itp_translator *translator)
{
	struct itp_bytes section = itp_perf_feature(translator->file, ITP_FEATURE_BUILD_ID);
	struct itp_perf_build_id entry;

	while (itp_perf_build_id_next(&section, &entry)) {
		g_autofree char *text = itp_build_id_text(entry.bytes, entry.size);

		if (!entry.is_kernel) {
			itp_symbolizer_set_build_id(translator->symbolizer, entry.path, text);
		} else if (g_str_equal(entry.path, ITP_KERNEL_MAP)) {
			itp_kernel_set_build_id(itp_symbolizer_kernel(translator->symbolizer),
						text);
		}
	}
}

static void note_sources(struct itp_translator *translator)
{
	translator->has_switch_tracepoint = false;
	translator->has_last_switches = false;
	for (guint i = 0; i < translator->file->attrs->len; i++) {
		const bool is_switch = translator->tracepoints[i].kind == ITP_TRACEPOINT_SWITCH;

		translator->has_switch_tracepoint |= is_switch;
		translator->has_last_switches |=
			is_switch && !itp_perf_file_attr(translator->file, i)->is_inherited;
		translator->tells_before |= translator->tracepoints[i].kind ==
					    ITP_TRACEPOINT_HAD_CPU;
		translator->has_switch_records |=
			itp_perf_file_attr(translator->file, i)->has_switches;
	}
}

/* Kinds of events watched by an attribute, with stacks or without. */
static uint32_t watched_by(const struct itp_translator *translator, guint attr, bool has_chains)
{
	const uint32_t ticks =
		itp_perf_file_attr(translator->file, attr)->is_timer ? ITP_WATCHED_TICKS : 0;

	switch (translator->tracepoints[attr].kind) {
	case ITP_TRACEPOINT_SYS_ENTER:
	case ITP_TRACEPOINT_SYS_EXIT:
		return has_chains ? ITP_WATCHED_CALLS : 0;
	case ITP_TRACEPOINT_SWITCH:
		return has_chains ? ITP_WATCHED_SWITCHES : 0;
	case ITP_TRACEPOINT_WAKEUP:
		return ITP_WATCHED_WAKEUPS;
	case ITP_TRACEPOINT_OTHER:
		return has_chains ? ticks : 0;
	case ITP_TRACEPOINT_CALL:
	case ITP_TRACEPOINT_WINDOW:
	case ITP_TRACEPOINT_IN_CALL:
	case ITP_TRACEPOINT_HAD_CPU:
		return 0;
	}
	return 0;
}

bool itp_translator_tells_containers(const struct itp_translator *translator)
{
	for (guint i = 0; i < translator->file->attrs->len; i++) {
		if (itp_perf_file_attr(translator->file, i)->sample_type & PERF_SAMPLE_CGROUP) {
			return true;
		}
	}
	return false;
}

uint32_t itp_translator_watched(const struct itp_translator *translator)
{
	uint32_t watched = ITP_WATCHED_TOLD;

	for (guint i = 0; i < translator->file->attrs->len; i++) {
		const struct itp_perf_attr *attr = itp_perf_file_attr(translator->file, i);

		watched |= watched_by(translator, i, attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	}
	return watched;
}

static uint64_t count_tracepoints(const struct itp_perf_file *file)
{
	uint64_t count = 0;

	for (guint i = 0; i < file->attrs->len; i++) {
		count += itp_perf_file_attr(file, i)->type == PERF_TYPE_TRACEPOINT;
	}
	return count;
}

static int read_formats(struct itp_translator *translator)
{
	struct itp_bytes section = itp_perf_feature(translator->file, ITP_FEATURE_TRACING_DATA);

	translator->counts.is_unfinished = translator->file->is_unfinished;
	if (section.size == 0) {
		translator->counts.missing_formats = count_tracepoints(translator->file);
	}
	return itp_tracepoints_read(translator->file, section, &translator->tracepoints);
}

/* `arch` is a machine's name of uname -m, or NULL. */
static void set_architecture(struct itp_translator *translator, const char *arch)
{
	itp_syscall_names_free(translator->syscalls);
	itp_user_stacks_free(translator->stacks);
	translator->syscalls = itp_syscall_names_new(arch, translator->functions);
	translator->stacks = itp_user_stacks_new(arch);
}

void itp_translator_use_running_kernel(struct itp_translator *translator)
{
	struct utsname name;

	if (!translator->may_use_running_kernel ||
	    !itp_kernel_is_running(itp_symbolizer_kernel(translator->symbolizer)) ||
	    uname(&name) != 0) {
		return;
	}
	translator->may_use_running_kernel = false;
	set_architecture(translator, name.machine);
	if (translator->counts.missing_formats > 0 &&
	    itp_tracepoints_read_running(translator->file, translator->tracepoints)) {
		translator->counts.missing_formats = 0;
		note_sources(translator);
	}
}

/* `arch`, `os_release` and `hostname` may be NULL. */
static void begin_translation(struct itp_translator *translator, struct itp_perf_file *file,
			      const struct itp_perf_options *options,
			      struct itp_function_table *functions, const char *arch,
			      const char *os_release, const char *hostname)
{
	const struct itp_symbolizer_options symbolizer_options = {
		.symfs = options->symfs,
		.kallsyms = options->kallsyms,
		.os_release = os_release,
		.hostname = hostname,
		.recorded_s = file->map.modified_s,
		.debuginfod = options->debuginfod,
		.demangle = options->demangle,
		.inlines = options->inlines,
		.is_monotonic = file->attrs->len > 0 && itp_perf_file_attr(file, 0)->is_monotonic
	};

	translator->file = file;
	translator->in_memory = options->in_memory;
	translator->functions = functions;
	translator->symbolizer = itp_symbolizer_new(&symbolizer_options, functions);
	translator->completion = options->fills ? itp_completion_new(functions) : NULL;
	translator->tasks = itp_tasks_new();
	if (options->names_containers) {
		itp_tasks_name_containers(translator->tasks);
	}
	translator->nobody = itp_tasks_process(translator->tasks, 0);
	translator->joined = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	set_architecture(translator, arch);
}

int itp_translator_init(struct itp_translator *translator, struct itp_perf_file *file,
			const struct itp_perf_options *options,
			struct itp_function_table *functions)
{
	g_autofree char *os_release = itp_perf_feature_string(file, ITP_FEATURE_OS_RELEASE);
	g_autofree char *arch = itp_perf_feature_string(file, ITP_FEATURE_ARCH);
	g_autofree char *hostname = itp_perf_feature_string(file, ITP_FEATURE_HOSTNAME);
	int error;

	begin_translation(translator, file, options, functions, arch, os_release, hostname);
	translator->may_use_running_kernel = !arch && !options->symfs;
	error = read_formats(translator);
	translator->deferred = itp_deferred_new(file);
	note_sources(translator);
	read_build_ids(translator);
	return error;
}

void itp_translator_init_for_samples(struct itp_translator *translator, struct itp_perf_file *file,
				     const struct itp_perf_options *options,
				     struct itp_function_table *functions)
{
	struct utsname name;
	bool is_known = uname(&name) == 0;

	begin_translation(translator, file, options, functions, is_known ? name.machine : NULL,
			  is_known ? name.release : NULL, NULL);
}

int itp_translator_add_attr(struct itp_translator *translator, const struct itp_bytes *attr,
			    const char *event_name)
{
	const struct itp_bytes no_ids = { .data = NULL };
	int error = itp_perf_file_add_attr(translator->file, attr, &no_ids);

	if (error == 0) {
		translator->tracepoints = g_renew(struct itp_tracepoint, translator->tracepoints,
						  translator->file->attrs->len);
		translator->tracepoints[translator->file->attrs->len - 1] =
			itp_tracepoint_usual(event_name);
		translator->has_switch_tracepoint |=
			translator->tracepoints[translator->file->attrs->len - 1].kind ==
			ITP_TRACEPOINT_SWITCH;
	}
	return error;
}

void itp_translator_release(struct itp_translator *translator)
{
	g_array_unref(translator->joined);
	g_free(translator->tracepoints);
	itp_completion_free(translator->completion);
	itp_symbolizer_free(translator->symbolizer);
	itp_syscall_names_free(translator->syscalls);
	itp_tasks_process_unref(translator->tasks, translator->nobody);
	itp_tasks_free(translator->tasks);
	itp_user_stacks_free(translator->stacks);
	itp_deferred_free(translator->deferred);
}

void itp_translator_expect_switches(struct itp_translator *translator)
{
	translator->has_switch_records = true;
}
