/* SPDX-License-Identifier: MIT */
/*
 * The recordings that are read together, by source.introperf.perf or by a host that feeds the core
 * itself: what they are read with, and the clock that fits them all.
 */
#ifndef ITP_SOURCES_PERF_INPUTS_H
#define ITP_SOURCES_PERF_INPUTS_H

#include "messages/symbol-params.h"
#include "sources/perf/input.h"

enum itp_perf_clock {
	/* Times of day if all inputs tell them: Babeltrace refuses to mix both kinds. */
	ITP_PERF_CLOCK_AUTO,
	ITP_PERF_CLOCK_RECORDING,
	ITP_PERF_CLOCK_WALL,
};

extern const char *const itp_perf_clock_names[];

struct itp_perf_inputs {
	/* struct itp_perf_input *, in the order of their paths. Owned by this. */
	GPtrArray *list;
	/* Their times are to become times of day. */
	bool is_wall;
};

/* Opens the files of `paths` (char *), and reads what they say of themselves. `options` is weak and
 * must outlive the inputs. Also after an error, release them. */
bool itp_perf_inputs_init(struct itp_perf_inputs *inputs, const GPtrArray *paths,
			  const struct itp_perf_options *options, enum itp_perf_clock clock,
			  GError **error);
void itp_perf_inputs_release(struct itp_perf_inputs *inputs);

#endif
