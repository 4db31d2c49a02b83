/* SPDX-License-Identifier: MIT */
/*
 * Options of the command line that are parameters of the engine, under the same names. Their values
 * are only collected here: the engine checks them.
 */
#ifndef ITP_PERF_COMMAND_OPTIONS_H
#define ITP_PERF_COMMAND_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "common/engine/stages.h"

/* Commands shared with perf; bits. */
enum itp_perf_command {
	ITP_PERF_COMMAND_REPORT = 1 << 0,
	ITP_PERF_COMMAND_DIFF = 1 << 1,
	ITP_PERF_COMMAND_TOP = 1 << 2,
	ITP_PERF_COMMAND_RECORD = 1 << 3,
	ITP_PERF_COMMAND_ANNOTATE = 1 << 4,
};

/* Values of options known to users of perf (familiar.h). */
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

struct itp_options {
	/* A map for each component. Owned by this. */
	GHashTable *values[ITP_STAGE_COUNT];
	/* Command that shows the calls of path 1. Owned by this. */
	char *next;
	/* Path of the page to write instead of a ranking, or NULL. Owned by this. */
	char *html;
	/* The page has no source lines. */
	gboolean no_source;
	/* Path of the profile to save instead of a ranking, or NULL. Owned by this. */
	char *save;
	/* Values of perf's options. */
	struct itp_familiar familiar;
	/* The ranking is shown in the terminal, to walk through. */
	gboolean tui;
};

/* `arguments` are the subcommand and its words, for `next`. */
void itp_options_init(struct itp_options *options, char **arguments);
void itp_options_release(struct itp_options *options);

/* True when the ranking is text for people. */
bool itp_options_has_text(const struct itp_options *options);

/* Input of a ranking. */
enum itp_options_of {
	/* Single recording. */
	ITP_OPTIONS_RECORDING,
	/* Present events, perhaps compared with earlier ones. */
	ITP_OPTIONS_LIVE,
	ITP_OPTIONS_COMPARISON,
};

/* Adds all options for an input to a group whose user data is `options`. */
void itp_options_add_entries(GOptionGroup *group, struct itp_options *options,
			     enum itp_options_of of);

/* Adds options of mining to a group, and those for reading recordings. */
void itp_options_add_mine_entries(GOptionGroup *group);

/* Adds options for reading recordings. */
void itp_options_add_reading_entries(GOptionGroup *group);

/* Adds all options of an export to a group. */
void itp_options_add_export_entries(GOptionGroup *group);

#endif
