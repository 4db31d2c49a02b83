/* SPDX-License-Identifier: MIT */
/*
 * See record-bpf.h.
 */
#include "plugins/perf/command/record-bpf.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/render/units.h"
#include "plugins/perf/record/recording.h"
#include "terminal/terminal.h"

#define HERTZ 997

static GArray *numbers_of(const char *pids)
{
	g_auto(GStrv) names = g_strsplit(pids ? pids : "", ",", -1);
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(int32_t));

	for (guint i = 0; names[i]; i++) {
		const int32_t pid = atoi(names[i]);

		g_array_append_val(numbers, pid);
	}
	return numbers;
}

/* Lets the command go. */
static void release(void *data)
{
	struct itp_held *held = data;

	if (held->pid > 0) {
		(void)!write(held->gate, "\n", 1);
		itp_held_close(held);
	}
}

/* Kinds of events to be watched. Owned by the caller. */
static char *watched_text(const struct itp_record_options *options)
{
	g_autofree char *limit = itp_units_share(options->wishes.limit, 1);

	if (options->is_light) {
		return g_strdup("switches and ticks");
	}
	if (!options->overhead) {
		return g_strdup("system calls, switches, wakeups and ticks");
	}
	return g_strdup_printf("switches, wakeups and ticks, and as many system calls as %s of the "
			       "CPU time allow,",
			       limit);
}

static void say_target(const struct itp_record_options *options)
{
	const struct itp_target *target = &options->target;
	g_autofree char *watched = watched_text(options);

	itp_terminal_say("  (bpf: %s of %s, with their stacks)", watched,
			 target->is_machine ? "all processes" :
			 target->user       ? "the user's processes, their children, and threads "
					      "that begin later" :
			 target->pids       ? "these processes, their children, and threads that "
					      "begin later" :
					      "the command and its children");
}

/* How stacks were found, and why some had to be copied. */
static void say_totals(const struct itp_record_totals *totals)
{
	static const char *const reasons[ITP_RECORD_REASONS] = {
		[ITP_RECORD_IMAGE_UNKNOWN] = "of a program that has just begun",
		[ITP_RECORD_UNMAPPED] = "through memory of which nothing is known",
		[ITP_RECORD_NO_TABLE] = "through code of which there are no tables, or not yet",
		[ITP_RECORD_NO_STEP] = "by rules that only the unwinder can follow",
		[ITP_RECORD_NO_FRAME_POINTER] = "whose frame pointer was not known",
		[ITP_RECORD_NO_MEMORY] = "that are not in memory",
		[ITP_RECORD_NOT_GROWING] = "that contradict themselves",
		[ITP_RECORD_DEEP] = "that are deeper than 256 frames",
	};

	itp_terminal_say("  (%" G_GUINT64_FORMAT " stacks: %" G_GUINT64_FORMAT
			 " remembered, %" G_GUINT64_FORMAT " walked in the kernel)",
			 totals->stacks, totals->remembered, totals->walked);
	for (guint i = 0; i < ITP_RECORD_REASONS; i++) {
		if (totals->copied[i] > 0) {
			itp_terminal_say("  (%" G_GUINT64_FORMAT " copied %s)", totals->copied[i],
					 reasons[i]);
		}
	}
}

/* Reports the measured cost of the recording, and the share of the time in which system calls were
 * watched. */
static void say_spent(const struct itp_recorder_end *end, double limit)
{
	g_autofree char *spent = itp_units_share(itp_recorder_spent_part(&end->spent), 1);
	g_autofree char *asked = itp_units_share(limit, 1);
	g_autofree char *watched = itp_units_share(end->watched, 1);

	itp_terminal_say(
		"  (took about %s of the CPU time, asked for %s: system calls for %s of the "
		"time, in %u %s; switches, wakeups and ticks all the time)",
		spent, asked, watched, end->windows, end->windows == 1 ? "window" : "windows");
}

/* Reports the parts of the cost. */
static void say_spent_for(const struct itp_recorder_spent *spent)
{
	g_autofree char *calls = itp_units_time(llround(spent->calls_ns));
	g_autofree char *others = itp_units_time(llround(spent->others_ns));
	g_autofree char *own = itp_units_time(llround(spent->own_calls_ns + spent->own_others_ns));
	g_autofree char *target = itp_units_time(llround(spent->target_ns));

	itp_terminal_say("  (CPU time: of %s of the programs, %s for system calls and %s for all "
			 "else; %s in the recorder)",
			 target, calls, others, own);
}

bool itp_record_bpf_run(const struct itp_record_options *options, const char *output,
			char *const *typed, struct itp_held *held, struct itp_recipe *ret_recipe,
			struct itp_record_bpf_end *ret_end, GError **error)
{
	const struct itp_target *target = &options->target;
	g_autoptr(GArray) pids = numbers_of(target->pids);
	struct itp_recorder_options recorder = {
		.output = output,
		.pids = pids,
		.is_machine = target->is_machine,
		.is_light = options->is_light,
		.budget = options->overhead ? options->wishes.limit : 0,
		.hertz = options->wishes.frequency_hz > 0 ? (guint)options->wishes.frequency_hz :
							    HERTZ,
		.command = typed,
		.begin = release,
		.data = held,
	};
	struct itp_recorder_end end;

	if (target->command && !itp_held_start(held, target->command, error)) {
		return false;
	}
	recorder.until = held->pid;
	if (target->command && !target->pids) {
		g_array_append_val(pids, held->pid);
		recorder.waiting_pid = held->pid;
	}
	if (!options->is_quiet) {
		say_target(options);
	}
	if (!itp_recorder_run(&recorder, &end, error)) {
		g_prefix_error(error, "--bpf: ");
		return false;
	}
	if (recorder.budget > 0 && !options->is_light && !options->is_quiet) {
		say_spent(&end, recorder.budget);
	}
	if (options->is_verbose && recorder.budget > 0) {
		say_spent_for(&end.spent);
	}
	if (options->is_verbose) {
		say_totals(&end.totals);
	}
	*ret_recipe = (struct itp_recipe){
		.preset = options->wishes.preset,
		.is_bpf = true,
		.output = output,
		.is_quiet = options->is_quiet,
	};
	ret_end->is_interrupted = end.is_interrupted;
	return true;
}
