/* SPDX-License-Identifier: MIT */
/*
 * From recordings to mined stacks: their symptoms, and the stacks behind them. Several recordings
 * are read at once, each by a thread of its own; their stacks are added in the order of the
 * recordings.
 */
#ifndef ITP_PERF_COMMAND_INTERESTS_H
#define ITP_PERF_COMMAND_INTERESTS_H

#include "common/mine/mining.h"
#include "common/wait/interest.h"
#include "common/wait/symptom.h"
#include "common/engine/recordings.h"

struct itp_interest_options {
	/* Weak. NULL: the slowest calls of the culprit of the first path. */
	const struct itp_symptom_wish *wish;
	/* Symptom as given, or NULL. Weak. */
	const char *symptom;
	enum itp_interest_scope scope;
	/* A line about each symptom is wanted (itp_render_mining_symptom()). */
	bool tells_each;
	/* How recordings are read. Weak. */
	const struct itp_reading_params *params;
};

struct itp_interests;

/* Begins to read `paths` (char *). All is weak and must outlive the result. */
struct itp_interests *itp_interests_new(const GPtrArray *paths,
					const struct itp_interest_options *options);
/* Gives up recordings still being read. */
void itp_interests_free(struct itp_interests *interests);

/* Waits for the next recording, and adds its stacks to the slow traces', or to the good ones', and
 * its lines to `each`, which may be NULL. A damaged recording adds its undamaged part, and is an
 * error. `watch` gets warnings; when its progress says so, the wait ends without an error. */
bool itp_interests_add_next(struct itp_interests *interests, struct itp_mining *mining,
			    bool of_base, GString *each, const struct itp_recordings_watch *watch,
			    GError **error);

#endif
