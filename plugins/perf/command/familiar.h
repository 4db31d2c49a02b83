/* SPDX-License-Identifier: MIT */
/*
 * Options known to users of perf: of its report, diff, top, record and annotate. Options with the
 * same meaning here are accepted; for the others a replacement is named. Options of perf record
 * that are ours, too, are in record-options.c.
 */
#ifndef ITP_PERF_COMMAND_FAMILIAR_H
#define ITP_PERF_COMMAND_FAMILIAR_H

#include "plugins/perf/command/options.h"

/* Adds a command's options to a group whose user data is a struct itp_options. */
void itp_familiar_add_entries(GOptionGroup *group, enum itp_perf_command command);

/* Turns values into parameters, after parsing. */
bool itp_familiar_apply(const struct itp_options *options, GError **error);

#endif
