/* SPDX-License-Identifier: MIT */
/*
 * See guarding.h. A single thread waits for signals, for records of the kernel, and for the next
 * look around.
 */
#include "plugins/perf/guard/guarding.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "common/base/hash.h"
#include "common/guard/attention.h"
#include "common/guard/learning.h"
#include "plugins/perf/guard/alarms.h"
#include "plugins/perf/guard/answers.h"
#include "plugins/perf/guard/lines.h"
#include "plugins/perf/guard/recorder.h"
#include "plugins/perf/guard/shifts.h"
#include "plugins/perf/guard/windows.h"
#include "terminal/terminal.h"

/* Pauses between looks for late threads that do not run, in milliseconds: a quarter of the smallest
 * limit, within these bounds. */
#define LOOK_LEAST_MS 10
#define LOOK_MOST_MS 100
/* Pauses between looks for slow types, in milliseconds. */
#define SHIFTS_MS 500

struct itp_guarding {
	struct itp_guarding_options options;
	/* All owned by this. */
	struct itp_guard_probes probes;
	struct itp_guard_processes *processes;
	struct itp_guard_kernel *kernel;
	struct itp_guard_windows *windows;
	struct itp_guard_alarms *alarms;
	struct itp_guard_wakers *wakers;
	struct itp_guard_shifts *shifts;
	struct itp_guard_excess *excess;
	struct itp_guard_recorder *recorder;
	struct itp_guard_answers answers;
	struct itp_guard_lines lines;
	struct itp_guard_printer *printer;
	GString *output;
	/* Processes of the command without a loop of the guards, which may exec a program that has
	 * a loop: a set. Owned by this. */
	GHashTable *awaited;
	/* Some process of the command has a loop. */
	bool has_found;
	/* Why the last process was given up; NULL for none. */
	GError *reason;
	int signals;
	sigset_t mask;
};

/* Takes a signal, so that it does not end the process as well. */
static void take_signal(const struct itp_guarding *guarding)
{
	struct signalfd_siginfo info;

	(void)!read(guarding->signals, &info, sizeof(info));
}

static const struct itp_guard_type *type_of(const struct itp_guarding *guarding,
					    const struct itp_guard_alarm *alarm)
{
	return itp_guard_type_at(itp_guard_loop_at(guarding->options.file, alarm->loop),
				 alarm->type);
}

/* Takes a late unit at its end into the sums. */
static void sum(const struct itp_guarding *guarding, const struct itp_guard_alarm *alarm)
{
	struct itp_guard_seen seen[ITP_GUARD_STACKS_KEPT];

	for (guint i = 0; i < alarm->sights->len; i++) {
		const struct itp_guard_sight *sight =
			&g_array_index(alarm->sights, struct itp_guard_sight, i);

		seen[i] = (struct itp_guard_seen){ sight->after_ns,
						   itp_guard_sight_is_running(sight),
						   sight->stack };
	}
	itp_guard_excess_add(guarding->excess, alarm->loop, alarm->type, alarm->taken_ns, seen,
			     alarm->sights->len);
}

static void on_alarm(const struct itp_guard_alarm *alarm, void *data)
{
	struct itp_guarding *guarding = data;

	if (itp_guard_recorder_is_running(guarding->recorder)) {
		itp_guard_recorder_note(guarding->recorder, alarm,
					type_of(guarding, alarm)->recorded_limit_ns);
		return;
	}
	itp_guard_lines_alarm(&guarding->lines, alarm, guarding->output);
	itp_guard_printer_say(guarding->printer, guarding->output);
	if (alarm->has_ended) {
		sum(guarding, alarm);
	}
	itp_guard_recorder_start(guarding->recorder, alarm->pid);
}

