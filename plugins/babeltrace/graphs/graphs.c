/* SPDX-License-Identifier: MIT */
/* See graphs.h. */
#include "plugins/babeltrace/graphs/graphs.h"

#include "plugins/babeltrace/graphs/traces.h"
#include "plugins/babeltrace/graphs/trial.h"

const struct itp_graphs itp_babeltrace_graphs = {
	.try_traces = itp_trial_read_all,
	.open_traces = itp_traces_new,
	.read_traces = itp_traces_read,
};
