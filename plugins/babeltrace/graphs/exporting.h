/* SPDX-License-Identifier: MIT */
/*
 * Exports: the graph of `babeltrace2 FILE…` with the filters and sink.introperf.export behind it.
 *
 *     source.introperf.perf, source.ctf.fs … ─▶ muxer ─▶ infer ─▶ normalize ─▶ export
 *
 * Single calls go without normalize, and units of work are found among them. Saved profiles come
 * to the export by themselves.
 */
#ifndef ITP_GRAPHS_EXPORTING_H
#define ITP_GRAPHS_EXPORTING_H

#include "common/engine/conclude.h"
#include "common/export-job/export-job.h"

/* All is weak. */
struct itp_exporting {
	/* Recordings and traces; char *. */
	const GPtrArray *paths;
	/* Maps by enum itp_stage; those of ITP_STAGE_RANK are the sink's. */
	GHashTable *const *values;
	/* Single calls are wanted. */
	bool is_timeline;
	/* Errors in the words of the host. */
	const struct itp_export_words *words;
	/* Receiver of missing names. */
	itp_tell_func tell;
};

/* Exports, until SIGINT. The error tells why it has failed. */
enum itp_outcome itp_exporting_run(const struct itp_exporting *exporting, GError **error);

#endif
