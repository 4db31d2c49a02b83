/* SPDX-License-Identifier: MIT */
/*
 * What the arguments of mine say, and what they mean.
 */
#ifndef ITP_PERF_COMMAND_MINE_OPTIONS_H
#define ITP_PERF_COMMAND_MINE_OPTIONS_H

#include "common/mine/signatures.h"
#include "plugins/perf/command/interests.h"
#include "plugins/perf/command/options.h"

enum itp_mine_form {
	ITP_MINE_TEXT = 0,
	ITP_MINE_JSONL,
	ITP_MINE_HTML,
};

/* What the arguments say. */
struct itp_mine_request {
	struct itp_options options;
	/* As given. Owned by this. */
	char *symptom;
	char *min_cost;
	char *scope;
	char *linkage;
	char *order;
	char *format;
	char *output;
	char *signatures;
	char *save_signatures;
	char **focus;
	char **ignore;
	char **base;
	char **files;
	gboolean each;
	double cut;
	int top;
	/* What they mean. Owned by this. */
	struct itp_symptom_wish wish;
	struct itp_interest_options interest;
	struct itp_mining_options mining;
	/* struct itp_signature, or NULL. */
	GArray *known;
	/* What is told of each symptom, or NULL. */
	GString *symptoms;
	enum itp_mine_form form;
};

/* `arguments` begin with the subcommand. Also after an error, release it. */
bool itp_mine_request_parse(struct itp_mine_request *request, char **arguments, GError **error);
void itp_mine_request_release(struct itp_mine_request *request);

#endif
