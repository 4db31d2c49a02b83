/* SPDX-License-Identifier: MIT */
/*
 * Shared by the two halves of the writer for the Firefox Profiler: firefox.c writes the profile and
 * the markers of each thread, firefox-samples.c its samples.
 */
#ifndef ITP_RENDER_EXPORT_FIREFOX_SAMPLES_H
#define ITP_RENDER_EXPORT_FIREFOX_SAMPLES_H

#include <inttypes.h>
#include <stdio.h>

#include "common/render/export/input.h"
#include "common/render/export/json-names.h"

struct itp_firefox {
	/* Weak. */
	const struct itp_export_input *input;
	FILE *stream;
	/* Owned by this. */
	struct itp_json_names *names;
	/* First function of each module: uint32_t, by the module's number; and by function, 1 + its
	 * module's number, 0 = without a module. Owned by this. */
	GArray *modules;
	uint32_t *module_of;
	int64_t origin_ns;
};

/* Writes milliseconds, to the nanosecond. */
static inline void itp_firefox_write_ms(const struct itp_firefox *firefox, int64_t ns)
{
	const int64_t ns_per_ms = 1000000;

	fprintf(firefox->stream, "%" PRId64 ".%06d", ns / ns_per_ms, (int)(ns % ns_per_ms));
}

/* Writes the members of a thread that make its call tree. Strings are functions, and behind them
 * modules, by their numbers. Results as of itp_export(). */
int itp_firefox_write_samples(const struct itp_firefox *firefox, guint thread);

#endif
