/* SPDX-License-Identifier: MIT */
/*
 * See bpf-run.h.
 */
#include "plugins/perf/record/bpf-run.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/render/units.h"
#include "plugins/perf/record/output.h"
#include "plugins/perf/record/recording.h"
#include "terminal/terminal.h"

/* Frequency of the timer, in hertz: as usual, and with --full. */
#define HERTZ 997
#define FULL_HERTZ 3989
/* Part of a running program's CPU time that nobody misses. */
#define USUAL_BUDGET 0.05
/* CPU time of programs, in nanoseconds, from which on the cost of recording is told: with less,
 * most of the cost is the begin's. */
#define TOLD_NS 2e8

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

/* Words of the command, with --bpf for the reader --like. Owned by the caller. */
static char **kept_words(char *const *typed)
{
	GPtrArray *words = g_ptr_array_new();
	guint rest = 0;
	bool is_named = false;

	for (guint i = 0; typed[i] && !g_str_equal(typed[i], "--"); i++) {
		is_named |= g_str_equal(typed[i], "--bpf");
	}
	if (typed[0] && !is_named) {
		g_ptr_array_add(words, g_strdup(typed[rest++]));
		g_ptr_array_add(words, g_strdup("--bpf"));
	}
	for (guint i = rest; typed[i]; i++) {
		g_ptr_array_add(words, g_strdup(typed[i]));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static bool ran_before(const struct itp_target *target)
{
	return target->pids || target->user || target->is_machine;
}

/* Part of the programs' CPU time that the recording may take: 0.05; 0: no limit. Others wait for a
 * program that ran before; a command is run to be recorded. */
static double budget_of(const struct itp_record_options *options)
{
	if (options->overhead) {
		return options->wishes.limit;
	}
	return !ran_before(&options->target) || options->is_light || options->is_full ||
			       options->is_unbounded ?
		       0 :
		       USUAL_BUDGET;
}

/* Kinds of events to be watched. Owned by the caller. */
static char *watched_text(const struct itp_record_options *options)
{
	g_autofree char *limit = itp_units_share(budget_of(options), 1);

	if (options->is_light) {
		return g_strdup("switches and ticks");
	}
	if (options->is_full) {
		return g_strdup("system calls, switches, wakeups, page faults and ticks");
	}
	if (budget_of(options) <= 0) {
		return g_strdup("system calls, switches, wakeups and ticks");
	}
	return g_strdup_printf("switches, wakeups and ticks, and as many system calls as %s of the "
			       "CPU time allow,",
			       limit);
}

char *itp_record_bpf_text(const struct itp_record_options *options)
{
	const struct itp_target *target = &options->target;
	g_autofree char *watched = watched_text(options);
	/* As much as nginx needs. */
	const char *price = ran_before(target) && budget_of(options) <= 0 && !options->is_light ?
				    "; what does little but system calls needs up to 1.7 times its "
				    "CPU time meanwhile" :
				    "";

	return g_strdup_printf(
		"(bpf: %s of %s, with their stacks%s)", watched,
		target->is_machine ? "all processes" :
		target->user       ? "the user's processes, their children, and threads that begin "
				     "later" :
		target->pids ? "these processes, their children, and threads that begin later" :
			       "the command and its children",
		price);
}

struct beginning {
	struct itp_held *held;
	struct itp_record_bpf_end *end;
	const struct itp_record_options *options;
};

/* Lets the command go. */
static void begin(void *data)
{
	const struct beginning *beginning = data;
	struct itp_held *held = beginning->held;

	beginning->end->has_begun = true;
	if (!beginning->options->is_quiet) {
		g_autofree char *text = itp_record_bpf_text(beginning->options);

		itp_terminal_say("  %s", text);
	}
	if (held->pid > 0) {
		(void)!write(held->gate, "\n", 1);
		itp_held_close(held);
	}
}

/* Reports how stacks were found, and why some had to be copied. */
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
	itp_terminal_say("  (%" G_GUINT64_FORMAT " of their parts in the kernel: %" G_GUINT64_FORMAT
			 " remembered)",
			 totals->kernel_stacks, totals->kernel_remembered);
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
	const struct itp_recorder_spent_part spent =
		itp_recorder_spent_part(&end->spent, end->length_ns);
	g_autofree char *part = itp_units_share(spent.part, 1);
	g_autofree char *asked = itp_units_share(limit, 1);
	g_autofree char *watched = itp_units_share(end->watched, 1);

	itp_terminal_say("  (took about %s of %s, asked for %s: system calls for %s of the time, "
			 "in %u %s; switches, wakeups and ticks all the time)",
			 part, spent.is_of_cpu ? "one CPU" : "the CPU time", asked, watched,
			 end->windows, end->windows == 1 ? "window" : "windows");
}

/* Reports the parts of the cost. */
static void say_spent_for(const struct itp_recorder_spent *spent)
{
	g_autofree char *calls = itp_units_time(llround(spent->calls_ns));
	g_autofree char *others = itp_units_time(llround(spent->others_ns));
	g_autofree char *own =
		itp_units_time(llround(spent->own_calls_ns + spent->own_edges_ns +
				       spent->own_learning_ns + spent->own_others_ns));
	g_autofree char *target = itp_units_time(llround(spent->target_ns));
	g_autofree char *strangers =
		itp_units_time(llround(spent->stranger_calls_ns + spent->stranger_others_ns));

	itp_terminal_say("  (CPU time: of %s of the programs, %s for system calls and %s for all "
			 "else; %s of other programs; %s in the recorder)",
			 target, calls, others, strangers, own);
}

bool itp_record_bpf_run(const struct itp_record_options *options, const char *output,
			char *const *typed, struct itp_held *held, struct itp_recipe *ret_recipe,
			struct itp_record_bpf_end *ret_end, GError **error)
{
	const struct itp_target *target = &options->target;
	g_autoptr(GArray) pids = numbers_of(target->pids);
	g_auto(GStrv) kept = kept_words(typed);
	struct beginning beginning = { .held = held, .end = ret_end, .options = options };
	struct itp_recorder_options recorder = {
		.output = output,
		.pids = pids,
		.is_machine = target->is_machine,
		.reader = g_str_equal(output, ITP_RECORDER_STREAM) ? getppid() : 0,
		.is_light = options->is_light,
		.is_full = options->is_full,
		.budget = budget_of(options),
		.hertz = options->wishes.frequency_hz > 0 ? (guint)options->wishes.frequency_hz :
			 options->is_full                 ? FULL_HERTZ :
							    HERTZ,
		.command = kept,
		.begin = begin,
		.data = &beginning,
	};
	struct itp_recorder_end end;

	*ret_end = (struct itp_record_bpf_end){ .has_begun = false };

	if (target->command && !itp_held_start(held, target->command, error)) {
		return false;
	}
	recorder.until = held->pid;
	if (target->command && !target->pids) {
		g_array_append_val(pids, held->pid);
		/* With the whole machine, the command is a process among others, recorded even
		 * before its exec. */
		recorder.waiting_pid = target->is_machine ? 0 : held->pid;
	}
	if (!itp_recorder_run(&recorder, &end, error)) {
		return false;
	}
	if (recorder.budget > 0 && !options->is_light && !options->is_quiet &&
	    (options->is_verbose || end.watched < 1 || end.spent.target_ns >= TOLD_NS)) {
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
