/* SPDX-License-Identifier: MIT */
/*
 * The arguments of `perf script --dlarg NAME=VALUE`: the parameters of the Babeltrace components
 * under their names, all in one list.
 *
 * Values are written as after `babeltrace2 --params`, but a text needs no quotes unless it looks
 * like a number or a boolean. A name that is given several times is an array.
 */
#ifndef ITP_PERF_DLFILTER_DLARGS_H
#define ITP_PERF_DLFILTER_DLARGS_H

#include "common/engine/inputs.h"
#include "common/engine/stages.h"

struct itp_dlargs {
	struct itp_reading_params params;
	/* By stage; owned by this. */
	GHashTable *values[ITP_STAGE_COUNT];
	/* Name of the workload; never NULL. Owned by this. */
	char *name;
	/* Paths of the base's recordings, or NULL. Owned by this. */
	GPtrArray *base;
	struct itp_inputs inputs;
	/* Path of the profile to save instead of a ranking, or NULL. Owned by this. */
	char *save;
};

/* Parses arguments; also after an error, release them. */
bool itp_dlargs_init(struct itp_dlargs *dlargs, char *const *texts, int count, GError **error);
void itp_dlargs_release(struct itp_dlargs *dlargs);

#endif
