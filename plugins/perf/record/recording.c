/* SPDX-License-Identifier: MIT */
/*
 * See recording.h.
 *
 * Records of threads and mappings are taken in the order of time: before a copied stack is unwound,
 * which may need them, and before each round is closed.
 */
#include "plugins/perf/record/recording.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/function-table.h"
#include "common/perf-data/speeds.h"
#include "plugins/perf/record/build-ids.h"
#include "plugins/perf/record/existing.h"
#include "plugins/perf/record/followed.h"
#include "plugins/perf/record/groups.h"
#include "plugins/perf/record/output.h"
#include "plugins/perf/record/samples.h"
#include "plugins/perf/record/sideband.h"
#include "plugins/perf/record/spending.h"
#include "plugins/perf/record/stacks.h"

#define KALLSYMS "/proc/kallsyms"
#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS 1000000
/* Time from round to round of taking records, in milliseconds: at first, and at most. Rounds become
 * longer while few records come, as each takes this process CPU time: a program that sleeps again
 * and again has 10 rounds a second instead of 50. */
#define ROUND_MS 20
#define LONGEST_ROUND_MS 160
/* Most records of a round that are few: 200 000 a second, of which the ring holds more than two
 * seconds. */
#define FEW_RECORDS 4096
/* Most system calls of a CPU in a millisecond, to which a quiet program may turn: the shortest ones
 * take a microsecond while they are watched. */
#define CALLS_PER_MS 1000
/* Delay allowed for the end of a window that others may follow, in nanoseconds: longer than waking
 * up takes, of which poll(2) rounds a millisecond up. */
#define LATE_NS (5 * NS_PER_MS)

