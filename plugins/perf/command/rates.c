/* SPDX-License-Identifier: MIT */
/*
 * See rates.h.
 */
#include "plugins/perf/command/rates.h"

#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "plugins/perf/command/perf-run.h"

#define CPU_TIME "task-clock"
#define MS_PER_S 1e3
/* Less than this tells no rate. */
#define LEAST_CPU_S 0.01

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

/* "COUNT,UNIT,EVENT,…"; what was not counted is no number, and so 0. */
static void parse_line(const char *line, struct itp_event_rates *counts, double *cpu_s)
{
	g_auto(GStrv) cells = g_strsplit(line, ",", -1);

	if (g_strv_length(cells) < 3) {
		return;
	}
	if (g_str_equal(cells[2], CPU_TIME)) {
		*cpu_s = g_ascii_strtod(cells[0], NULL) / MS_PER_S;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		if (g_str_equal(cells[2], events[i].event)) {
			*rate_of(counts, i) = g_ascii_strtod(cells[0], NULL);
		}
	}
}

void itp_event_rates_parse(const char *text, struct itp_event_rates *ret_rates, double *ret_cpu_s)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	*ret_rates = (struct itp_event_rates){ 0 };
	*ret_cpu_s = 0;
	for (size_t i = 0; lines[i]; i++) {
		parse_line(lines[i], ret_rates, ret_cpu_s);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(events) && *ret_cpu_s > 0; i++) {
		*rate_of(ret_rates, i) /= *ret_cpu_s;
	}
}

static char **stat_command(const char *pids, const char *shell_command)
{
	GPtrArray *command = g_ptr_array_new();
	g_autoptr(GString) names = g_string_new(CPU_TIME);
	const char *target[] = { pids ? "-p" : "-a", pids, NULL };

	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		g_string_append_printf(names, ",%s", events[i].event);
	}
	for (const char *const *word =
		     (const char *const[]){ "perf", "stat", "-x,", "-e", names->str, NULL };
	     *word; word++) {
		g_ptr_array_add(command, g_strdup(*word));
	}
	for (size_t i = 0; target[i]; i++) {
		g_ptr_array_add(command, g_strdup(target[i]));
	}
	for (const char *const *word =
		     (const char *const[]){ "--", "sh", "-c", shell_command, NULL };
	     *word; word++) {
		g_ptr_array_add(command, g_strdup(*word));
	}
	g_ptr_array_add(command, NULL);
	return (char **)g_ptr_array_free(command, FALSE);
}

static bool count_for(const char *pids, const char *start, const char *seconds,
		      struct itp_event_rates *ret_rates, double *ret_cpu_s, GError **error)
{
	g_autofree char *shell_command = g_strdup_printf("%s sleep %s", start, seconds);
	g_auto(GStrv) command = stat_command(pids, shell_command);
	g_autofree char *said = itp_perf_listen(command, error);

	if (!said) {
		return false;
	}
	itp_event_rates_parse(said, ret_rates, ret_cpu_s);
	return true;
}

static void raise_to(struct itp_event_rates *rates, struct itp_event_rates *others)
{
	for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
		*rate_of(rates, i) = MAX(*rate_of(rates, i), *rate_of(others, i));
	}
}

bool itp_event_rates_count(const char *pids, const char *start, int times,
			   struct itp_event_rates *ret_rates, GError **error)
{
	bool has_run = false;

	*ret_rates = (struct itp_event_rates){ 0 };
	/* The last time is only for one that has hardly run before. */
	for (int i = 0; i < times || (i == times && !has_run); i++) {
		struct itp_event_rates rates;
		double cpu_s;

		if (!count_for(pids, i == 0 ? start : "", i < times ? "0.5" : "2", &rates, &cpu_s,
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
		return false;
	}
	return true;
}
