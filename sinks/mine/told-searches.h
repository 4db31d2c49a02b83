/* SPDX-License-Identifier: MIT */
/*
 * Searches for symptoms as told by filter.introperf.wait, one for each trace, with their functions
 * and contexts.
 */
#ifndef ITP_SINKS_MINE_TOLD_SEARCHES_H
#define ITP_SINKS_MINE_TOLD_SEARCHES_H

#include <babeltrace2/babeltrace.h>

#include "common/mining-job/mining-job.h"

struct itp_told_searches;

struct itp_told_searches *itp_told_searches_new(void);
void itp_told_searches_free(struct itp_told_searches *searches);

/* Takes messages of a search. */
bool itp_told_searches_add(struct itp_told_searches *searches, const bt_message *message,
			   GError **error);

/* Moves all searches to `job`, and forgets them: as good traces where its `base` names them as the
 * parameter of sinks that rank does, or all with `of_base`. `path`, which may be NULL, is the
 * traces' name. */
bool itp_told_searches_take(struct itp_told_searches *searches, struct itp_mining_job *job,
			    const char *path, bool of_base, GError **error);

#endif
