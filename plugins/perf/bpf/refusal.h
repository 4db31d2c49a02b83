/* SPDX-License-Identifier: MIT */
/*
 * Refusals of the kernel to load or attach a program, as one sentence with a remedy.
 */
#ifndef ITP_PERF_BPF_REFUSAL_H
#define ITP_PERF_BPF_REFUSAL_H

#include <glib.h>
#include <stdbool.h>

/* Sets an error: `what` failed for `code`, an errno. Returns false. */
bool itp_bpf_refuse(GError **error, const char *what, int code);

/* Sets an error: loading, of which `what` failed for `code`, an errno, and without which `who`
 * ("guards") cannot work. Returns false. */
bool itp_bpf_refuse_load(GError **error, const char *who, const char *what, int code);

/* Keeps libbpf from writing messages of its own. */
void itp_bpf_be_silent(void);

#endif
