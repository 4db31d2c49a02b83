/* SPDX-License-Identifier: MIT */
/*
 * Saving of profiles: those in memory, behind those of traces in files, in a common graph.
 *
 *     traces in files ─▶ profiles in memory ─▶ sink.ctf.fs
 *
 * Made at the beginning, so that impossible savings are known before anything is read.
 */
#ifndef ITP_GRAPHS_SAVING_H
#define ITP_GRAPHS_SAVING_H

#include "common/engine/inputs.h"
#include "common/engine/interrupt.h"
#include "plugins/babeltrace/graphs/profiles-filter.h"

struct itp_saving;

/* Saves as `path`; `values` are the parameters by stage. All is weak, and needed only in this
 * call. */
struct itp_saving *itp_saving_new(const char *path, const struct itp_inputs *inputs,
				  GHashTable *const *values, GError **error);
void itp_saving_free(struct itp_saving *saving);

/* Saves `profiles` (struct itp_memory_profile). To be called once. False after an error, and after
 * an interrupt, without an error then. */
bool itp_saving_run(struct itp_saving *saving, const GArray *profiles,
		    struct itp_interrupt *interrupt, GError **error) G_GNUC_WARN_UNUSED_RESULT;

#endif
