/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.mine: the interests of many traces in, patterns that explain their
 * time out, in clusters (StackMine, sections V and VI).
 *
 *   mine.c       the component, and the result
 *   params.c     its parameters
 *   interests.c  interests from messages
 *   stacks.c     files of a database of stacks
 *
 * Finding is common/mine's, looks are common/render/mining's.
 */
#ifndef ITP_SINKS_MINE_MINE_H
#define ITP_SINKS_MINE_MINE_H

#include <babeltrace2/babeltrace.h>

#include "common/mine/mining.h"
#include "common/engine/params.h"
#include "sinks/profiles/component.h"

extern const struct itp_param_table itp_mine_param_table;

/* Data of a host that adds interests itself. All weak. */
struct itp_mine_host {
	/* Symptom looked for, or NULL. */
	const char *symptom;
	/* Lines about each symptom (itp_render_mining_symptom()); those from messages are added. Or
	 * NULL. */
	GString *each;
	/* How many files could not be read, or only in part. */
	const guint *broken;
};

/* Sink for mining, for a host that makes the result itself by itp_rank_sink_end(). `host` and its
 * members outlive it. NULL after an error. Free it with its `free`. */
struct itp_rank_sink *itp_mine_new(GHashTable *values, const struct itp_mine_host *host,
				   GError **error);

/* Mining to which a host adds traces. */
struct itp_mining *itp_mine_mining(struct itp_rank_sink *sink);

/* Assigns messages since the last call to `path`, as good traces if `of_base`. False without any.
 * For a sink with a host. */
bool itp_mine_take(struct itp_rank_sink *sink, const char *path, bool of_base);

bt_component_class_initialize_method_status itp_mine_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif
