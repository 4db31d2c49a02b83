/* SPDX-License-Identifier: MIT */
/*
 * The layout that perf writes to a pipe: no sections, everything is a record.
 *
 * What a file has in sections is collected in one pass over all records before the reading
 * begins: attributes, features, formats of tracepoints and build ids.
 *
 * A recording may also be read while perf writes it to a pipe. What comes is copied to a file
 * without a name, which is mapped like any other recording; what was read is cut out of that again,
 * so neither memory nor the disk fill up. Nothing is taken from the pipe that is not wanted at
 * once: who reads too slowly makes perf wait, which then loses events and says so.
 */
#ifndef ITP_PERF_DATA_PIPE_LAYOUT_H
#define ITP_PERF_DATA_PIPE_LAYOUT_H

#include "common/perf-data/file.h"

/* Features of higher numbers are not kept. */
#define ITP_PIPE_FEATURES 64

struct itp_pipe_layout {
	/* Parts of the file, to be loaded, but for the build ids; nothing for those that are not
	 * there. */
	struct itp_bytes features[ITP_PIPE_FEATURES];
	/* Records with build ids, which a file has in one section. Owned by this. */
	GByteArray *build_ids;
};

/* Makes `file->pipe`, and adds the attributes to `file`. Records that contradict themselves end the
 * pass: the reading will meet and tell them, but for those before the first attribute. */
int itp_pipe_layout_read(struct itp_perf_file *file);
void itp_pipe_layout_free(struct itp_pipe_layout *layout);

/* Copies `from` until its end to a new file without a name, because records are read more than
 * once. `*ret_descriptor` is owned by the caller. Returns 0 or ITP_ERROR_IO with errno set. */
int itp_pipe_spool(int from, int *ret_descriptor);

/* ---- While perf writes it ---- */

struct itp_growing {
	/* What the copy is mapped to. Owned by this. */
	uint8_t *memory;
	/* Weak. */
	int from;
	/* Owned by this. */
	int copy;
	/* The other end has closed the pipe. */
	bool at_end;
};

/* Makes `file->growing` and maps the copy, which holds nothing yet. Returns 0, or ITP_ERROR_COPY or
 * ITP_ERROR_IO with errno set. */
int itp_growing_init(struct itp_perf_file *file, int from);
void itp_growing_free(struct itp_growing *growing);

/* Waits until the first record comes that is not about the recording as a whole, or the end.
 * Returns 0, ITP_ERROR_IO or ITP_ERROR_COPY. */
int itp_growing_read_head(struct itp_perf_file *file);

/* Takes what there is. Returns 0, ITP_ERROR_AGAIN when there is nothing yet, ITP_ERROR_IO or
 * ITP_ERROR_COPY. At the end of the pipe, 0 with `at_end` set. */
int itp_growing_read(struct itp_perf_file *file);

/* What lies between is not needed again. */
void itp_growing_forget(const struct itp_growing *growing, uint64_t begin, uint64_t end);

#endif