struct recording {
	/* Weak. */
	const struct itp_recorder_options *options;
	/* Parts of the recording; `interpreted` is NULL for a stream. Owned by this. */
	struct itp_recorder_kernel *kernel;
	struct itp_recorder_sideband *sideband;
	struct itp_recorder_followed *followed;
	struct itp_recorder_groups *groups;
	struct itp_recorder_build_ids *build_ids;
	struct itp_recorder_stacks *stacks;
	struct itp_recorder_interpreted *interpreted;
	struct itp_recorder_output *output;
	struct itp_recorder_samples *samples;
	struct itp_recorder_kernel_text text;
	/* Ids of events in the file. */
	uint64_t ids[ITP_RECORDER_EVENTS];
	/* struct itp_speed, none for a stream, which may go on for days. Owned by this. */
	GArray *speeds;
	/* Number of lost events told to the file until now. */
	uint64_t lost;
	/* Choice of windows; NULL without a budget. Owned by this. */
	struct itp_recorder_windows *windows;
	struct itp_recorder_spending spending;
	struct itp_recorder_window window;
	/* Time until the next round, and the longest one, in milliseconds. */
	int round_ms;
	int longest_round_ms;
	/* Time of the last count_window(); begin of the first window; and time watched until the
	 * last count. */
	int64_t window_ns;
	int64_t first_ns;
	int64_t watched_ns;
	guint window_count;
	int signals;
	sigset_t before;
	bool is_interrupted;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- Work ---- */

/* Counts the CPU time of this process since the last count: for system calls while they are
 * watched, else for the other events. */
static void count_watching(struct recording *recording)
{
	itp_recorder_spending_count(&recording->spending, recording->window.is_open ?
								  ITP_RECORDER_WORK_CALLS :
								  ITP_RECORDER_WORK_OTHERS);
}

/* ---- Records ---- */

/* Record of no process. */
static void push_common(void *data, struct perf_event_header *record)
{
	struct recording *recording = data;

	itp_recorder_output_write(recording->output, record);
}

/* Tells the group of the record's process if it has changed. */
static void push_group(struct recording *recording, const struct perf_event_header *record)
{
	struct itp_recorder_group group;

	if (itp_recorder_groups_push(recording->groups, record, push_common, recording, &group)) {
		group.time_ns = group.time_ns ? group.time_ns : now_ns();
		itp_recorder_samples_push_group(recording->samples, &group);
	}
}

/* Followed before its build id is added: a mapping then loses the file's inode, useless for
 * readers. While the process runs, the inode leads to the file in its container. A group comes
 * before the name of the program that begins in it. */
static void push_sideband(void *data, struct perf_event_header *record)
{
	struct recording *recording = data;

	if (itp_recorder_followed_push(recording->followed, record)) {
		push_group(recording, record);
		itp_recorder_build_ids_add(recording->build_ids, record);
		itp_recorder_output_write(recording->output, record);
	}
}

static void take_sideband(struct recording *recording, uint64_t until_ns)
{
	struct perf_event_header *record;

	itp_recorder_sideband_take(recording->sideband);
	while ((record = itp_recorder_sideband_next(recording->sideband, until_ns))) {
		push_sideband(recording, record);
	}
}

static void push_copy(struct recording *recording, const struct itp_record_copy *copy)
{
	const struct itp_recorder_stack *stack;
	struct itp_address_space *space;

	take_sideband(recording, copy->head.time_ns);
	space = itp_recorder_followed_space(recording->followed, copy->head.pid, copy->head.tid);
	itp_recorder_stacks_add_copy(recording->stacks, copy, space);
	stack = itp_recorder_stacks_find(recording->stacks, copy->head.stack);
	if (copy->reason == ITP_RECORD_NO_TABLE && stack) {
		count_watching(recording);
		itp_recorder_followed_need(recording->followed, space, stack->frames, stack->count);
		itp_recorder_spending_count(&recording->spending, ITP_RECORDER_WORK_LEARNING);
	}
}

static void push_code(struct recording *recording, const struct itp_record_code *code)
{
	const struct perf_event_header *mapping =
		recording->interpreted ?
			itp_recorder_interpreted_add(recording->interpreted, code) :
			NULL;

	if (mapping) {
		itp_recorder_output_write(recording->output, mapping);
	}
}

static void push_speed(struct recording *recording, const struct itp_record_event *tick)
{
	const struct itp_speed speed = { .time_ns = (int64_t)tick->head.time_ns,
					 .computed_ns = tick->computed_ns };

	if (tick->computed_ns > 0 && recording->interpreted &&
	    recording->speeds->len < ITP_SPEEDS_MOST) {
		g_array_append_val(recording->speeds, speed);
	}
}

/* Takes copies first if the record's stack is among them. */
static void await_copy(struct recording *recording, const struct itp_record_head *head)
{
	const struct itp_record_interpreted *interpreted = (const void *)head;
	const uint64_t stack = head->kind == ITP_RECORD_INTERPRETED ? interpreted->machine_stack :
								      head->stack;

	if (head->kind != ITP_RECORD_COPY &&
	    itp_recorder_stacks_lack_copy(recording->stacks, stack)) {
		itp_recorder_kernel_take_copies(recording->kernel);
	}
}

static void push_record(void *data, const void *record, size_t bytes)
{
	struct recording *recording = data;
	const struct itp_record_head *head = record;

	(void)bytes;
	await_copy(recording, head);
	switch ((enum itp_record_kind)head->kind) {
	case ITP_RECORD_STACK:
		itp_recorder_stacks_add(recording->stacks, record);
		break;
	case ITP_RECORD_COPY:
		push_copy(recording, record);
		break;
	case ITP_RECORD_CODE:
		push_code(recording, record);
		break;
	case ITP_RECORD_INTERPRETED:
		itp_recorder_stacks_add_interpreted(recording->stacks, record,
						    recording->interpreted);
		break;
	case ITP_RECORD_TICK:
		push_speed(recording, record);
		itp_recorder_samples_push(recording->samples, record);
		break;
	default:
		itp_recorder_samples_push(recording->samples, record);
		break;
	}
}

static void tell_lost(struct recording *recording)
{
	const uint64_t lost = itp_recorder_kernel_totals(recording->kernel).lost;

	if (lost > recording->lost) {
		itp_recorder_samples_lose(recording->samples, now_ns(), lost - recording->lost);
		recording->lost = lost;
	}
}

/* Takes records, and chooses the time until the next round. */
static void take_records(struct recording *recording)
{
	const size_t count = itp_recorder_kernel_take(recording->kernel, push_record, recording);

	recording->round_ms = count > FEW_RECORDS ?
				      ROUND_MS :
				      MIN(2 * recording->round_ms, recording->longest_round_ms);
}

static void make_round(struct recording *recording)
{
	take_records(recording);
	count_watching(recording);
	take_sideband(recording, UINT64_MAX);
	itp_recorder_followed_tell(recording->followed);
	itp_recorder_spending_count(&recording->spending, ITP_RECORDER_WORK_LEARNING);
	tell_lost(recording);
	itp_recorder_output_end_round(recording->output);
}

/* ---- Windows ---- */

/* Adds the time since the last count, if a window was open. */
static void count_window(struct recording *recording, int64_t now)
{
	if (recording->window.is_open) {
		recording->watched_ns += now - recording->window_ns;
	}
	recording->window_ns = now;
}

static void tell_window(struct recording *recording, const struct itp_recorder_window *window,
			double taken, int64_t now)
{
	count_window(recording, now);
	recording->window_count += window->is_open && !recording->window.is_open;
	itp_recorder_samples_push_window(recording->samples, (uint64_t)now,
					 window->is_open ? window->one_in : 0, taken);
}

/* Latest end of a window: programs in the kernel note nothing later, even if this process is kept
 * from running. A drawn window is as long as its slot, as its calls stand for those of N slots. */
static int64_t latest_end(const struct itp_recorder_window *window)
{
	return window->due_ns + (window->one_in == 1 ? LATE_NS : 0);
}

/* Ends a window at the latest when programs in the kernel did. */
static void end_window(struct recording *recording, double taken)
{
	const struct itp_recorder_window closed = { .is_open = false };

	tell_window(recording, &closed, taken,
		    MIN((int64_t)now_ns(), latest_end(&recording->window)));
	recording->window.is_open = false;
}

/* Opens, continues or closes a window. A begin is told as soon as all calls are seen. An open
 * window is continued only if this process is in time. */
static bool set_window(struct recording *recording, struct itp_recorder_window window, double taken,
		       GError **error)
{
	const bool was_open = recording->window.is_open;
	const bool is_late = (int64_t)now_ns() > latest_end(&recording->window);

	if (was_open && (!window.is_open || is_late)) {
		end_window(recording, taken);
	}
	if (window.is_open && !was_open) {
		if (!itp_recorder_kernel_watch_calls(recording->kernel, error)) {
			return false;
		}
		itp_recorder_spending_count(&recording->spending, ITP_RECORDER_WORK_EDGES);
		window.due_ns = itp_recorder_windows_delay(recording->windows, (int64_t)now_ns());
	}
	if (window.is_open) {
		itp_recorder_kernel_watch_until(recording->kernel, latest_end(&window));
	}
	if (window.is_open &&
	    (!recording->window.is_open || window.one_in != recording->window.one_in)) {
		tell_window(recording, &window, taken, (int64_t)now_ns());
	}
	if (!window.is_open && was_open) {
		itp_recorder_kernel_leave_calls(recording->kernel);
		itp_recorder_spending_count(&recording->spending, ITP_RECORDER_WORK_EDGES);
	}
	recording->window = window;
	return true;
}

static bool step_windows(struct recording *recording, GError **error)
{
	struct itp_recorder_windows *windows = recording->windows;
	struct itp_recorder_window window;
	struct itp_recorder_spent spent;

	if (!windows || (int64_t)now_ns() < recording->window.due_ns) {
		return true;
	}
	count_watching(recording);
	spent = itp_recorder_spending_read(&recording->spending);
	window = itp_recorder_windows_step(windows, (int64_t)now_ns(), &spent);
	return set_window(recording, window, itp_recorder_windows_taken(windows, &spent), error);
}

static bool begin_windows(struct recording *recording, GError **error)
{
	const struct itp_recorder_options *options = recording->options;

	if (options->is_light) {
		return true;
	}
	if (options->budget <= 0) {
		return itp_recorder_kernel_watch_calls(recording->kernel, error);
	}
	if (!itp_recorder_spending_init(&recording->spending, recording->kernel, options->hertz,
					error)) {
		return false;
	}
	recording->first_ns = (int64_t)now_ns();
	recording->windows =
		itp_recorder_windows_new(options->budget, g_rand_new(), recording->first_ns);
	return step_windows(recording, error);
}

static void end_windows(struct recording *recording, struct itp_recorder_end *end)
{
	if (recording->windows) {
		count_watching(recording);
		end->spent = itp_recorder_spending_read(&recording->spending);
		end->length_ns = recording->window_ns - recording->first_ns;
		end->watched = end->length_ns > 0 ?
				       (double)recording->watched_ns / (double)end->length_ns :
				       1;
		end->windows = recording->window_count;
	}
}

/* ---- The end ---- */

static bool is_there(int32_t pid)
{
	return kill(pid, 0) == 0 || errno != ESRCH;
}

static bool is_target_there(const struct itp_recorder_options *options)
{
	siginfo_t info = { 0 };

	if (options->until > 0) {
		return waitid(P_PID, (id_t)options->until, &info, WEXITED | WNOHANG | WNOWAIT) ==
			       0 &&
		       info.si_pid == 0;
	}
	for (guint i = 0; i < options->pids->len; i++) {
		if (is_there(g_array_index(options->pids, int32_t, i))) {
			return true;
		}
	}
	return options->is_machine;
}

static void read_signals(struct recording *recording)
{
	struct signalfd_siginfo info;

	while (read(recording->signals, &info, sizeof(info)) == sizeof(info)) {
		recording->is_interrupted |= info.ssi_signo != SIGCHLD;
	}
}

/* Round after which the ring is not yet full, whatever the programs turn to. */
static int longest_round_ms(void)
{
	const int64_t calls =
		itp_recorder_kernel_ring_bytes() / (int64_t)sizeof(struct itp_record_call);
	const int64_t full_ms = calls / CALLS_PER_MS / g_get_num_processors();

	return (int)CLAMP(full_ms, ROUND_MS, LONGEST_ROUND_MS);
}

static int wait_ms(const struct recording *recording)
{
	const int64_t until_due_ns = recording->window.due_ns - (int64_t)now_ns();

	return recording->windows ?
		       (int)CLAMP(until_due_ns / NS_PER_MS + 1, 0, recording->round_ms) :
		       recording->round_ms;
}

/* Waits for an event, at most until the next round or the due time of the window. */
static void wait_for_round(struct recording *recording)
{
	const GArray *files = itp_recorder_sideband_files(recording->sideband);
	g_autofree struct pollfd *polled = g_new0(struct pollfd, files->len + 2);

	polled[0] = (struct pollfd){ .fd = recording->signals, .events = POLLIN };
	polled[1] = (struct pollfd){ .fd = itp_recorder_kernel_file(recording->kernel),
				     .events = POLLIN };
	for (guint i = 0; i < files->len; i++) {
		polled[i + 2] =
			(struct pollfd){ .fd = g_array_index(files, int, i), .events = POLLIN };
	}
	poll(polled, files->len + 2, wait_ms(recording));
	read_signals(recording);
}

/* Schedules this process before all others, if the user may: a program that has just begun has its
 * stacks copied until its tables are there, at the program's cost. */
static void set_first(bool is_first)
{
	const struct sched_param priority = { .sched_priority = is_first ? 1 : 0 };

	(void)sched_setscheduler(0, is_first ? SCHED_FIFO : SCHED_OTHER, &priority);
}

static bool record_until_end(struct recording *recording, GError **error)
{
	bool is_watching = true;

	set_first(true);
	while (is_watching && !recording->is_interrupted && is_target_there(recording->options) &&
	       !itp_recorder_output_has_failed(recording->output)) {
		wait_for_round(recording);
		make_round(recording);
		is_watching = step_windows(recording, error);
	}
	set_first(false);
	count_window(recording, (int64_t)now_ns());
	return is_watching;
}

/* ---- The beginning ---- */

static void block_signals(struct recording *recording)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, &recording->before);
	recording->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Numbers events: the kernel's event as in the kernel, all others behind its last number. */
