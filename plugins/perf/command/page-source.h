/* SPDX-License-Identifier: MIT */
/*
 * Source lines of culprits for the page of a report. A profile holds no addresses: once it is
 * ranked, the recording of either side is read once more.
 */
#ifndef ITP_PERF_COMMAND_PAGE_SOURCE_H
#define ITP_PERF_COMMAND_PAGE_SOURCE_H

#include "common/engine/inputs.h"
#include "common/engine/interrupt.h"
#include "common/engine/recordings.h"
#include "common/engine/stages.h"
#include "common/rank/ranking.h"
#include "terminal/progress.h"

struct itp_page_source {
	/* All weak; the last two may be NULL. `base` (char *) are the names of what is compared
	 * with. */
	const struct itp_inputs *inputs;
	const struct itp_reading_params *params;
	const GPtrArray *base;
	struct itp_progress_line *line;
	struct itp_interrupt *interrupt;
	/* Recordings in the order of the inputs, as far as read: for page-requests.h. */
	const struct itp_recordings *recordings;
	/* Nothing is read, and the page says so. */
	bool is_left_out;
};

/* Place of the first recording of a side among the inputs; G_MAXUINT without one. */
guint itp_page_source_first(const struct itp_page_source *source, bool of_base);

/* Callback of struct itp_page_host; `data` is a struct itp_page_source. *ret_source is NULL where
 * there is none to look for, as without recordings. A recording not read to its end, because of an
 * interrupt, has no lines. */
bool itp_page_source_find(const struct itp_ranking *ranking, void *data, char **ret_source,
			  GError **error);

#endif
