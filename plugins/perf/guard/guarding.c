/* SPDX-License-Identifier: MIT */
/*
 * See guarding.h. One thread waits for signals, for records of the kernel, and for the time to look
 * around.
 */
#include "plugins/perf/guard/guarding.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "common/guard/learning.h"
#include "common/guard/matching.h"
#include "messages/failure.h"
#include "plugins/perf/guard/alarms.h"
#include "plugins/perf/guard/lines.h"
#include "plugins/perf/guard/recorder.h"
#include "plugins/perf/guard/shifts.h"
#include "terminal/terminal.h"

/* How often is looked for late threads that do not run: a few times in the smallest limit. */
#define LOOK_LEAST_MS 10
#define LOOK_MOST_MS 100
/* How often for types that have become slow. */
#define SHIFTS_MS 500

struct itp_guarding {
	struct itp_guarding_options options;
	/* All owned by this. */
	struct itp_guard_probes probes;
	struct itp_guard_processes *processes;
	struct itp_guard_kernel *kernel;
	struct itp_guard_alarms *alarms;
	struct itp_guard_shifts *shifts;
	struct itp_guard_recorder *recorder;
	struct itp_guard_lines lines;
	GString *output;
	/* Processes of the command that have no loop of the guards, and may begin a program that
	 * has: a set. Owned by this. */
	GHashTable *awaited;
	/* Something that the command has begun has one. */
	bool has_found;
	/* Why the last process was given up; NULL for none. */
	GError *reason;
	int signals;
	sigset_t mask;
};

/* It has been heard, and shall not end the process as well. */
static void take_signal(const struct itp_guarding *guarding)
{
	struct signalfd_siginfo info;

	(void)!read(guarding->signals, &info, sizeof(info));
}

static void print(struct itp_guarding *guarding)
{
	fputs(guarding->output->str, stdout);
	fflush(stdout);
	g_string_truncate(guarding->output, 0);
}

static void on_alarm(const struct itp_guard_alarm *alarm, void *data)
{
	struct itp_guarding *guarding = data;

	if (!itp_guard_recorder_is_running(guarding->recorder)) {
		itp_guard_lines_alarm(&guarding->lines, alarm, guarding->output);
		print(guarding);
		itp_guard_recorder_start(guarding->recorder, alarm->pid);
	}
}

static void on_turn(guint loop, guint type, const struct itp_guard_shift *shift, void *data)
{
	struct itp_guarding *guarding = data;

	itp_guard_lines_turn(&guarding->lines, loop, type, shift, guarding->output);
	print(guarding);
}

/* ---- Processes ---- */

static void give_up(struct itp_guarding *guarding, int32_t pid, GError *reason)
{
	itp_terminal_say("introperf: %s", reason->message);
	itp_guard_kernel_remove(guarding->kernel, pid);
	itp_guard_processes_remove(guarding->processes, pid);
	g_clear_error(&guarding->reason);
	guarding->reason = reason;
}

static bool add(struct itp_guarding *guarding, int32_t pid, bool needs_loop, GError **error)
{
	const struct itp_guard_process *process =
		itp_guard_processes_add(guarding->processes, pid, needs_loop, error);

	return process && itp_guard_kernel_add(guarding->kernel, pid, process->image);
}

/* Of several, one may have ended since they were named. */
static bool add_named(struct itp_guarding *guarding, GError **error)
{
	g_auto(GStrv) pids = g_strsplit(guarding->options.pids, ",", -1);

	for (size_t i = 0; pids[i]; i++) {
		GError *reason = NULL;

		if (add(guarding, atoi(pids[i]), true, &reason)) {
			continue;
		}
		if (itp_guard_is_process(atoi(pids[i])) ||
		    (!pids[i + 1] && itp_guard_processes_count(guarding->processes) == 0)) {
			g_propagate_error(error, reason);
			return false;
		}
		g_clear_error(&reason);
	}
	return true;
}

/* Those that the guards are for; others are none of our business. */
static void add_machine(struct itp_guarding *guarding)
{
	g_autoptr(GDir) all = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (all && (name = g_dir_read_name(all))) {
		if (g_ascii_isdigit(name[0]) && atoi(name) != getpid()) {
			add(guarding, atoi(name), true, NULL);
		}
	}
}

static void await(struct itp_guarding *guarding, int32_t pid)
{
	g_hash_table_add(guarding->awaited, GINT_TO_POINTER(pid));
	itp_guard_kernel_add(guarding->kernel, pid, ITP_GUARD_NO_IMAGE);
}