static void number_events(struct recording *recording)
{
	const GArray *ids = itp_recorder_sideband_ids(recording->sideband);
	uint64_t last = 0;

	for (guint i = 0; i < ids->len; i++) {
		last = MAX(last, g_array_index(ids, uint64_t, i));
	}
	recording->ids[ITP_RECORDER_EVENT_SIDEBAND] = g_array_index(ids, uint64_t, 0);
	for (guint i = 1; i < ITP_RECORDER_EVENTS; i++) {
		recording->ids[i] = last + i;
	}
}

static bool has_windows(const struct itp_recorder_options *options)
{
	return options->budget > 0 && !options->is_light;
}

/* Of the whole machine, most threads wait for nothing in particular, and others are heard of. */
static bool has_waiting(const struct itp_recorder_options *options)
{
	return !options->is_machine;
}

static bool is_recorded(const struct itp_recorder_options *options, enum itp_recorder_event event)
{
	if (event == ITP_RECORDER_EVENT_WINDOW) {
		return has_windows(options);
	}
	if (event == ITP_RECORDER_EVENT_IN_CALL) {
		return has_windows(options) || has_waiting(options);
	}
	if (event == ITP_RECORDER_EVENT_WAKING_NEW || event == ITP_RECORDER_EVENT_FAULT) {
		return options->is_full;
	}
	return !options->is_light ||
	       (event != ITP_RECORDER_EVENT_ENTER && event != ITP_RECORDER_EVENT_EXIT &&
		event != ITP_RECORDER_EVENT_WAKING);
}

