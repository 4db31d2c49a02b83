/* SPDX-License-Identifier: MIT */
/*
 * The layout of perf's output to a pipe: no sections, everything is a record.
 *
 * Contents of a file's sections are collected in a pass over all records before the reading begins:
 * attributes, features, formats of tracepoints and build ids.
 */
#ifndef ITP_PERF_DATA_PIPE_LAYOUT_H
#define ITP_PERF_DATA_PIPE_LAYOUT_H

#include "common/perf-data/file.h"

/* Features of higher numbers are not kept. */
#define ITP_PIPE_FEATURES 64

struct itp_pipe_layout {
	/* Parts of the file, to be loaded, except for the build ids; empty for missing features. */
	struct itp_bytes features[ITP_PIPE_FEATURES];
	/* Records with build ids, kept by a file in a section. Owned by this. */
	GByteArray *build_ids;
};

/* Makes `file->pipe`, and adds the attributes to `file`. Contradictory records end the pass; the
 * reading will meet and tell them, except before the first attribute. */
int itp_pipe_layout_read(struct itp_perf_file *file);
void itp_pipe_layout_free(struct itp_pipe_layout *layout);

/* Copies `from` until its end to a new file without a name, because records are read more than
 * once. `*ret_descriptor` is owned by the caller. Returns 0 or ITP_ERROR_IO with errno set. */
int itp_pipe_spool(int from, int *ret_descriptor);

#endif