/* The libraries of a program that has just begun come later. */
static void on_exec(struct itp_guarding *guarding, const struct itp_guard_record *record)
{
	const bool was_there = itp_guard_processes_find(guarding->processes, record->pid) != NULL;
	const bool was_awaited =
		g_hash_table_remove(guarding->awaited, GINT_TO_POINTER(record->pid));
	GError *reason = NULL;

	itp_guard_processes_remove(guarding->processes, record->pid);
	if (!was_there && !was_awaited && !guarding->options.is_machine) {
		return;
	}
	if (add(guarding, record->pid, true, &reason)) {
		guarding->has_found = true;
	} else if (was_there) {
		give_up(guarding, record->pid, reason);
	} else {
		g_error_free(reason);
		if (was_awaited) {
			await(guarding, record->pid);
		}
	}
}

static void on_fork(struct itp_guarding *guarding, const struct itp_guard_record *record)
{
	itp_guard_processes_fork(guarding->processes, record->pid, record->other_pid);
	if (g_hash_table_contains(guarding->awaited, GINT_TO_POINTER(record->other_pid))) {
		g_hash_table_add(guarding->awaited, GINT_TO_POINTER(record->pid));
	}
}

static void on_exit_of(struct itp_guarding *guarding, int32_t pid)
{
	itp_guard_processes_remove(guarding->processes, pid);
	g_hash_table_remove(guarding->awaited, GINT_TO_POINTER(pid));
}

/* ---- Questions ---- */

/* Its functions as guards have them, root first, up to the system call. */
static char **keys_of(const struct itp_guarding *guarding, const GArray *stack)
{
	const struct itp_function_table *functions =
		itp_guard_processes_functions(guarding->processes);
	char **keys = g_new0(char *, stack->len + 1);

	for (guint i = 0; i < stack->len; i++) {
		keys[i] = itp_guard_function_key(
			itp_function_table_get(functions, g_array_index(stack, uint32_t, i)));
	}
	return keys;
}

/* What is asked with a snapshot. */
struct question {
	struct itp_guard_wait_key wait;
	struct itp_guard_context_key context;
};

static struct question question_of(const struct itp_guard_snapshot *snapshot)
{
	const struct itp_guard_record *record = &snapshot->record;
#ifdef __x86_64__
	const uint64_t sp = snapshot->registers[7];
	const uint64_t ip = snapshot->registers[8];
#else
	const uint64_t sp = snapshot->registers[31];
	const uint64_t ip = snapshot->registers[32];
#endif

	return (struct question){
		{ record->moment.image, (uint32_t)record->call, ip, sp },
		{ record->moment.image, (uint16_t)record->moment.loop, (uint16_t)record->call, ip,
		  (int64_t)(record->wait_sp - sp) },
	};
}

/* What user space tells of a context: its number, and whether it looks for events. */
static uint32_t context_answer(const struct itp_guard_loop *loop, int context)
{
	if (context < 0) {
		return ITP_GUARD_NEITHER;
	}
	return (uint32_t)context |
	       (itp_guard_context_at(loop, (guint)context)->is_look ? ITP_GUARD_LOOKS : 0);
}

/* A stack that is not known to its root, as its libraries were just being loaded, is no answer. */
static void answer(struct itp_guarding *guarding, const struct itp_guard_snapshot *snapshot,
		   const GArray *stack, bool is_whole)
{
	const struct itp_guard_record *record = &snapshot->record;
	const struct itp_guard_file *file = guarding->options.file;
	const struct itp_guard_loop *loop = itp_guard_loop_at(file, record->moment.loop);
	const struct question question = question_of(snapshot);
	g_auto(GStrv) keys = keys_of(guarding, stack);
	const int wait = record->may_wait ? itp_guard_match_wait(file, keys) : -1;
	const int context = record->moment.is_in_unit ? itp_guard_match_context(loop, keys) : -1;

	if (!is_whole && wait < 0 && context < 0) {
		itp_guard_kernel_leave_open(guarding->kernel, &question.wait, &question.context);
		return;
	}
	if (record->may_wait) {
		itp_guard_kernel_answer_wait(guarding->kernel, &question.wait,
					     wait < 0 ? ITP_GUARD_NEITHER : (uint32_t)wait);
	}
	if (record->moment.is_in_unit) {
		itp_guard_kernel_answer_context(guarding->kernel, &question.context,
						context_answer(loop, context));
	}
}

