/* SPDX-License-Identifier: MIT */
/*
 * Who records into a file.
 *
 * perf moves a file that is in its way aside, even one that another perf is writing: two recordings
 * into one file would both end with what the second one wrote. So whoever records claims the file's
 * name first. The claim is a socket without a file, named after the directory and the name, which
 * the kernel takes back when its process ends, however it ends. Other network namespaces, as in a
 * container, have claims of their own. Any user of the machine can take the name of a claim, and
 * keep others from recording into that file; they name another one.
 */
#ifndef ITP_PERF_COMMAND_CLAIM_H
#define ITP_PERF_COMMAND_CLAIM_H

#include <glib.h>
#include <stdbool.h>

/* Claims `path` until `*ret_claim` is closed; -1 when there is nothing to claim, as the path is
 * that of no regular file or its directory is not there. False when another process has claimed it.
 */
bool itp_claim(const char *path, int *ret_claim, GError **error);

#endif
