/* SPDX-License-Identifier: MIT */
/*
 * Arguments of mine.
 */
#ifndef ITP_PERF_COMMAND_MINE_OPTIONS_H
#define ITP_PERF_COMMAND_MINE_OPTIONS_H

#include "common/engine/wait-params.h"
#include "common/wait/symptom.h"
#include "plugins/perf/command/options.h"

struct itp_mine_request {
	/* Of ITP_STAGE_RANK are the options of the job (common/mining-job). */
	struct itp_options options;
	/* Parameters of filter.introperf.wait. Owned by this. */
	GHashTable *wait;
	/* Parsed values; `wish` is wait_params.symptom's, if given. Owned by this. */
	struct itp_wait_params wait_params;
	struct itp_symptom_wish wish;
	/* Values as given. Owned by this. */
	char *symptom;
	char *scope;
	char **base;
	char **files;
	gboolean each;
};

/* `arguments` begin with the subcommand. Also after an error, release it. */
bool itp_mine_request_parse(struct itp_mine_request *request, char **arguments, GError **error);
void itp_mine_request_release(struct itp_mine_request *request);

#endif
