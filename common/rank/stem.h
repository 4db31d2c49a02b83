/* SPDX-License-Identifier: MIT */
/*
 * Names of programs and modules without what differs between their builds and copies.
 */
#ifndef ITP_RANK_STEM_H
#define ITP_RANK_STEM_H

#include <glib.h>

/* What is taken off. Free with g_regex_unref(). */
GRegex *itp_stem_additions(void);

/* `job-1.7`, `job_2.0rc1`, `job.old`, `job14` and `job-4f2a91c` are `job`, `libjob-2.so.1.4` is
 * `libjob.so`. A name of which nothing would be left stays. The caller frees it with g_free(). */
char *itp_stem(const GRegex *additions, const char *name);

#endif
