/* SPDX-License-Identifier: MIT */
/*
 * Parameters of filter.introperf.infer: those of the inference itself (common/engine/stages.h), and
 * those of the component.
 */
#ifndef ITP_FILTERS_INFER_PARAMS_H
#define ITP_FILTERS_INFER_PARAMS_H

#include <glib.h>
#include <stdbool.h>

#include "common/engine/params.h"
#include "common/infer/options.h"
#include "messages/foreign.h"

struct itp_infer_params {
	/* Period as given; owned by this. */
	char *period;
	/* Numbers of processes. Owned by this. */
	GPtrArray *exclude_pids;
	struct itp_infer_options infer;
	struct itp_foreign_options foreign;
	/* Entries and exits of all calls are wanted, what threads did when, and the input itself.
	 */
	bool calls;
	bool stretches;
	bool pass_through;
};

extern const struct itp_param_table itp_infer_filter_table;
extern const struct itp_infer_params itp_infer_filter_defaults;

/* True when the parameters read, a struct itp_infer_params, make sense. */
bool itp_infer_params_check(const void *params, GError **error);

/* Processes to be left out, as keys of a set that the caller owns; NULL after an error. */
GHashTable *itp_infer_params_excluded(const struct itp_infer_params *params, GError **error);

#endif
