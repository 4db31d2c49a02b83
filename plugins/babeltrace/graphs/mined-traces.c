/* SPDX-License-Identifier: MIT */
/*
 * See mined-traces.h.
 */
#include "plugins/babeltrace/graphs/mined-traces.h"

#include "common/base/failure.h"
#include "plugins/babeltrace/graphs/traces.h"
#include "sinks/mine/mine.h"

bool itp_mined_traces_add(const struct itp_mined_traces *traces, struct itp_mining_job *job,
			  struct itp_interrupt *interrupt, GError **error)
{
	struct itp_rank_sink *sink = itp_mine_new(job);
	GError *reason = NULL;
	GPtrArray *graphs = itp_traces_new_interests(traces->directories, traces->values,
						     traces->wait, sink, &reason);
	bool done = graphs && itp_traces_read(graphs, interrupt, &reason);

	if (!itp_mine_take(sink, traces->path, traces->of_base) && done) {
		itp_failure_set(&reason, ITP_MINED_NOTHING_TEXT, traces->path);
	}
	g_clear_pointer(&graphs, g_ptr_array_unref);
	sink->free(sink);
	if (reason) {
		g_propagate_error(error, reason);
		return false;
	}
	return done;
}