static void on_snapshot(struct itp_guarding *guarding, const struct itp_guard_snapshot *snapshot)
{
	const struct itp_guard_record *record = &snapshot->record;
	struct itp_guard_process *process =
		itp_guard_processes_find(guarding->processes, record->pid);
	GError *reason = NULL;
	bool is_whole;
	GArray *stack;

	/* It may have begun another program since. */
	if (!process || process->image != record->moment.image ||
	    record->moment.loop >= guarding->options.file->loops->len) {
		return;
	}
	stack = itp_guard_processes_stack(guarding->processes, process, snapshot, &is_whole,
					  &reason);
	if (!stack) {
		give_up(guarding, record->pid, reason);
		return;
	}
	if (record->kind != ITP_GUARD_QUESTION) {
		itp_guard_alarms_see(guarding->alarms, record, stack);
		return;
	}
	answer(guarding, snapshot, stack, is_whole);
	g_array_unref(stack);
}

static void on_record(const struct itp_guard_record *record, void *data)
{
	struct itp_guarding *guarding = data;

	switch ((enum itp_guard_kind)record->kind) {
	case ITP_GUARD_QUESTION:
	case ITP_GUARD_RUNNING:
	case ITP_GUARD_STANDING:
		on_snapshot(guarding, (const struct itp_guard_snapshot *)(const void *)record);
		break;
	case ITP_GUARD_ENDED:
		itp_guard_alarms_end(guarding->alarms, record);
		break;
	case ITP_GUARD_EXEC:
		on_exec(guarding, record);
		break;
	case ITP_GUARD_FORK:
		on_fork(guarding, record);
		break;
	case ITP_GUARD_EXIT:
		on_exit_of(guarding, record->pid);
		break;
	}
}

/* ---- From the beginning to the end ---- */

static void hold_signals(struct itp_guarding *guarding)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &guarding->mask);
	guarding->signals = signalfd(-1, &signals, SFD_CLOEXEC);
}

struct itp_guarding *itp_guarding_new(const struct itp_guarding_options *options, GError **error)
{
	struct itp_guarding *guarding = g_new0(struct itp_guarding, 1);
	struct itp_guard_kernel_options kernel = {
		.file = options->file,
		.probes = &guarding->probes,
		.on_record = on_record,
		.data = guarding,
		.hertz = options->hertz,
		.tells_all_execs = options->is_machine,
	};

	guarding->options = *options;
	guarding->output = g_string_new(NULL);
	guarding->awaited = g_hash_table_new(itp_hash_number, NULL);
	hold_signals(guarding);
	itp_guard_probes_init(&guarding->probes, options->file);
	guarding->processes = itp_guard_processes_new(options->file);
	kernel.names = itp_guard_processes_calls(guarding->processes);
	guarding->kernel = itp_guard_kernel_new(&kernel, error);
	if (!guarding->kernel || (options->pids && !add_named(guarding, error))) {
		itp_guarding_free(guarding);
		return NULL;
	}
	if (options->is_machine) {
		add_machine(guarding);
	}
	guarding->alarms = itp_guard_alarms_new(guarding->kernel, on_alarm, guarding);
	guarding->recorder = itp_guard_recorder_new(options->record_path, options->record_s);
	guarding->shifts = itp_guard_shifts_new(options->file, guarding->kernel, on_turn, guarding);
	guarding->lines = (struct itp_guard_lines){ options->file, guarding->processes,
						    guarding->kernel, options->is_json };
	return guarding;
}

void itp_guarding_free(struct itp_guarding *guarding)
{
	if (!guarding) {
		return;
	}
	itp_guard_kernel_free(guarding->kernel);
	itp_guard_alarms_free(guarding->alarms);
	itp_guard_shifts_free(guarding->shifts);
	itp_guard_recorder_free(guarding->recorder);
	itp_guard_processes_free(guarding->processes);
	itp_guard_probes_release(&guarding->probes);
	g_string_free(guarding->output, TRUE);
	g_hash_table_unref(guarding->awaited);
	g_clear_error(&guarding->reason);
	close(guarding->signals);
	sigprocmask(SIG_SETMASK, &guarding->mask, NULL);
	g_free(guarding);
}

void itp_guarding_await(struct itp_guarding *guarding, int32_t pid)
{
	await(guarding, pid);
}

