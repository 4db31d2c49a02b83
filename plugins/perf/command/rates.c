/* SPDX-License-Identifier: MIT */
/*
 * See rates.h.
 */
#include "plugins/perf/command/rates.h"

#include <stddef.h>

#include "plugins/perf/command/perf-run.h"

#define CPU_TIME "task-clock"
#define MS_PER_S 1e3
/* Less than this tells no rate. */
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

/* Of a line "COUNT,UNIT,EVENT,…"; what was not counted has no number, and so 0. */
static double count_of(char *const *lines, const char *event)
{
	for (; *lines; lines++) {
		g_auto(GStrv) cells = g_strsplit(*lines, ",", -1);

		if (g_strv_length(cells) > 2 && g_str_equal(cells[2], event)) {
			return g_ascii_strtod(cells[0], NULL);
		}
	}
	return 0;
}

void itp_event_rates_parse(const char *text, struct itp_event_rates *ret_rates, double *ret_cpu_s)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	*ret_cpu_s = count_of(lines, CPU_TIME) / MS_PER_S;
	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		*rate_of(ret_rates, i) =
			*ret_cpu_s > 0 ? count_of(lines, events[i].event) / *ret_cpu_s : 0;
	}
}

static void raise_to(struct itp_event_rates *rates, struct itp_event_rates *others)
{
	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		*rate_of(rates, i) = MAX(*rate_of(rates, i), *rate_of(others, i));
	}
}

static bool count_for(const char *pids, const char *start, const char *seconds,
		      struct itp_event_rates *ret_rates, double *ret_cpu_s, GError **error)
{
	g_autoptr(GString) names = g_string_new(CPU_TIME);
	g_autofree char *work = g_strdup_printf("%s sleep %s", start ? start : "", seconds);
	g_autofree char *said = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		g_string_append_printf(names, ",%s", events[i].event);
	}
	said = itp_perf_listen((char *[]){ "perf", "stat", "-x,", "-e", names->str,
					   pids ? "-p" : "-a", pids ? (char *)pids : "--", "sh",
					   "-c", work, NULL },
			       error);
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
	/* The last time is only for one that has hardly run before. */
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