static bool open_output(struct recording *recording, GError **error)
{
	struct itp_recorder_output_event events[ITP_RECORDER_EVENTS];
	struct perf_event_attr attrs[ITP_RECORDER_EVENTS];
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	guint count = 1;

	attrs[0] = *itp_recorder_sideband_attr(recording->sideband);
	events[0] = (struct itp_recorder_output_event){
		.name = itp_recorder_event_name(0),
		.attr = &attrs[0],
		.ids = itp_recorder_sideband_ids(recording->sideband),
	};
	for (guint i = 1; i < ITP_RECORDER_EVENTS; i++) {
		GArray *id = g_array_new(FALSE, FALSE, sizeof(uint64_t));

		g_ptr_array_add(ids, id);
		g_array_append_val(id, recording->ids[i]);
		attrs[i] = itp_recorder_event_attr(i, recording->options->hertz);
		if (is_recorded(recording->options, i)) {
			events[count++] = (struct itp_recorder_output_event){
				.name = itp_recorder_event_name(i),
				.attr = &attrs[i],
				.ids = id,
			};
		}
	}
	recording->output = itp_recorder_output_new(recording->options->output, events, count,
						    recording->options->command, error);
	return recording->output;
}

static bool prepare(struct recording *recording, GError **error)
{
	const struct itp_recorder_options *options = recording->options;
	const struct itp_recorder_kernel_options kernel_options = {
		.is_machine = options->is_machine,
		.reader = options->reader,
		.has_waiting = has_waiting(options),
		.waiting_pid = options->waiting_pid,
		.is_light = options->is_light,
		.is_full = options->is_full,
		.hertz = options->hertz,
		.interrupts = recording->text.interrupts,
	};
	struct itp_recorder_samples_options samples_options = { .ids = recording->ids,
								.text = &recording->text,
								.has_windows = has_windows(options),
								.has_calls = !options->is_light };

	recording->kernel = itp_recorder_kernel_new(&kernel_options, error);
	recording->sideband = recording->kernel ? itp_recorder_sideband_new(error) : NULL;
	if (!recording->sideband) {
		return false;
	}
	number_events(recording);
	if (!open_output(recording, error)) {
		return false;
	}
	recording->followed = itp_recorder_followed_new(recording->kernel, options->is_machine);
	recording->groups = itp_recorder_groups_new();
	recording->build_ids = itp_recorder_build_ids_new();
	recording->stacks = itp_recorder_stacks_new();
	if (!g_str_equal(options->output, ITP_RECORDER_STREAM)) {
		recording->interpreted = itp_recorder_interpreted_new(options->output);
	}
	samples_options.output = recording->output;
	samples_options.stacks = recording->stacks;
	recording->samples = itp_recorder_samples_new(&samples_options);
	return true;
}

