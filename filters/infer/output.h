/* SPDX-License-Identifier: MIT */
/*
 * Output of filter.introperf.infer so far: each function and each context comes before the first
 * message that needs it.
 */
#ifndef ITP_FILTERS_INFER_OUTPUT_H
#define ITP_FILTERS_INFER_OUTPUT_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/instance.h"
#include "common/infer/stretch.h"
#include "common/infer/wakers.h"
#include "messages/filter.h"

/* All is weak. */
struct itp_infer_output {
	struct itp_filter_trace *trace;
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* How much of the table and of the tree is already downstream. */
	uint32_t sent_functions;
	uint32_t sent_contexts;
};

void itp_infer_output_init(struct itp_infer_output *output, struct itp_filter_trace *trace,
			   struct itp_function_table *functions, struct itp_context_tree *tree);

/* `type` is an ended instance's, or that of one that goes on. */
bool itp_infer_output_instance(struct itp_infer_output *output, enum itp_record_type type,
			       const struct itp_instance *instance, GError **error);

bool itp_infer_output_share(struct itp_infer_output *output, const struct itp_share *share,
			    GError **error);

bool itp_infer_output_stretch(struct itp_infer_output *output, const struct itp_stretch *stretch,
			      GError **error);

bool itp_infer_output_unplaced(struct itp_infer_output *output, const struct itp_instance *call,
			       uint32_t function, GError **error);

/* All of them, by node. */
bool itp_infer_output_wakers(struct itp_infer_output *output, const struct itp_wakers *wakers,
			     GError **error);

#endif
