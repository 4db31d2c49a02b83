/* SPDX-License-Identifier: MIT */
/*
 * The files of a database of stacks (common/mine/stack-base.h).
 */
#ifndef ITP_MINING_JOB_STACK_FILES_H
#define ITP_MINING_JOB_STACK_FILES_H

#include <glib.h>
#include <stdbool.h>

#include "common/mine/stack-base.h"

/* Adds the traces in the files (char *), of which the first need not exist yet. */
bool itp_stack_files_read(struct itp_stack_base *base, const GPtrArray *paths, GError **error);

/* Adds the traces of `base` to the file, and the file's, perhaps added by others in the meantime,
 * to `base`. The file is replaced as a whole or not at all; a second process waits. */
bool itp_stack_files_grow(struct itp_stack_base *base, const char *path, GError **error);

#endif
