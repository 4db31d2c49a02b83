/* SPDX-License-Identifier: MIT */
/*
 * What those type who come from perf: the options of perf's report, diff, top and record. Those
 * that mean the same here are accepted; of the others it is told what is used instead. Options of
 * perf record that are ours, too, are in record-options.c.
 */
#ifndef ITP_PERF_COMMAND_FAMILIAR_H
#define ITP_PERF_COMMAND_FAMILIAR_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* Commands that perf has as well; bits. */
enum itp_perf_command {
	ITP_PERF_COMMAND_REPORT = 1 << 0,
	ITP_PERF_COMMAND_DIFF = 1 << 1,
	ITP_PERF_COMMAND_TOP = 1 << 2,
	ITP_PERF_COMMAND_RECORD = 1 << 3,
};

/* What was said by such options. */
struct itp_familiar {
	enum itp_perf_command command;
	/* -i: one more file. Owned by this. */
	char *input;
	/* Of the processes to be looked at; NULL: any. Owned by this. */
	char *comms;
	char *pids;
	char *tids;
	/* Names are not shortened. */
	bool is_verbose;
	/* Nothing but the result and errors. */
	bool is_quiet;
};

struct itp_options;

/* Adds those of a command to a group whose user data is a struct itp_options. */
void itp_familiar_add_entries(GOptionGroup *group, enum itp_perf_command command);

/* Makes parameters of what was said, after parsing. */
bool itp_familiar_apply(const struct itp_options *options, GError **error);

void itp_familiar_release(struct itp_familiar *familiar);

#endif
