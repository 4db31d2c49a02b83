/* SPDX-License-Identifier: MIT */
/*
 * See quality.h. Counted by the inference, so that the numbers are those of every later result.
 */
#include "plugins/perf/command/quality.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/infer/infer.h"
#include "common/known/modules.h"
#include "common/perf-data/directory.h"
#include "common/perf-data/reader.h"
#include "common/render/units.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/record/perf-run.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"

/* Share of broken stacks that is poor. */
#define POOR_SHARE 0.05
/* Share of the CPU time by which a recorder makes its target a third slower. */
#define DEAR_SHARE 0.25
/* Length of a rehearsal, and the share of lost events that is too large. */
#define REHEARSAL_S "0.3"
#define LOST_SHARE 0.01
/* Smaller copies end before the root of most programs' stacks. */
#define LEAST_STACK_BYTES 4096

struct quality {
	struct itp_infer_counts counts;
	/* CPU time of all recorded threads, and the recording's part of it. */
	int64_t cpu_ns;
	int64_t recorder_ns;
	/* Frames of code made or interpreted while it ran. */
	struct itp_machine_code made;
};

static void count_cpu(const struct itp_instance *instance, void *data)
{
	struct quality *quality = data;

	if (instance->depth == 0) {
		quality->cpu_ns += instance->use.cpu_ns;
	}
}

static void count_recorder(const struct itp_share *share, void *data)
{
	struct quality *quality = data;

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

static void count_lost_way(struct itp_machine_code *made,
			   const struct itp_function_table *functions,
			   const struct itp_stack_event *event)
{
	if (event->end == ITP_STACK_END_UNWIND && event->frame_count > 0) {
		itp_machine_code_lose(
			made, itp_function_table_get(functions, event->frames[0].function), 1);
	}
}

static void count_machine_code(struct itp_machine_code *made,
			       const struct itp_function_table *functions, const GArray *frames)
{
	for (uint32_t id = 0; id < frames->len; id++) {
		itp_machine_code_add(made, itp_function_table_get(functions, id),
				     g_array_index(frames, uint64_t, id));
	}
}

/* Reads a recording to its end. Returns 0, or a negative itp_error as in the reader. */
static int count_records(const char *path, struct quality *ret_quality)
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
		count_lost_way(&ret_quality->made, functions, &event);
		itp_progress_line_update(&progress, what, itp_perf_reader_done_bytes(reader),
					 itp_perf_reader_total_bytes(reader));
	}
	itp_progress_line_release(&progress);
	itp_infer_finish(infer);
	itp_infer_tell_shares(infer, count_recorder, ret_quality);
	ret_quality->counts = *itp_infer_counts(infer);
	count_machine_code(&ret_quality->made, functions, frames);
	itp_perf_reader_free(reader);
	itp_infer_free(infer);
	itp_context_tree_free(tree);
	itp_function_table_free(functions);
	return code;
}

/* Share of lost events; 0 when unknown. The number of copies that perf can write out depends on
 * their content, and on other processes; the number of all copies, on how much they slow their
 * target down. Nothing of it is known before. */
static double lost_share(const struct itp_target *target, const struct itp_recipe *recipe)
{
	char *wait[] = { "sleep", REHEARSAL_S, NULL };
	struct itp_target short_target = *target;
	struct itp_recipe rehearsal = *recipe;
	struct quality quality = { 0 };
	const struct itp_infer_counts *counts = &quality.counts;
	g_autofree char *path = NULL;
	g_autofree char *said = NULL;
	g_auto(GStrv) command = NULL;
	int file = g_file_open_tmp("introperf-XXXXXX", &path, NULL);

	if (file < 0) {
		return 0;
	}
	close(file);
	rehearsal.output = path;
	short_target.command = wait;
	command = itp_recipe_command(&rehearsal, &short_target);
	said = itp_perf_listen(command, NULL);
	if (said) {
		(void)count_records(path, &quality);
	}
	g_unlink(path);
	return counts->lost_events > 0 ? (double)counts->lost_events /
						 (double)(counts->stacks + counts->lost_events) :
					 0;
}

