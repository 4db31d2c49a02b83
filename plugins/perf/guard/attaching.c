/* SPDX-License-Identifier: MIT */
/*
 * See attaching.h.
 */
#include "plugins/perf/guard/attaching.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard.skel.h"
#include "plugins/perf/bpf/price.h"
#include "plugins/perf/bpf/refusal.h"

struct itp_guard_attaching {
	const struct itp_guard_bpf *programs;
	guint hertz;
	/* struct bpf_link *: for good. Owned by this. */
	GPtrArray *links;
	/* int: events of the timers, which belong to links. Owned by this. */
	GArray *ticks;
	/* Weak. */
	struct bpf_link *looks;
	/* NULL while not wanted. Owned by this. */
	struct bpf_link *enters;
	struct bpf_link *exits;
	struct bpf_link *wakeups;
};

/* ---- System calls, and wakeups ---- */

static bool attach_raw(struct bpf_link **ret_link, struct bpf_program *program, const char *name,
		       GError **error)
{
	g_autofree char *what = g_strdup_printf("%s cannot be watched", name);

	*ret_link = bpf_program__attach_raw_tracepoint(program, name);
	return *ret_link || itp_bpf_refuse(error, what, errno);
}

static void remove_link(struct bpf_link **link)
{
	bpf_link__destroy(*link);
	*link = NULL;
}

/* Timers run only while somebody watches: in a virtual machine, a timer costs a busy program one or
 * two percent. */
static void switch_ticks(const struct itp_guard_attaching *attaching, bool is_on)
{
	for (guint i = 0; i < attaching->ticks->len; i++) {
		ioctl(g_array_index(attaching->ticks, int, i),
		      is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	}
}

bool itp_guard_attaching_watch(struct itp_guard_attaching *attaching, GError **error)
{
	const struct itp_guard_bpf *programs = attaching->programs;

	switch_ticks(attaching, true);
	return attach_raw(&attaching->exits, programs->progs.on_exit, "sys_exit", error) &&
	       attach_raw(&attaching->enters, programs->progs.on_enter, "sys_enter", error);
}

void itp_guard_attaching_rest(struct itp_guard_attaching *attaching)
{
	switch_ticks(attaching, false);
	remove_link(&attaching->enters);
	remove_link(&attaching->exits);
}

void itp_guard_attaching_watch_wakeups(struct itp_guard_attaching *attaching, bool is_on)
{
	if (!is_on) {
		remove_link(&attaching->wakeups);
	} else if (!attaching->wakeups) {
		attach_raw(&attaching->wakeups, attaching->programs->progs.on_waking,
			   "sched_waking", NULL);
	}
}

/* ---- Prices ---- */

double itp_guard_attaching_price_ns(struct itp_guard_attaching *attaching)
{
	const double bare_ns = itp_bpf_call_ns();
	double watched_ns = bare_ns;

	if (itp_guard_attaching_watch(attaching, NULL)) {
		watched_ns = itp_bpf_call_ns();
	}
	itp_guard_attaching_rest(attaching);
	return ITP_BPF_COLD * MAX(watched_ns - bare_ns, 0);
}

/* ---- For good ---- */

static bool keep_link(GPtrArray *links, struct bpf_link *link, const char *what, GError **error)
{
	if (!link) {
		return itp_bpf_refuse(error, what, errno);
	}
	g_ptr_array_add(links, link);
	return true;
}

static bool attach_tick(struct itp_guard_attaching *attaching, int cpu, GError **error)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(event),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = attaching->hertz,
		.freq = 1,
	};
	const int file =
		(int)syscall(SYS_perf_event_open, &event, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	/* Possible CPUs may be absent. */
	if (file < 0) {
		return errno == ENODEV || itp_bpf_refuse(error, "the timer cannot be set", errno);
	}
	g_array_append_val(attaching->ticks, file);
	return keep_link(attaching->links,
			 bpf_program__attach_perf_event(attaching->programs->progs.on_tick, file),
			 "the timer cannot be used", error);
}

static bool attach_ticks(struct itp_guard_attaching *attaching, GError **error)
{
	const int cpu_count = libbpf_num_possible_cpus();
	bool done = true;

	for (int cpu = 0; done && cpu < cpu_count; cpu++) {
		done = attach_tick(attaching, cpu, error);
	}
	return done;
}

static bool keep_raw(struct itp_guard_attaching *attaching, struct bpf_program *program,
		     const char *name, GError **error)
{
	struct bpf_link *link;

	if (!attach_raw(&link, program, name, error)) {
		return false;
	}
	g_ptr_array_add(attaching->links, link);
	return true;
}

static bool attach_for_good(struct itp_guard_attaching *attaching, GError **error)
{
	const struct itp_guard_bpf *programs = attaching->programs;

	if (!keep_link(attaching->links, bpf_program__attach_trace(programs->progs.on_fork),
		       "sched_process_fork cannot be watched", error) ||
	    !keep_raw(attaching, programs->progs.on_exec, "sched_process_exec", error) ||
	    !keep_raw(attaching, programs->progs.on_end, "sched_process_exit", error) ||
	    !attach_ticks(attaching, error)) {
		return false;
	}
	attaching->looks = bpf_program__attach_iter(programs->progs.look_around, NULL);
	return keep_link(attaching->links, attaching->looks, "threads cannot be looked at", error);
}

static void destroy_link(gpointer link)
{
	bpf_link__destroy(link);
}

struct itp_guard_attaching *itp_guard_attaching_new(const struct itp_guard_bpf *programs,
						    guint hertz, GError **error)
{
	struct itp_guard_attaching *attaching = g_new0(struct itp_guard_attaching, 1);

	attaching->programs = programs;
	attaching->hertz = hertz;
	attaching->links = g_ptr_array_new_with_free_func(destroy_link);
	attaching->ticks = g_array_new(FALSE, FALSE, sizeof(int));
	if (!attach_for_good(attaching, error)) {
		itp_guard_attaching_free(attaching);
		return NULL;
	}
	return attaching;
}

void itp_guard_attaching_free(struct itp_guard_attaching *attaching)
{
	if (!attaching) {
		return;
	}
	itp_guard_attaching_watch_wakeups(attaching, false);
	itp_guard_attaching_rest(attaching);
	g_array_unref(attaching->ticks);
	g_ptr_array_unref(attaching->links);
	g_free(attaching);
}

int itp_guard_attaching_look(const struct itp_guard_attaching *attaching)
{
	return bpf_iter_create(bpf_link__fd(attaching->looks));
}