static void on_turn(guint loop, guint type, const struct itp_guard_shift *shift, void *data)
{
	struct itp_guarding *guarding = data;

	itp_guard_lines_turn(&guarding->lines, loop, type, shift, guarding->output);
	itp_guard_printer_say(guarding->printer, guarding->output);
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

static bool guard_process(struct itp_guarding *guarding, int32_t pid, bool needs_loop,
			  GError **error)
{
	const struct itp_guard_process *process =
		itp_guard_processes_add(guarding->processes, pid, needs_loop, error);

	return process && itp_guard_kernel_add(guarding->kernel, pid, process->image);
}

/* Any of several processes may have ended since they were named. */
static bool add_named(struct itp_guarding *guarding, GError **error)
{
	g_auto(GStrv) pids = g_strsplit(guarding->options.pids, ",", -1);

	for (size_t i = 0; pids[i]; i++) {
		GError *reason = NULL;

		if (guard_process(guarding, atoi(pids[i]), true, &reason)) {
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

/* Adds processes of the machine that have a loop of the guards; others are left alone. */
static void add_machine(struct itp_guarding *guarding)
{
	g_autoptr(GDir) all = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (all && (name = g_dir_read_name(all))) {
		if (g_ascii_isdigit(name[0]) && atoi(name) != getpid()) {
			guard_process(guarding, atoi(name), true, NULL);
		}
	}
}

static void await(struct itp_guarding *guarding, int32_t pid)
{
	g_hash_table_add(guarding->awaited, GINT_TO_POINTER(pid));
	itp_guard_kernel_add(guarding->kernel, pid, ITP_GUARD_NO_IMAGE);
}

/* An exec: the libraries of the program come later. */
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
	if (guard_process(guarding, record->pid, true, &reason)) {
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

/* ---- Records ---- */

static void on_snapshot(struct itp_guarding *guarding, const struct itp_guard_snapshot *snapshot)
{
	const struct itp_guard_record *record = &snapshot->record;
	struct itp_guard_process *process =
		itp_guard_processes_find(guarding->processes, record->pid);
	GError *reason = NULL;
	enum itp_stack_end end;
	GArray *stack;

	/* The process may have begun another program since. */
	if (!process || process->image != record->moment.image ||
	    record->moment.loop >= guarding->options.file->loops->len) {
		return;
	}
	stack = itp_guard_processes_stack(guarding->processes, process, snapshot, &end, &reason);
	if (!stack) {
		give_up(guarding, record->pid, reason);
		return;
	}
	if (record->kind != ITP_GUARD_QUESTION) {
		itp_guard_alarms_see(guarding->alarms, record, stack);
		return;
	}
	itp_guard_answer(&guarding->answers, snapshot, stack, end);
	g_array_unref(stack);
}

static void on_woken(struct itp_guarding *guarding, const struct itp_guard_snapshot *snapshot)
{
	const struct itp_guard_waker waker = itp_guard_wakers_tell(guarding->wakers, snapshot);

	itp_guard_alarms_wake(guarding->alarms, snapshot->record.other_pid, &waker);
}

static void on_record(const struct itp_guard_record *record, void *data)
{
	struct itp_guarding *guarding = data;

	switch ((enum itp_guard_kind)record->kind) {
	case ITP_GUARD_QUESTION:
	case ITP_GUARD_RUNNING:
	case ITP_GUARD_STANDING:
	case ITP_GUARD_RETURNED:
		on_snapshot(guarding, (const struct itp_guard_snapshot *)(const void *)record);
		break;
	case ITP_GUARD_WOKEN:
		on_woken(guarding, (const struct itp_guard_snapshot *)(const void *)record);
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

/* From here on, a signal ends the process. */
static void release_signals(const struct itp_guarding *guarding)
{
	sigprocmask(SIG_SETMASK, &guarding->mask, NULL);
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
	guarding->printer = itp_guard_printer_new();
	guarding->output = g_string_new(NULL);
	guarding->awaited = g_hash_table_new(itp_hash_number, NULL);
	hold_signals(guarding);
	itp_guard_probes_init(&guarding->probes, options->file);
	guarding->processes = itp_guard_processes_new(options->file);
	guarding->wakers = itp_guard_wakers_new(guarding->processes);
	kernel.names = itp_guard_processes_calls(guarding->processes);
	guarding->kernel = itp_guard_kernel_new(&kernel, error);
	if (!guarding->kernel || (options->pids && !add_named(guarding, error))) {
		itp_guarding_free(guarding);
		return NULL;
	}
	if (options->is_machine) {
		add_machine(guarding);
	}
	guarding->windows =
		itp_guard_windows_new(guarding->kernel, options->budget, options->hertz);
	guarding->alarms = itp_guard_alarms_new(guarding->kernel, on_alarm, guarding);
	guarding->recorder = itp_guard_recorder_new(&options->record);
	guarding->shifts = itp_guard_shifts_new(options->file, guarding->kernel, on_turn, guarding);
	guarding->answers =
		(struct itp_guard_answers){ options->file, guarding->processes, guarding->kernel };
	guarding->excess = itp_guard_excess_new(options->file,
						itp_guard_processes_functions(guarding->processes));
	guarding->lines = (struct itp_guard_lines){
		options->file,    guarding->processes, guarding->kernel, guarding->windows,
		guarding->excess, guarding->printer,   options->is_json,
	};
	return guarding;
}

void itp_guarding_free(struct itp_guarding *guarding)
{
	if (!guarding) {
		return;
	}
	itp_guard_windows_free(guarding->windows);
	itp_guard_kernel_free(guarding->kernel);
	itp_guard_alarms_free(guarding->alarms);
	itp_guard_wakers_free(guarding->wakers);
	itp_guard_shifts_free(guarding->shifts);
	itp_guard_excess_free(guarding->excess);
	itp_guard_recorder_free(guarding->recorder);
	itp_guard_processes_free(guarding->processes);
	itp_guard_probes_release(&guarding->probes);
	itp_guard_printer_free(guarding->printer);
	g_string_free(guarding->output, TRUE);
	g_hash_table_unref(guarding->awaited);
	g_clear_error(&guarding->reason);
	release_signals(guarding);
	close(guarding->signals);
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
	itp_guard_printer_say(guarding->printer, guarding->output);
}

/* Times of the next actions, in microseconds of the monotonic clock. */
struct timetable {
	gint64 look_us;
	gint64 shifts_us;
	gint64 tell_us;
	gint64 window_us;
};

/* Looks at many threads take long, and are rarer. */
static void look_around(struct itp_guarding *guarding, struct timetable *next, gint64 now_us)
{
	const double cost_ns = itp_guard_kernel_look_around(guarding->kernel);
	const gint64 pause_us = itp_guard_pause_ns(cost_ns, guarding->options.budget) / 1000;

	itp_guard_alarms_forget(guarding->alarms);
	itp_guard_recorder_is_running(guarding->recorder);
	next->look_us = now_us + MAX(pause_us, look_ms(guarding) * 1000);
}

static void do_what_is_due(struct itp_guarding *guarding, struct timetable *next, GError **error)
{
	const gint64 now_us = g_get_monotonic_time();

	if (now_us >= next->look_us) {
		look_around(guarding, next, now_us);
	}
	if (now_us >= next->shifts_us) {
		if (!itp_guard_recorder_is_running(guarding->recorder)) {
			itp_guard_shifts_look(guarding->shifts);
		}
		next->shifts_us = now_us + SHIFTS_MS * 1000;
	}
	if (now_us >= next->tell_us) {
		tell_summary(guarding);
		next->tell_us += (gint64)(guarding->options.period_s * G_USEC_PER_SEC);
	}
	next->window_us = itp_guard_windows_step(guarding->windows, now_us, error);
	itp_guard_kernel_take(guarding->kernel);
}

static int pause_ms(const struct timetable *next)
{
	const gint64 due_us =
		MIN(MIN(next->look_us, next->shifts_us), MIN(next->tell_us, next->window_us));

	return (int)MAX((due_us - g_get_monotonic_time() + 999) / 1000, 0);
}

/* Watches until a signal comes, or no process is left to guard. */
static bool watch(struct itp_guarding *guarding, GError **error)
{
	struct pollfd files[] = {
		{ .fd = guarding->signals, .events = POLLIN },
		{ .fd = itp_guard_kernel_fd(guarding->kernel), .events = POLLIN },
		{ .events = POLLOUT },
	};
	const gint64 period_us = (gint64)(guarding->options.period_s * G_USEC_PER_SEC);
	GError *problem = NULL;
	struct timetable next = {
		.tell_us = period_us > 0 ? g_get_monotonic_time() + period_us : G_MAXINT64,
	};

	while (!problem && has_more(guarding) && files[0].revents == 0) {
		do_what_is_due(guarding, &next, &problem);
		itp_guard_printer_go_on(guarding->printer);
		files[2].fd = itp_guard_printer_fd(guarding->printer);
		poll(files, G_N_ELEMENTS(files), problem ? 0 : pause_ms(&next));
	}
	if (files[0].revents != 0) {
		take_signal(guarding);
	}
	if (problem) {
		g_propagate_error(error, problem);
		return false;
	}
	return true;
}

/* Text of the fault in the end; NULL for none. */
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

/* Writes everything: the summary has room once all before is written. */
static bool conclude_output(struct itp_guarding *guarding, GError **error)
{
	if (!itp_guard_printer_finish(guarding->printer, error)) {
		return false;
	}
	tell_summary(guarding);
	return itp_guard_printer_finish(guarding->printer, error);
}

bool itp_guarding_run(struct itp_guarding *guarding, GError **error)
{
	const char *fault;

	itp_guard_lines_begin(&guarding->lines, &guarding->probes, guarding->output);
	itp_guard_printer_say(guarding->printer, guarding->output);
	if (!watch(guarding, error)) {
		return false;
	}
	itp_guard_windows_close(guarding->windows);
	itp_guard_kernel_take(guarding->kernel);
	release_signals(guarding);
	if (!conclude_output(guarding, error)) {
		return false;
	}
	fault = fault_of(guarding);
	if (fault) {
		itp_failure_set(error, "%s", fault);
	}
	return !fault;
}

static bool learn_type(const struct itp_guarding *guarding, guint loop, guint number,
		       struct itp_guard_type *type)
{
	struct itp_guard_counted counted;

	itp_guard_kernel_counts(guarding->kernel, loop, number, &counted);
	return itp_guard_type_learn(type, &counted);
}

double itp_guarding_watched(const struct itp_guarding *guarding)
{
	const double part = itp_guard_windows_part(guarding->windows);

	return part > ITP_GUARD_ALWAYS ? 1 : part;
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
