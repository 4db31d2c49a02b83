/* SPDX-License-Identifier: MIT */
/*
 * The files of a database of stacks (common/mine/stack-base.h).
 */
#ifndef ITP_SINKS_MINE_STACKS_H
#define ITP_SINKS_MINE_STACKS_H

#include <glib.h>
#include <stdbool.h>

#include "common/mine/stack-base.h"

/* Adds what the files (char *) hold, of which the first need not be there yet. */
bool itp_mine_stacks_read(struct itp_stack_base *base, const GPtrArray *paths, GError **error);

/* Makes the file hold the traces of `base` as well, which gets those that others have added to it
 * in the meantime. The file is replaced as a whole or not at all; who else does this waits. */
bool itp_mine_stacks_grow(struct itp_stack_base *base, const char *path, GError **error);

#endif
