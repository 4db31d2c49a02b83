/* SPDX-License-Identifier: MIT */
/*
 * See rates.h.
 */
#include "plugins/perf/record/rates.h"

#include <stddef.h>

#include "plugins/perf/record/perf-run.h"

#define NS_PER_S 1e9
/* Least CPU time that tells a rate. */
#define LEAST_CPU_S 0.01
/* A server makes ten times as many switches in one half second as in another. */
#define RUNNING_COUNTS 4

static const struct {
	const char *event;
	size_t offset;
} events[] = {
	{ "raw_syscalls:sys_enter", offsetof(struct itp_event_rates, syscalls) },
	{ "sched:sched_switch", offsetof(struct itp_event_rates, switches) },
	{ "sched:sched_waking", offsetof(struct itp_event_rates, wakeups) },
	{ "sched:sched_wakeup_new", offsetof(struct itp_event_rates, starts) },
	{ "page-faults", offsetof(struct itp_event_rates, page_faults) },
};

static double *rate_of(struct itp_event_rates *rates, size_t event)
{
	return (double *)(void *)((char *)rates + events[event].offset);
}

/* Count in a line "COUNT,UNIT,EVENT,NANOSECONDS,…", where the last are the CPU time in which the
 * event could happen; an event not counted has no number, and so 0. */
static double count_of(char *const *lines, const char *event, double *ret_cpu_s)
{
	*ret_cpu_s = 0;
	for (; *lines; lines++) {
		g_auto(GStrv) cells = g_strsplit(*lines, ",", -1);

		if (g_strv_length(cells) > 3 && g_str_equal(cells[2], event)) {
			*ret_cpu_s = g_ascii_strtod(cells[3], NULL) / NS_PER_S;
			return g_ascii_strtod(cells[0], NULL);
		}
	}
	return 0;
}

void itp_event_rates_parse(const char *text, struct itp_event_rates *ret_rates, double *ret_cpu_s)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	*ret_cpu_s = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		double cpu_s;
		double count = count_of(lines, events[i].event, &cpu_s);

		*rate_of(ret_rates, i) = cpu_s > 0 ? count / cpu_s : 0;
		*ret_cpu_s = MAX(*ret_cpu_s, cpu_s);
	}
}

static void raise_to(struct itp_event_rates *rates, struct itp_event_rates *others)
{
	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		*rate_of(rates, i) = MAX(*rate_of(rates, i), *rate_of(others, i));
	}
}

static void add(GPtrArray *command, const char *const *words)
{
	for (; *words; words++) {
		g_ptr_array_add(command, g_strdup(*words));
	}
}

/* Counts while `work`, a shell command, runs. perf stat (6.1) lists the threads of processes, then
 * opens its events for each thread. A thread that has ended meanwhile is left out by the first
 * event and makes perf stat fail at any other one. So each event of processes has a perf stat of
 * its own, whose command is the perf stat of the next event. */
static char **counting_command(const char *pids, const char *work)
{
	GPtrArray *command = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		const char *const first[] = { "perf", "stat", "-x,", NULL };

		if (i == 0 || pids) {
			add(command, first);
		}
		add(command, (const char *const[]){ "-e", events[i].event, NULL });
		if (pids) {
			add(command, (const char *const[]){ "-p", pids, NULL });
		}
	}
	add(command, pids ? (const char *const[]){ "sh", "-c", work, NULL } :
			    (const char *const[]){ "-a", "--", "sh", "-c", work, NULL });
	g_ptr_array_add(command, NULL);
	return (char **)g_ptr_array_free(command, FALSE);
}

static bool count_for(const char *pids, const char *start, const char *seconds,
		      struct itp_event_rates *ret_rates, double *ret_cpu_s, GError **error)
{
	g_autofree char *work = g_strdup_printf("%s sleep %s", start ? start : "", seconds);
	g_auto(GStrv) command = counting_command(pids, work);
	g_autofree char *said = itp_perf_listen(command, error);

	if (said) {
		itp_event_rates_parse(said, ret_rates, ret_cpu_s);
	}
	return said != NULL;
}

bool itp_event_rates_count(const char *pids, const char *start, struct itp_event_rates *ret_rates,
			   GError **error)
{
	const int times = start ? 1 : RUNNING_COUNTS;
	bool has_run = false;

	*ret_rates = (struct itp_event_rates){ 0 };
	/* The last turn is only for a program that has hardly run before. */
	for (int i = 0; i < times || (i == times && !has_run); i++) {
		struct itp_event_rates rates;
		double cpu_s;

		if (!count_for(pids, i == 0 ? start : NULL, i < times ? "0.5" : "2", &rates, &cpu_s,
			       error)) {
			return false;
		}
		if (cpu_s >= LEAST_CPU_S) {
			raise_to(ret_rates, &rates);
			has_run = true;
		}
	}
	if (!has_run) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "--overhead: the target has not run while its events were counted, or "
			    "has ended; choose --light, --full or neither");
	}
	return has_run;
}
