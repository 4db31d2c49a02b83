/* SPDX-License-Identifier: MIT */
/*
 * The script engine without Python: samples as perf hands them to a script, into the analysis.
 *
 * A script is given stacks unwound by perf, with perf's knowledge of each frame, but without the
 * place of a file in memory; functions get their names from the files, as everywhere in introperf.
 */
#ifndef ITP_PERF_SCRIPT_ENGINE_H
#define ITP_PERF_SCRIPT_ENGINE_H

#include <glib.h>

#include "plugins/perf/script/sample.h"

struct itp_engine;

/* `texts` are as for itp_dlargs_init(). */
struct itp_engine *itp_engine_new(char *const *texts, int count, GError **error);
void itp_engine_free(struct itp_engine *engine);

/* Index of the event `name`, "SYSTEM:NAME" for a tracepoint; -1 when it is not known. */
int itp_engine_find_event(const struct itp_engine *engine, const char *name);
/* Adds an event. `attr` is its struct perf_event_attr; where perf does not tell it, the event is a
 * tracepoint like the known ones. Returns its index, or -1 on an error. */
int itp_engine_add_event(struct itp_engine *engine, const char *name, const struct itp_bytes *attr,
			 GError **error);
/* Places of the tracepoint's fields expected in `raw`. */
const struct itp_tracepoint *itp_engine_tracepoint(const struct itp_engine *engine, uint32_t event);

bool itp_engine_push(struct itp_engine *engine, const struct itp_script_sample *sample,
		     GError **error);

/* True when the next sample may be of a thread whose process only perf can tell. */
bool itp_engine_wants_pid(const struct itp_engine *engine);

/* A thread leaves the CPU, or is on one again. */
bool itp_engine_switch(struct itp_engine *engine, uint64_t time_ns, int32_t pid, int32_t tid,
		       int32_t cpu, bool is_out, bool is_preempted, GError **error);

/* Writes the result. `is_cut`: not all was read. *ret_is_whole: it is of all, neither cut nor
 * interrupted. */
bool itp_engine_finish(struct itp_engine *engine, bool is_cut, bool *ret_is_whole, GError **error);

#endif
