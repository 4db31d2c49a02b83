/* SPDX-License-Identifier: MIT */
/*
 * Probes at the entries of functions, as events for perf (--count).
 *
 * Probes are defined in the kernel's tracefs, in a group of their own, so that recordings side by
 * side do not meet. However this process ends, they are removed: a process of their own waits for
 * its end.
 *
 * A user calls a function F, FILE:F or FILE+0xADDRESS. F is a name as results show it, of C++ and
 * Rust with or without the types of the parameters. FILE is the name of a file of the target, or a
 * path; the address is the file's own, as in the names of functions without a symbol. All that is
 * called so is meant.
 */
#ifndef ITP_PERF_RECORD_PROBES_H
#define ITP_PERF_RECORD_PROBES_H

#include "plugins/perf/record/target.h"

struct itp_probes;

/* Defines them at the entries of `functions` (NULL-terminated) of the target. */
struct itp_probes *itp_probes_new(char *const *functions, const struct itp_target *target,
				  GError **error);

/* "introperf_12_34:c0_main,introperf_12_34:c1_work" */
const char *itp_probes_events(const struct itp_probes *probes);

/* Removes them. */
void itp_probes_free(struct itp_probes *probes);

#endif