static int look_ms(const struct itp_guarding *guarding)
{
	int64_t smallest_ns = INT64_MAX;

	for (guint i = 0; i < guarding->options.file->loops->len; i++) {
		const struct itp_guard_loop *loop = itp_guard_loop_at(guarding->options.file, i);

		for (guint k = 0; k < loop->types->len; k++) {
			smallest_ns = MIN(smallest_ns, itp_guard_type_at(loop, k)->limit_ns);
		}
	}
	return (int)CLAMP(smallest_ns / 4000000, LOOK_LEAST_MS, LOOK_MOST_MS);
}

static bool has_more(const struct itp_guarding *guarding)
{
	return guarding->options.is_machine || g_hash_table_size(guarding->awaited) > 0 ||
	       itp_guard_processes_count(guarding->processes) > 0;
}

static void tell_summary(struct itp_guarding *guarding)
{
	itp_guard_lines_summary(&guarding->lines, guarding->output);
	print(guarding);
}

/* Until a signal comes, or there is nothing to guard any more. */
static void watch(struct itp_guarding *guarding)
{
	struct pollfd files[] = {
		{ .fd = guarding->signals, .events = POLLIN },
		{ .fd = itp_guard_kernel_fd(guarding->kernel), .events = POLLIN },
	};
	const gint64 period_us = (gint64)(guarding->options.period_s * G_USEC_PER_SEC);
	const int pause_ms = look_ms(guarding);
	gint64 look_us = g_get_monotonic_time();
	gint64 shifts_us = look_us;
	gint64 tell_us = look_us + period_us;

	while (has_more(guarding) && files[0].revents == 0) {
		const gint64 now_us = g_get_monotonic_time();

		if (now_us >= look_us) {
			itp_guard_kernel_look_around(guarding->kernel);
			itp_guard_alarms_forget(guarding->alarms);
			look_us = now_us + pause_ms * 1000;
		}
		if (now_us >= shifts_us) {
			if (!itp_guard_recorder_is_running(guarding->recorder)) {
				itp_guard_shifts_look(guarding->shifts);
			}
			shifts_us = now_us + SHIFTS_MS * 1000;
		}
		if (period_us > 0 && now_us >= tell_us) {
			tell_summary(guarding);
			tell_us += period_us;
		}
		itp_guard_kernel_take(guarding->kernel);
		poll(files, G_N_ELEMENTS(files), pause_ms);
	}
	if (files[0].revents != 0) {
		take_signal(guarding);
	}
}

/* What is wrong with how it has ended; NULL for nothing. */
static const char *fault_of(const struct itp_guarding *guarding)
{
	if (has_more(guarding)) {
		return NULL;
	}
	if (guarding->reason) {
		return "there is no process left to guard";
	}
	return guarding->options.pids || guarding->has_found ?
		       NULL :
		       "nothing that the command began has a loop that the guards are for";
}

bool itp_guarding_run(struct itp_guarding *guarding, GError **error)
{
	const char *fault;

	itp_guard_lines_begin(&guarding->lines, &guarding->probes, guarding->output);
	print(guarding);
	watch(guarding);
	itp_guard_kernel_take(guarding->kernel);
	tell_summary(guarding);
	fault = fault_of(guarding);
	if (fault) {
		itp_failure_set(error, "%s", fault);
	}
	return !fault;
}

static bool learn_type(const struct itp_guarding *guarding, guint loop, guint number,
		       struct itp_guard_type *type)
{
	struct itp_guard_counts counts;
	struct itp_guard_counted counted = { 0 };

	itp_guard_kernel_counts(guarding->kernel, loop, number, &counts);
	counted.units = counts.units;
	counted.total_ns = counts.total_ns;
	counted.max_ns = counts.max_ns;
	for (guint i = 0; i < ITP_GUARD_BUCKETS; i++) {
		counted.buckets[i] = counts.buckets[i];
	}
	return itp_guard_type_learn(type, &counted);
}

guint itp_guarding_learn(const struct itp_guarding *guarding, struct itp_guard_file *file)
{
	guint count = 0;

	for (guint i = 0; i < file->loops->len; i++) {
		struct itp_guard_loop *loop = itp_guard_loop_at(file, i);
		bool learned[ITP_GUARD_MOST] = { false };

		for (guint k = 0; k < loop->types->len; k++) {
			learned[k] = learn_type(guarding, i, k, itp_guard_type_at(loop, k));
			count += learned[k];
		}
		itp_guard_loop_learn(loop, learned);
	}
	return count;
}
