/* SPDX-License-Identifier: MIT */
/*
 * See quality.h. Counted by the inference, so that the numbers are those of every later result.
 */
#include "plugins/perf/command/quality.h"

#include <errno.h>
#include <sys/stat.h>

#include "common/perf-data/directory.h"
#include "common/perf-data/reader.h"
#include "common/render/units.h"
#include "plugins/perf/command/introperf.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"

/* More broken stacks than this are poor. */
#define POOR_SHARE 0.05
/* A recorder that takes more than this of the CPU time makes its target a third slower. */
#define DEAR_SHARE 0.25

static void count_cpu(const struct itp_instance *instance, void *data)
{
	struct itp_quality *quality = data;

	if (instance->depth == 0) {
		quality->cpu_ns += instance->use.cpu_ns;
	}
}

static void count_recorder(const struct itp_share *share, void *data)
{
	struct itp_quality *quality = data;

	if (share->node != share->within) {
		quality->recorder_ns += share->cpu_ns;
	}
}

static void count_frames(GArray *frames, const struct itp_stack_event *event)
{
	for (size_t i = 0; i < event->frame_count; i++) {
		uint32_t function = event->frames[i].function;

		if (function >= frames->len) {
			g_array_set_size(frames, function + 1);
		}
		g_array_index(frames, uint64_t, function)++;
	}
}

static struct itp_machine_code machine_code(const struct itp_function_table *functions,
					    const GArray *frames)
{
	struct itp_machine_code made = { .named = 0 };

	for (uint32_t id = 0; id < frames->len; id++) {
		itp_machine_code_add(&made, itp_function_table_get(functions, id),
				     g_array_index(frames, uint64_t, id));
	}
	return made;
}

int itp_quality_count(const char *path, struct itp_quality *ret_quality)
{
	const struct itp_perf_options reader_options = { .demangle = false };
	const struct itp_infer_options options = { .continuity = ITP_CONTINUITY_CALL_SITE };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_context_tree *tree = itp_context_tree_new();
	struct itp_infer *infer = itp_infer_new(&options, functions, tree, count_cpu, ret_quality);
	enum itp_error failure = ITP_OK;
	struct itp_perf_reader *reader =
		itp_perf_reader_new(path, &reader_options, functions, &failure);
	g_autoptr(GArray) frames = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	g_autofree char *what = g_strdup_printf("checking %s", path);
	struct itp_progress_line progress;
	struct itp_stack_event event;
	int code = reader ? 1 : (int)failure;

	itp_progress_line_init(&progress);
	while (code == 1 && (code = itp_perf_reader_next(reader, &event)) == 1) {
		int pushed = itp_infer_push(infer, &event);

		code = pushed < 0 ? pushed : 1;
		count_frames(frames, &event);
		itp_progress_line_update(&progress, what, itp_perf_reader_done_bytes(reader),
					 itp_perf_reader_total_bytes(reader));
	}
	itp_progress_line_release(&progress);
	itp_infer_finish(infer);
	itp_infer_tell_shares(infer, count_recorder, ret_quality);
	ret_quality->counts = *itp_infer_counts(infer);
	ret_quality->made = machine_code(functions, frames);
	itp_perf_reader_free(reader);
	itp_infer_free(infer);
	itp_context_tree_free(tree);
	itp_function_table_free(functions);
	return code;
}

static char *file_size(const char *path)
{
	g_autofree char *data = itp_perf_directory_data(path);
	struct stat status = { 0 };

	return stat(data, &status) == 0 ? g_format_size((guint64)status.st_size) :
					  g_strdup("0 bytes");
}

static void print_numbers(const char *path, const struct itp_infer_counts *counts)
{
	g_autofree char *time = itp_units_time(counts->end_ns - counts->begin_ns);
	g_autofree char *stacks = itp_units_count(counts->stacks);
	g_autofree char *lost = itp_units_count(counts->lost_events);
	g_autofree char *rooted = itp_units_share((double)(counts->stacks - counts->broken_stacks),
						  (double)counts->stacks);
	g_autofree char *size = file_size(path);

	itp_terminal_say("[ %s, %s stacks, %s events lost, %s reached their root, %s → %s ]", time,
			 stacks, lost, rooted, size, path);
}

