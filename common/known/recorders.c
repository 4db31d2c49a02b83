/* SPDX-License-Identifier: MIT */
/*
 * See recorders.h.
 */
#include "common/known/recorders.h"

#include <stddef.h>
#include <string.h>

/* Processes that record, as the kernel calls them. */
static const char *const recorders[] = { "perf",           "perf-introperf",
					 "lttng-sessiond", "lttng-consumerd",
					 "lttng-relayd",   NULL };

bool itp_process_is_recorder(const char *process)
{
	for (size_t i = 0; recorders[i]; i++) {
		size_t length = strlen(recorders[i]);

		if (strncmp(process, recorders[i], length) == 0 &&
		    (process[length] == '\0' || process[length] == '/')) {
			return true;
		}
	}
	return false;
}