struct waiting {
	struct recording *recording;
	struct itp_address_space *space;
};

static void need_tables(void *data, const uint64_t *words, guint count)
{
	const struct waiting *waiting = data;

	itp_recorder_followed_need(waiting->recording->followed, waiting->space, words, count);
}

/* Makes the tables that stacks of waiting threads lead through now, before the process goes on at
 * the cost of copies. */
static void make_tables(struct recording *recording, int32_t pid)
{
	struct waiting waiting = {
		.recording = recording,
		.space = itp_recorder_followed_space(recording->followed, pid, pid),
	};

	itp_recorder_existing_stacks(pid, need_tables, &waiting);
}

static void add_processes(struct recording *recording, const GArray *pids)
{
	for (guint i = 0; i < pids->len; i++) {
		const int32_t pid = g_array_index(pids, int32_t, i);

		itp_recorder_followed_add(recording->followed, pid);
		itp_recorder_existing_process(pid, push_sideband, recording);
		if (!recording->options->is_machine && pid != recording->options->waiting_pid) {
			make_tables(recording, pid);
		}
	}
}

static void add_program(void *data, const char *program, uint64_t begin, uint32_t length)
{
	g_autofree char *name = g_strconcat(ITP_RECORDER_CODE_PREFIX, program, NULL);

	itp_recorder_existing_program(name, begin, length, push_common, data);
}

