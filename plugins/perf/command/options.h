/* SPDX-License-Identifier: MIT */
/*
 * Options of the command line that are parameters of components, under the same names. Their
 * values are only collected here: each component checks its own.
 */
#ifndef ITP_PERF_COMMAND_OPTIONS_H
#define ITP_PERF_COMMAND_OPTIONS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/familiar.h"
#include "plugins/perf/host/params.h"

struct itp_options {
	/* A map for each component. Owned by this. */
	bt_value *values[ITP_STAGE_COUNT];
	/* The command that shows the calls of path 1. Owned by this. */
	char *next;
	/* Path of the page to write instead of a ranking, or NULL. Owned by this. */
	char *html;
	/* The page has no source lines. */
	gboolean no_source;
	/* Path of the profile to save instead of a ranking, or NULL. Owned by this. */
	char *save;
	/* What was said by options of perf. */
	struct itp_familiar familiar;
	/* The ranking is shown in the terminal, to walk through. */
	gboolean tui;
};

/* `arguments` are the subcommand and what it was given, for `next`. */
void itp_options_init(struct itp_options *options, char **arguments);
void itp_options_release(struct itp_options *options);

/* Appends a string to the array `name`, which is made when there is none. */
void itp_options_append(bt_value *values, const char *name, const char *text);

/* Whether the ranking is one to be read by people. */
bool itp_options_has_text(const struct itp_options *options);

/* What a ranking is of. */
enum itp_options_of {
	/* One recording. */
	ITP_OPTIONS_RECORDING,
	/* What is recorded at the time; it may be compared with what was. */
	ITP_OPTIONS_LIVE,
	ITP_OPTIONS_COMPARISON,
};

/* Adds all options of it to a group whose user data is `options`. */
void itp_options_add_entries(GOptionGroup *group, struct itp_options *options,
			     enum itp_options_of of);

/* Adds those of mining to a group, and those that say how recordings are read. */
void itp_options_add_mine_entries(GOptionGroup *group);

/* Adds those that say how recordings are read. */
void itp_options_add_reading_entries(GOptionGroup *group);

/* Adds all options of an export to a group. */
void itp_options_add_export_entries(GOptionGroup *group);

#endif