void itp_quality_rehearse(const struct itp_target *target, struct itp_recipe *recipe)
{
	const unsigned int wanted_bytes = recipe->stack_bytes;

	while (recipe->preset >= ITP_PRESET_USUAL && lost_share(target, recipe) > LOST_SHARE) {
		if (recipe->stack_bytes / 2 >= LEAST_STACK_BYTES) {
			recipe->stack_bytes /= 2;
		} else {
			recipe->preset = ITP_PRESET_LIGHT;
			recipe->stack_bytes = ITP_STACK_BYTES;
		}
	}
	if (recipe->is_quiet) {
		return;
	}
	if (recipe->preset < ITP_PRESET_USUAL) {
		itp_terminal_say("  (--light: perf does not keep up with this many system calls)");
	} else if (recipe->stack_bytes < wanted_bytes) {
		itp_terminal_say("  (--stack-size %u: perf does not keep up with larger copies)",
				 recipe->stack_bytes);
	}
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
	/* Where events were lost, more stacks may be broken than are counted. */
	const uint64_t broken = MIN(counts->broken_stacks, counts->stacks);
	g_autofree char *rooted =
		itp_units_share((double)(counts->stacks - broken), (double)counts->stacks);
	g_autofree char *size = file_size(path);

	itp_terminal_say("[ %s, %s stacks, %s events lost, %s reached their root, %s → %s ]", time,
			 stacks, lost, rooted, size, path);
}

/* Advice where stacks do not reach their root; `loser`, which may be NULL, is
 * the machine in whose code they get lost. Owned by the caller. */
static char *advise(const struct itp_recipe *recipe, const struct itp_infer_counts *counts,
		    const struct itp_machine *loser)
{
	if (loser && counts->unwind_failures > counts->deep_stacks) {
		return g_strdup_printf("they go through what %s makes: start it with %s",
				       loser->name, loser->for_frames);
	}
	if (recipe->is_bpf) {
		return g_strdup("code without unwind tables is on them, or they are deeper than "
				"what is copied then");
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

/* "7 %", or NULL when at most `most`. Owned by the caller. */
static char *share_above(double most, double part, double whole)
{
	return part > most * whole ? itp_units_share(part, whole) : NULL;
}

static void print_advice(const struct itp_recipe *recipe, const struct quality *quality)
{
	const struct itp_infer_counts *counts = &quality->counts;
	const struct itp_machine *machine = itp_machine_code_main(&quality->made);
	g_autofree char *advice = advise(recipe, counts, itp_machine_code_loser(&quality->made));
	g_autofree char *dear =
		share_above(DEAR_SHARE, (double)quality->recorder_ns, (double)quality->cpu_ns);
	g_autofree char *broken =
		share_above(POOR_SHARE, (double)counts->broken_stacks, (double)counts->stacks);

	if (dear) {
		itp_complain(
			"%s of the CPU time was %s", dear,
			recipe->preset > ITP_PRESET_LIGHT ?
				"the recorder's own: --light, without system calls, takes "
				"less" :
				"recorders': --freq with a lower number takes less, or another "
				"one traces the system calls of this machine");
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
	if (broken) {
		itp_complain("%s of the stacks do not reach their root: %s", broken, advice);
	}
	if (itp_machine_code_is_mute(&quality->made) && machine->for_names) {
		itp_complain("the functions that %s runs have no names: start it with %s",
			     machine->name, machine->for_names);
	}
}

/* "4711 (name) S …": in a wait. A killed process is there, too, until its parent asks for it. */
static bool is_asleep(const char *pid)
{
	g_autofree char *path = g_build_filename("/proc", pid, "stat", NULL);
	g_autofree char *status = NULL;
	const char *name_end;

	if (!g_file_get_contents(path, &status, NULL, NULL)) {
		return false;
	}
	name_end = strrchr(status, ')');
	return name_end && (g_str_has_prefix(name_end, ") S") || g_str_has_prefix(name_end, ") D"));
}

/* Nothing of processes is recorded as long as they wait. */
static bool waits_still(const struct itp_target *target)
{
	g_auto(GStrv) pids =
		g_strsplit(target->pids && !target->is_threads ? target->pids : "", ",", -1);
	bool waits = false;

	for (size_t i = 0; pids[i]; i++) {
		waits |= is_asleep(pids[i]);
	}
	return waits;
}

bool itp_quality_print(const struct itp_recipe *recipe, const struct itp_target *target,
		       GError **error)
{
	struct quality quality = { 0 };
	int code = count_records(recipe->output, &quality);

	if (code < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", recipe->output,
			    code == ITP_ERROR_IO ? g_strerror(errno) :
						   itp_error_text((enum itp_error)code));
		return false;
	}
	if (quality.counts.stacks == 0 && quality.counts.losses == 0 && waits_still(target)) {
		itp_complain("%s: no stacks were recorded: -p %s waited all the time, in what it "
			     "had begun before",
			     recipe->output, target->pids);
		return true;
	}
	if (quality.counts.stacks == 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "%s: no stacks were recorded: %s", recipe->output,
			    quality.counts.losses > 0 ? "all events were lost" :
							"the target did nothing, or ended at once");
		return false;
	}
	if (!recipe->is_quiet) {
		print_numbers(recipe->output, &quality.counts);
		print_advice(recipe, &quality);
	}
	return true;
}
