/* SPDX-License-Identifier: MIT */
/*
 * Parameters for the search for symptoms, and for the waits behind them: the symptom looked for,
 * such as "call:handle>4ms", and how far its waits are followed.
 */
#ifndef ITP_ENGINE_WAIT_PARAMS_H
#define ITP_ENGINE_WAIT_PARAMS_H

#include "common/engine/params.h"
#include "common/wait/interest.h"

struct itp_wait_params {
	/* Parameters as given, or NULL. Owned by this. */
	char *symptom;
	enum itp_interest_scope scope;
};

extern const struct itp_param_table itp_wait_param_table;

#endif
