/* SPDX-License-Identifier: MIT */
/*
 * Why the kernel does not load a program, or lets nobody attach it: in one sentence, with what to
 * do about it.
 */
#ifndef ITP_PERF_BPF_REFUSAL_H
#define ITP_PERF_BPF_REFUSAL_H

#include <glib.h>
#include <stdbool.h>

/* `what` failed for `code`, an errno. Returns false, as the next one. */
bool itp_bpf_refuse(GError **error, const char *what, int code);

/* Loading failed for `code`, without which "guards", say, cannot be. `what` as above. */
bool itp_bpf_refuse_load(GError **error, const char *who, const char *what, int code);

/* libbpf says nothing by itself. */
void itp_bpf_be_silent(void);

#endif