/* Adds running processes with their descendants. The kernel's records from before they were
 * followed are dropped: they tell nothing beyond existing.h. */
static bool add_existing(struct recording *recording, GError **error)
{
	const struct itp_recorder_options *options = recording->options;
	g_autoptr(GArray) all = NULL;

	itp_recorder_kernel_tell_code(recording->kernel, add_program, recording);
	for (guint i = 0; i < options->pids->len; i++) {
		itp_recorder_followed_add(recording->followed,
					  g_array_index(options->pids, int32_t, i));
	}
	if (!itp_recorder_kernel_follow(recording->kernel, error)) {
		return false;
	}
	itp_recorder_sideband_take(recording->sideband);
	while (itp_recorder_sideband_next(recording->sideband, UINT64_MAX)) {
	}
	itp_recorder_existing_kernel(&recording->text, push_common, recording);
	all = options->is_machine ? itp_recorder_existing_pids() : NULL;
	if (all) {
		add_processes(recording, all);
	}
	for (guint i = 0; !all && i < options->pids->len; i++) {
		g_autoptr(GArray) tree =
			itp_recorder_existing_tree(g_array_index(options->pids, int32_t, i));

		add_processes(recording, tree);
	}
	itp_recorder_followed_tell(recording->followed);
	return true;
}

