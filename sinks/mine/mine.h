/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.mine: searches of many traces for symptoms in, as
 * filter.introperf.wait tells them; what common/mining-job makes of them out.
 *
 *   mine.c           the component
 *   told-searches.c  traces from messages
 */
#ifndef ITP_SINKS_MINE_MINE_H
#define ITP_SINKS_MINE_MINE_H

#include <babeltrace2/babeltrace.h>

#include "common/mining-job/mining-job.h"
#include "sinks/profiles/component.h"

/* Sink that brings traces to a host's `job`, which is weak and outlives it. Free it with its
 * `free`. */
struct itp_rank_sink *itp_mine_new(struct itp_mining_job *job);

/* Assigns messages since the last call to `path`, as good traces if `of_base`. False without any.
 * For a sink with a host. */
bool itp_mine_take(struct itp_rank_sink *sink, const char *path, bool of_base);

bt_component_class_initialize_method_status itp_mine_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif
