/* SPDX-License-Identifier: MIT */
/*
 * See windows.h. The rest behind each window pays for it, whatever happened in the window.
 */
#include "plugins/perf/guard/windows.h"

#include "common/guard/attention.h"
#include "plugins/perf/bpf/price.h"
#include "plugins/perf/guard/kernel.h"

/* Length of a window, and of the first, in which the programs' business is not known yet. */
#define WINDOW_US 100000
#define FIRST_WINDOW_US 20000
/* Longest window while a unit lasts, and pauses between looks whether it does. */
#define LONGEST_WINDOW_US (10 * G_USEC_PER_SEC)
#define LASTING_US 20000
/* Spans of which one has timed looks. */
#define TIMED_SPANS 8
/* Watched time, in microseconds, from which CPUs in use are known. */
#define USE_US 300000

struct itp_guard_windows {
	/* Weak. */
	struct itp_guard_kernel *kernel;
	double budget;
	guint hertz;
	struct itp_guard_prices prices;
	bool is_open;
	gint64 begin_us;
	gint64 due_us;
	/* Begin of the open window, and totals at its begin. */
	gint64 opened_us;
	struct itp_guard_totals opened;
	/* CPU time of this process already paid for. */
	double own_paid_ns;
	guint number;
	gint64 watched_us;
	/* CPUs in use, lately; and the begin of the current measurement, in watched time and in
	 * ticks. */
	double cpus;
	gint64 use_us;
	uint64_t use_ticks;
};

static void begin_span(struct itp_guard_windows *windows, gint64 now_us, gint64 length_us)
{
	itp_guard_kernel_time_looks(windows->kernel, windows->number++ % TIMED_SPANS == 0);
	itp_guard_kernel_totals(windows->kernel, &windows->opened);
	windows->is_open = true;
	windows->opened_us = now_us;
	windows->due_us = now_us + length_us;
}

struct itp_guard_windows *itp_guard_windows_new(struct itp_guard_kernel *kernel, double budget,
						guint hertz)
{
	struct itp_guard_windows *windows = g_new0(struct itp_guard_windows, 1);

	windows->kernel = kernel;
	windows->budget = budget;
	windows->hertz = hertz;
	windows->prices.call_ns = itp_guard_kernel_price_ns(kernel);
	windows->own_paid_ns = itp_bpf_process_time_ns();
	windows->begin_us = g_get_monotonic_time();
	begin_span(windows, windows->begin_us, FIRST_WINDOW_US);
	return windows;
}

void itp_guard_windows_free(struct itp_guard_windows *windows)
{
	g_free(windows);
}

/* CPUs in use: the timer sees each CPU that runs a guarded thread. */
static void learn_use(struct itp_guard_windows *windows, const struct itp_guard_totals *totals,
		      gint64 now_us)
{
	const gint64 watched_us = windows->watched_us + now_us - windows->opened_us;
	const double seconds = (double)(watched_us - windows->use_us) / G_USEC_PER_SEC;

	if (watched_us - windows->use_us >= USE_US) {
		windows->cpus =
			(double)(totals->ticks - windows->use_ticks) / windows->hertz / seconds;
		windows->use_us = watched_us;
		windows->use_ticks = totals->ticks;
	}
}

static void learn_price(struct itp_guard_windows *windows, const struct itp_guard_totals *totals)
{
	const uint64_t hits = totals->timed_hits - windows->opened.timed_hits;

	if (hits > 0) {
		windows->prices.hit_ns =
			(double)(totals->timed_ns - windows->opened.timed_ns) / (double)hits;
	}
}

/* Length of the rest after the open window. */
static gint64 rest_us(struct itp_guard_windows *windows, const struct itp_guard_totals *totals,
		      gint64 now_us)
{
	const struct itp_guard_span span = {
		.length_ns = (now_us - windows->opened_us) * 1000,
		.calls = totals->calls - windows->opened.calls,
		.hits = totals->hits - windows->opened.hits,
		.own_ns = itp_bpf_process_time_ns() - windows->own_paid_ns,
	};

	learn_use(windows, totals, now_us);
	learn_price(windows, totals);
	return itp_guard_rest_ns(&span, &windows->prices, windows->budget, windows->cpus) / 1000;
}

static bool may_last(const struct itp_guard_windows *windows, gint64 now_us)
{
	return now_us - windows->opened_us < LONGEST_WINDOW_US &&
	       itp_guard_kernel_has_lasting(windows->kernel, WINDOW_US / 2 * 1000);
}

static void step_open(struct itp_guard_windows *windows, gint64 now_us)
{
	struct itp_guard_totals totals;
	gint64 rest;

	itp_guard_kernel_totals(windows->kernel, &totals);
	rest = rest_us(windows, &totals, now_us);
	if (rest > 0 && may_last(windows, now_us)) {
		windows->due_us = now_us + LASTING_US;
		return;
	}
	windows->watched_us += now_us - windows->opened_us;
	windows->own_paid_ns = itp_bpf_process_time_ns();
	if (rest == 0) {
		begin_span(windows, now_us, WINDOW_US);
		return;
	}
	itp_guard_kernel_rest(windows->kernel);
	windows->is_open = false;
	windows->due_us = now_us + rest;
}

gint64 itp_guard_windows_step(struct itp_guard_windows *windows, gint64 now_us, GError **error)
{
	if (now_us < windows->due_us) {
		return windows->due_us;
	}
	if (windows->is_open) {
		step_open(windows, now_us);
		return windows->due_us;
	}
	if (!itp_guard_kernel_watch(windows->kernel, error)) {
		return G_MAXINT64;
	}
	begin_span(windows, g_get_monotonic_time(), WINDOW_US);
	return windows->due_us;
}

void itp_guard_windows_close(struct itp_guard_windows *windows)
{
	if (windows->is_open) {
		windows->watched_us += g_get_monotonic_time() - windows->opened_us;
		windows->is_open = false;
		itp_guard_kernel_rest(windows->kernel);
	}
}

static gint64 watched_us(const struct itp_guard_windows *windows, gint64 now_us)
{
	return windows->watched_us + (windows->is_open ? now_us - windows->opened_us : 0);
}

double itp_guard_windows_part(const struct itp_guard_windows *windows)
{
	const gint64 now_us = g_get_monotonic_time();

	return (double)watched_us(windows, now_us) / (double)MAX(now_us - windows->begin_us, 1);
}

double itp_guard_windows_watched_s(const struct itp_guard_windows *windows)
{
	return (double)watched_us(windows, g_get_monotonic_time()) / G_USEC_PER_SEC;
}

double itp_guard_windows_budget(const struct itp_guard_windows *windows)
{
	return windows->budget;
}
