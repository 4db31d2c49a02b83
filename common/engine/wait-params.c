/* SPDX-License-Identifier: MIT */
/* See wait-params.h. */
#include "common/engine/wait-params.h"

static const struct itp_param wait_params[] = {
	{ "symptom", ITP_PARAM_STRING, offsetof(struct itp_wait_params, symptom), NULL },
	{ "scope", ITP_PARAM_CHOICE, offsetof(struct itp_wait_params, scope),
	  itp_interest_scope_names },
};

const struct itp_param_table itp_wait_param_table = { wait_params, G_N_ELEMENTS(wait_params) };
