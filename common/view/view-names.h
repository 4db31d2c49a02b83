/* SPDX-License-Identifier: MIT */
/*
 * Names of the functions of a view: canonical names, and for pairs and renamings in a base the
 * suspects' names (pairs.h, renamed.h).
 */
#ifndef ITP_VIEW_VIEW_NAMES_H
#define ITP_VIEW_VIEW_NAMES_H

#include "common/view/view-input.h"

/* New name of an old function. */
struct itp_view_name {
	/* Number in the view's table. */
	uint32_t function;
	bool is_known;
	/* See struct itp_canonical. */
	bool is_part;
	/* Inlined in one of two builds of its module, while no inlined function is known of the
	 * other one, which has no debug data, and does not call it. */
	bool is_untold;
};

struct itp_view_names;

/* Names of all functions of the tree; makes the table, the pairs and the renamings of `view`. All
 * arguments must outlive the result. NULL on an error. */
struct itp_view_names *itp_view_names_new(const struct itp_view_options *options,
					  const struct itp_view_input *input, struct itp_view *view,
					  GError **error);
void itp_view_names_free(struct itp_view_names *names);

/* New name of a function of the tree. */
const struct itp_view_name *itp_view_names_known(const struct itp_view_names *names, uint32_t id);

/* Replaces any old function by the new. */
bool itp_view_names_find(struct itp_view_names *names, uint32_t *function, GError **error);

#endif
