/* SPDX-License-Identifier: MIT */
/*
 * The contexts of a trace as told by filter.introperf.infer: in the order of their numbers, so that
 * a tree of one's own numbers them alike.
 */
#ifndef ITP_MESSAGES_TOLD_CONTEXTS_H
#define ITP_MESSAGES_TOLD_CONTEXTS_H

#include "common/base/context-tree.h"
#include "common/infer/stretch.h"
#include "common/schema/id-map.h"
#include "messages/coding.h"

struct itp_told_contexts {
	/* Begin of errors; and the trace's functions by their ids. Weak. */
	const char *name;
	const struct itp_id_map *function_ids;
	/* Owned by this. */
	struct itp_context_tree *tree;
};

void itp_told_contexts_init(struct itp_told_contexts *told, const char *name,
			    const struct itp_id_map *function_ids);
void itp_told_contexts_release(struct itp_told_contexts *told);

bool itp_told_contexts_add(struct itp_told_contexts *told, const struct itp_context_record *record,
			   GError **error);

/* True when the context was told. */
bool itp_told_contexts_check(const struct itp_told_contexts *told, uint32_t node, GError **error);

/* A stretch with functions of one's own. */
bool itp_told_contexts_map(const struct itp_told_contexts *told, const struct itp_stretch *input,
			   struct itp_stretch *ret_stretch, GError **error);

#endif
