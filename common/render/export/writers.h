/* SPDX-License-Identifier: MIT */
/*
 * Writers behind itp_export(), one in each file. Results as of itp_export().
 */
#ifndef ITP_RENDER_EXPORT_WRITERS_H
#define ITP_RENDER_EXPORT_WRITERS_H

#include <stdio.h>

#include "common/render/export/input.h"

/* "main;serve;read 1200": own latency of each context with any, in nanoseconds. */
int itp_export_folded(const struct itp_export_input *input, FILE *stream);
/* With two values, of base and suspect. */
int itp_export_folded2(const struct itp_export_input *input, FILE *stream);
/* A picture, against a base too. */
int itp_export_flame(const struct itp_export_input *input, FILE *stream);
int itp_export_speedscope(const struct itp_export_input *input, FILE *stream);
int itp_export_pprof(const struct itp_export_input *input, FILE *stream);
int itp_export_callgrind(const struct itp_export_input *input, FILE *stream);
int itp_export_firefox(const struct itp_export_input *input, FILE *stream);
int itp_export_chrome(const struct itp_export_input *input, FILE *stream);

/* Own latency of a context, at least 0. `profile` may be NULL. */
static inline int64_t itp_export_own_ns(const struct itp_profile *profile, uint32_t node)
{
	return profile ? MAX(itp_profile_peek(profile, node)->own_ns, 0) : 0;
}

#endif
