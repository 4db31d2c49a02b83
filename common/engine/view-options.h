/* SPDX-License-Identifier: MIT */
/*
 * View of a request: values of the options by which users choose contexts, and the options for
 * common/view/view that come from them.
 */
#ifndef ITP_ENGINE_VIEW_OPTIONS_H
#define ITP_ENGINE_VIEW_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

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

/* NULL after an error, which names the parameter. */
struct itp_view_options *itp_rank_view_options_new(const struct itp_rank_view_params *params,
						   GError **error);
void itp_rank_view_options_free(struct itp_view_options *options);

#endif
