/* SPDX-License-Identifier: MIT */
/*
 * Options known to users of perf: of its report, diff, top, record and annotate. Options with the
 * same meaning here are accepted; for the others a replacement is named. Options of perf record
 * that are ours, too, are in record-options.c.
 */
#ifndef ITP_PERF_COMMAND_FAMILIAR_H
#define ITP_PERF_COMMAND_FAMILIAR_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

/* Commands shared with perf; bits. */
enum itp_perf_command {
	ITP_PERF_COMMAND_REPORT = 1 << 0,
	ITP_PERF_COMMAND_DIFF = 1 << 1,
	ITP_PERF_COMMAND_TOP = 1 << 2,
	ITP_PERF_COMMAND_RECORD = 1 << 3,
	ITP_PERF_COMMAND_ANNOTATE = 1 << 4,
};

/* Values of such options. */
struct itp_familiar {
	enum itp_perf_command command;
	/* -i: another file. Owned by this. */
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

/* Adds a command's options to a group whose user data is a struct itp_options. */
void itp_familiar_add_entries(GOptionGroup *group, enum itp_perf_command command);

/* Turns values into parameters, after parsing. */
bool itp_familiar_apply(const struct itp_options *options, GError **error);

void itp_familiar_release(struct itp_familiar *familiar);

#endif