/* What to record with instead, where stacks do not reach their root. NULL when nothing helps. */
static char *advise(const struct itp_recipe *recipe, const struct itp_quality *quality)
{
	const struct itp_infer_counts *counts = &quality->counts;
	const struct itp_machine *machine = itp_machine_code_main(&quality->made);

	if (machine && machine->for_frames && counts->unwind_failures > counts->deep_stacks) {
		return g_strdup_printf("they go through what %s makes: start it with %s",
				       machine->name, machine->for_frames);
	}
	if (recipe->stack_bytes == 0) {
		return g_strdup("record with --dwarf, as some code keeps no frame pointers");
	}
	if (counts->short_copies > MAX(counts->deep_stacks, counts->unwind_failures)) {
		return g_strdup(
			"they go on behind a page of the stack that was never touched, as in "
			"large frames, where the kernel's copy ends, however large it may "
			"be; --fp helps if the code keeps frame pointers");
	}
	if (counts->deep_stacks < counts->broken_stacks / 2) {
		return g_strdup("code without unwind tables is on them; --fp helps if it keeps "
				"frame pointers");
	}
	if (recipe->stack_bytes >= ITP_MAX_STACK_BYTES) {
		return g_strdup("they are deeper than perf can copy");
	}
	return g_strdup_printf("record with --dwarf --stack-size %u, as they are deeper than the "
			       "%u bytes that were copied",
			       MIN(recipe->stack_bytes * 2, ITP_MAX_STACK_BYTES),
			       recipe->stack_bytes);
}

static void print_advice(const struct itp_recipe *recipe, const struct itp_quality *quality)
{
	const struct itp_infer_counts *counts = &quality->counts;
	const struct itp_machine *machine = itp_machine_code_main(&quality->made);
	g_autofree char *advice = advise(recipe, quality);

	if ((double)quality->recorder_ns > DEAR_SHARE * (double)quality->cpu_ns) {
		g_autofree char *share =
			itp_units_share((double)quality->recorder_ns, (double)quality->cpu_ns);

		itp_complain("%s of the CPU time was the recorder's own%s", share,
			     recipe->preset > ITP_PRESET_LIGHT ?
				     ": --light, without system calls, takes less" :
				     ": --freq with a lower number takes less");
	}
	if (counts->losses > 0) {
		itp_complain("events were lost, so calls are cut short: record less (%s)",
			     recipe->stack_bytes > 0           ? "--fp, --light, --stack-size" :
			     recipe->preset > ITP_PRESET_LIGHT ? "--light" :
								 "--freq");
	}
	if (counts->cut) {
		itp_complain("perf did not write the end of what it had compressed: the recording "
			     "lacks its last moment");
	}
	if ((double)counts->broken_stacks > POOR_SHARE * (double)counts->stacks) {
		g_autofree char *share =
			itp_units_share((double)counts->broken_stacks, (double)counts->stacks);

		itp_complain("%s of the stacks do not reach their root: %s", share, advice);
	}
	if (itp_machine_code_is_mute(&quality->made)) {
		itp_complain("the functions that %s runs have no names: start it with %s",
			     machine->name, machine->for_names);
	}
}

bool itp_quality_print(const struct itp_recipe *recipe, GError **error)
{
	struct itp_quality quality = { .made = { .named = 0 } };
	int code = itp_quality_count(recipe->output, &quality);

	if (code < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", recipe->output,
			    code == ITP_ERROR_IO ? g_strerror(errno) :
						   itp_error_text((enum itp_error)code));
		return false;
	}
	if (quality.counts.stacks == 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "%s: no stacks were recorded: %s", recipe->output,
			    quality.counts.losses > 0 ? "all events were lost" :
							"the target did nothing, or ended at once");
		return false;
	}
	print_numbers(recipe->output, &quality.counts);
	print_advice(recipe, &quality);
	return true;
}
