/* SPDX-License-Identifier: MIT */
/*
 * View of a request: values of the options by which users choose contexts, and the options for
 * common/view/view that come from them.
 */
#ifndef ITP_ENGINE_VIEW_OPTIONS_H
#define ITP_ENGINE_VIEW_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "common/engine/params.h"
#include "common/view/view.h"

/* Values as users gave them. Owned by whoever read them. */
struct itp_rank_view_params {
	/* enum itp_rank_naming */
	unsigned int names;
	char *names_file;
	/* Of processes; char * */
	GPtrArray *processes;
	/* By enum itp_view_pattern; char * */
	GPtrArray *patterns[ITP_VIEW_PATTERN_COUNT];
	bool fold_recursion;
	uint64_t max_depth;
	/* char * */
	GPtrArray *pairs;
};

extern const char *const itp_rank_naming_names[];

/* Rows for the table of a structure that has a view as `member`. */
#define ITP_RANK_VIEW_PARAMS(structure, member)                                                   \
	{ "names", ITP_PARAM_CHOICE, offsetof(structure, member.names), itp_rank_naming_names },  \
		{ "names-file", ITP_PARAM_STRING, offsetof(structure, member.names_file), NULL }, \
		{ "process", ITP_PARAM_STRINGS, offsetof(structure, member.processes), NULL },    \
		{ "focus", ITP_PARAM_STRINGS,                                                     \
		  offsetof(structure, member.patterns[ITP_VIEW_FOCUS]), NULL },                   \
		{ "ignore", ITP_PARAM_STRINGS,                                                    \
		  offsetof(structure, member.patterns[ITP_VIEW_IGNORE]), NULL },                  \
		{ "hide", ITP_PARAM_STRINGS, offsetof(structure, member.patterns[ITP_VIEW_HIDE]), \
		  NULL },                                                                         \
		{ "root", ITP_PARAM_STRINGS, offsetof(structure, member.patterns[ITP_VIEW_ROOT]), \
		  NULL },                                                                         \
		{ "fold-recursion", ITP_PARAM_BOOL, offsetof(structure, member.fold_recursion),   \
		  NULL },                                                                         \
		{ "max-depth", ITP_PARAM_COUNT, offsetof(structure, member.max_depth), NULL },    \
	{                                                                                         \
		"pair", ITP_PARAM_STRINGS, offsetof(structure, member.pairs), NULL                \
	}

/* NULL after an error, which names the parameter. */
struct itp_view_options *itp_rank_view_options_new(const struct itp_rank_view_params *params,
						   GError **error);
void itp_rank_view_options_free(struct itp_view_options *options);

#endif
