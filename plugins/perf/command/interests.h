/* SPDX-License-Identifier: MIT */
/*
 * From recordings to what is mined: their symptoms, and the stacks that held these up.
 */
#ifndef ITP_PERF_COMMAND_INTERESTS_H
#define ITP_PERF_COMMAND_INTERESTS_H

#include "common/mine/mining.h"
#include "common/wait/interest.h"
#include "common/wait/symptom.h"
#include "plugins/perf/host/recordings.h"

struct itp_interest_options {
	/* Weak. NULL: the slowest calls of the culprit of the first path. */
	const struct itp_symptom_wish *wish;
	enum itp_interest_scope scope;
	/* Gets a line about each symptom (itp_render_mining_symptom()), or NULL. Weak. */
	GString *each;
};

/* Reads one recording, and adds the stacks of its symptoms to those of the slow traces, or of the
 * good ones. `params` must let threads be remembered. A damaged recording adds what it still holds,
 * and is an error. */
bool itp_interests_add(struct itp_mining *mining, bool of_base, const char *path,
		       const struct itp_host_params *params,
		       const struct itp_interest_options *options,
		       const struct itp_recordings_watch *watch, GError **error);

#endif
