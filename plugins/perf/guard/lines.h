/* SPDX-License-Identifier: MIT */
/*
 * Lines of a guard's output, for people and for programs.
 */
#ifndef ITP_PERF_GUARD_LINES_H
#define ITP_PERF_GUARD_LINES_H

#include "common/guard/excess.h"
#include "common/guard/shift.h"
#include "plugins/perf/guard/alarms.h"
#include "plugins/perf/guard/printer.h"
#include "plugins/perf/guard/processes.h"

struct itp_guard_lines {
	/* Weak. */
	const struct itp_guard_file *file;
	const struct itp_guard_processes *processes;
	const struct itp_guard_kernel *kernel;
	const struct itp_guard_windows *windows;
	const struct itp_guard_excess *excess;
	const struct itp_guard_printer *printer;
	bool is_json;
};

void itp_guard_lines_begin(const struct itp_guard_lines *lines,
			   const struct itp_guard_probes *probes, GString *output);
void itp_guard_lines_alarm(const struct itp_guard_lines *lines, const struct itp_guard_alarm *alarm,
			   GString *output);

/* A type has become slow as a whole, or is as usual again. */
void itp_guard_lines_turn(const struct itp_guard_lines *lines, guint loop, guint type,
			  const struct itp_guard_shift *shift, GString *output);

/* Counts of each type until now, and the excess of late units. */
void itp_guard_lines_summary(const struct itp_guard_lines *lines, GString *output);

#endif
