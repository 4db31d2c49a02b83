/* SPDX-License-Identifier: MIT */
/*
 * Claim of a file to record into.
 *
 * perf moves a file in its way aside, even one that another perf is writing: two recordings into a
 * file would both end with the second one's output. A recording process therefore claims the file's
 * name first. The claim is a socket without a file, named after the directory and the name, and
 * taken back by the kernel when its process ends, however it ends. Other network namespaces, as in
 * a container, have claims of their own. Any user of the machine can take the name of a claim, and
 * keep others from recording into the file; they name another.
 */
#ifndef ITP_PERF_RECORD_CLAIM_H
#define ITP_PERF_RECORD_CLAIM_H

#include <glib.h>
#include <stdbool.h>

/* Claims `path` until `*ret_claim` is closed; -1 when there is nothing to claim, as for a path of
 * no regular file or in no directory. False when another process has claimed it. */
bool itp_claim(const char *path, int *ret_claim, GError **error);

#endif