/* Keeps names of functions: in a file beside the recording, and in perf's cache. */
static bool keep_names(struct recording *recording, GError **error)
{
	GError *failure = NULL;
	g_autofree char *path =
		recording->interpreted &&
				g_file_test(recording->options->output, G_FILE_TEST_IS_REGULAR) ?
			itp_recorder_interpreted_write(recording->interpreted, &failure) :
			NULL;

	if (failure) {
		g_propagate_error(error, failure);
		return false;
	}
	if (path) {
		itp_recorder_build_ids_note(recording->build_ids, path);
	}
	itp_recorder_build_ids_keep(recording->build_ids);
	return true;
}

/* Adds the machine's speeds to a recording in a file. */
static void keep_speeds(const struct recording *recording)
{
	if (g_file_test(recording->options->output, G_FILE_TEST_IS_REGULAR)) {
		(void)itp_perf_speeds_append(
			recording->options->output, itp_perf_speeds_meter("program in the kernel"),
			(const struct itp_speed *)(void *)recording->speeds->data,
			recording->speeds->len);
	}
}

static bool look_around(struct recording *recording, bool is_end, GError **error)
{
	if (!has_waiting(recording->options)) {
		return true;
	}
	if (!itp_recorder_kernel_look_around(recording->kernel, is_end, error)) {
		return false;
	}
	take_records(recording);
	/* Stacks of all threads come once, like tables of code. */
	itp_recorder_spending_count(&recording->spending, ITP_RECORDER_WORK_LEARNING);
	return true;
}

static bool run(struct recording *recording, GError **error)
{
	if (!prepare(recording, error) || !add_existing(recording, error) ||
	    !itp_recorder_kernel_begin(recording->kernel, error) ||
	    !begin_windows(recording, error) || !look_around(recording, false, error)) {
		return false;
	}
	recording->options->begin(recording->options->data);
	if (!record_until_end(recording, error) || !look_around(recording, true, error)) {
		return false;
	}
	itp_recorder_kernel_end(recording->kernel);
	make_round(recording);
	if (!itp_recorder_output_finish(recording->output, recording->options->command, error)) {
		return false;
	}
	/* The recording is complete, whatever happens to what is beside it. */
	keep_speeds(recording);
	return keep_names(recording, error);
}

static void release(struct recording *recording)
{
	itp_recorder_windows_free(recording->windows);
	itp_recorder_samples_free(recording->samples);
	itp_recorder_output_free(recording->output);
	itp_recorder_stacks_free(recording->stacks);
	itp_recorder_interpreted_free(recording->interpreted);
	itp_recorder_build_ids_free(recording->build_ids);
	itp_recorder_groups_free(recording->groups);
	itp_recorder_followed_free(recording->followed);
	itp_recorder_sideband_free(recording->sideband);
	itp_recorder_kernel_free(recording->kernel);
	itp_recorder_kernel_text_release(&recording->text);
	g_array_unref(recording->speeds);
	close(recording->signals);
	sigprocmask(SIG_SETMASK, &recording->before, NULL);
}

bool itp_recorder_run(const struct itp_recorder_options *options, struct itp_recorder_end *ret_end,
		      GError **error)
{
	struct recording recording = {
		.options = options,
		.round_ms = ROUND_MS,
		.longest_round_ms = longest_round_ms(),
		.speeds = g_array_new(FALSE, FALSE, sizeof(struct itp_speed)),
	};
	bool is_recorded;

	itp_recorder_kernel_text_init(&recording.text, KALLSYMS);
	block_signals(&recording);
	is_recorded = run(&recording, error);
	if (is_recorded) {
		*ret_end = (struct itp_recorder_end){
			.is_interrupted = recording.is_interrupted,
			.totals = itp_recorder_kernel_totals(recording.kernel),
		};
		end_windows(&recording, ret_end);
	}
	release(&recording);
	return is_recorded;
}
