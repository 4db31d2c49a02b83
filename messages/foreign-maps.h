/* SPDX-License-Identifier: MIT */
/*
 * Saved /proc/PID/maps files, for traces without mappings of files.
 */
#ifndef ITP_MESSAGES_FOREIGN_MAPS_H
#define ITP_MESSAGES_FOREIGN_MAPS_H

#include "common/symbol/symbolizer.h"

struct itp_foreign_maps;

/* `names` are as in struct itp_foreign_options; may be NULL. NULL with `error` set when a file
 * cannot be read or has other contents. */
struct itp_foreign_maps *itp_foreign_maps_new(const GPtrArray *names, GError **error);
void itp_foreign_maps_free(struct itp_foreign_maps *maps);

/* Maps the code of process `pid` into *space. False without a file about it. */
bool itp_foreign_maps_apply(const struct itp_foreign_maps *maps, int32_t pid,
			    struct itp_symbolizer *symbolizer, struct itp_address_space **space);

#endif
