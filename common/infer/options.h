/* SPDX-License-Identifier: MIT */
/*
 * Words for the options of inference: as users choose them, and as a workload describes itself.
 */
#ifndef ITP_INFER_OPTIONS_H
#define ITP_INFER_OPTIONS_H

#include "common/infer/infer-options.h"

/* By enum itp_continuity, enum itp_group_by and enum itp_estimate; NULL ends them. */
extern const char *const itp_continuity_names[];
extern const char *const itp_group_by_names[];
extern const char *const itp_estimate_names[];

struct itp_normalize_options {
	enum itp_estimate estimate;
	/* Each call's is kept (latencies.h). */
	bool latencies;
};

#define ITP_INFER_DEFAULTS                                                                  \
	{                                                                                   \
		.continuity = ITP_CONTINUITY_CONTROL_FLOW, .group_by = ITP_GROUP_BY_PROCESS \
	}
#define ITP_NORMALIZE_DEFAULTS                \
	{                                     \
		.estimate = ITP_ESTIMATE_BEST \
	}

/* "continuity=… group-by=…". The caller frees it. */
char *itp_infer_options_text(const struct itp_infer_options *options);

/* `text` with the options behind it. The caller frees it. */
char *itp_normalize_options_text(const struct itp_normalize_options *options, const char *text);

/* `text` with "NAME=VALUE" behind it, with "_" for blanks. The caller frees it. */
char *itp_options_text_with(const char *text, const char *name, const char *value);

/* Value of `name` in `text`; NULL: none. The caller frees it. */
char *itp_options_text_get(const char *text, const char *name);

#endif
