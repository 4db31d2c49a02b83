/* SPDX-License-Identifier: MIT */
/*
 * Where results go: a file, which is replaced as a whole or not at all, or standard output.
 */
#ifndef ITP_SINKS_RANK_WRITE_H
#define ITP_SINKS_RANK_WRITE_H

#include <glib.h>
#include <stdbool.h>

/* Says early whether `path` could be written to, without touching it. */
bool itp_write_check(const char *path, GError **error);

/* `path` NULL = standard output. */
bool itp_write(const char *path, const GString *text, GError **error);

#endif
