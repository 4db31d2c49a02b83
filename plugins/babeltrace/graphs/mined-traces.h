/* SPDX-License-Identifier: MIT */
/*
 * Traces in CTF as traces of a job of mining: a graph of `babeltrace2 FILE…` with filters and
 * sink.introperf.mine behind it.
 *
 *     source.ctf.fs … ─▶ muxer ─▶ infer ─▶ wait ─▶ mine
 */
#ifndef ITP_GRAPHS_MINED_TRACES_H
#define ITP_GRAPHS_MINED_TRACES_H

#include "common/engine/interrupt.h"
#include "common/mining-job/mining-job.h"

/* Refusal of an input, by its path, which tells of no single calls, as a saved profile. */
#define ITP_MINED_NOTHING_TEXT "%s: holds no symptoms, nor what these are found in"

/* Traces that are mined together. All is weak. */
struct itp_mined_traces {
	/* Their directories, char *; and the name that they get. */
	const GPtrArray *directories;
	const char *path;
	/* They are good ones. */
	bool of_base;
	/* Maps by enum itp_stage; and the parameters of filter.introperf.wait. */
	GHashTable *const *values;
	GHashTable *wait;
};

/* Adds the traces, with interests that are saved or made of them, to the job, until it is
 * interrupted. False after an error, and after an interrupt, without an error then; what was read
 * until then is in the job. */
bool itp_mined_traces_add(const struct itp_mined_traces *traces, struct itp_mining_job *job,
			  struct itp_interrupt *interrupt, GError **error);

#endif
