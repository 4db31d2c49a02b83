/* SPDX-License-Identifier: MIT */
/*
 * See source-reading.h.
 */
#include "plugins/perf/command/source-reading.h"

#define EVENTS_PER_LOOK 4096

bool itp_source_is_meant(struct itp_names *names, const struct itp_function *function,
			 const char *name, const char *module)
{
	struct itp_canonical canonical;
	bool result;

	if (!itp_names_apply(names, function, &canonical, NULL)) {
		return false;
	}
	result = (!module || g_str_equal(canonical.module, module)) &&
		 (itp_name_is_meant(function->name, name) ||
		  itp_name_is_meant(canonical.name, name));
	itp_canonical_clear(&canonical);
	return result;
}

static bool look_at_progress(const struct itp_perf_reader *reader, struct itp_progress_line *line,
			     struct itp_interrupt *interrupt)
{
	if (line) {
		itp_progress_line_update(line, "reading", itp_perf_reader_done_bytes(reader),
					 itp_perf_reader_total_bytes(reader));
	}
	return !interrupt || !itp_interrupt_take(interrupt);
}

int itp_source_read_events(struct itp_perf_reader *reader, struct itp_source_costs *costs,
			   struct itp_progress_line *line, struct itp_interrupt *interrupt)
{
	struct itp_stack_event event;
	int result = 1;

	/* Events before the first look are seen, too. */
	for (guint i = 0;
	     result > 0 && (i % EVENTS_PER_LOOK != 0 || look_at_progress(reader, line, interrupt));
	     i++) {
		result = itp_perf_reader_next(reader, &event);
		if (result > 0) {
			itp_source_costs_push(costs, &event);
		}
	}
	if (line) {
		itp_progress_line_end(line);
	}
	return result;
}
