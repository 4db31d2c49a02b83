/* SPDX-License-Identifier: MIT */
/*
 * From perf's dictionaries to samples of the engine.
 *
 * Most samples of tracepoints have a single dictionary, with the event's fields; perf adds another
 * one, with everything else about the sample, on demand. Other events come with the second alone.
 */
#ifndef ITP_PERF_SCRIPT_FIELDS_H
#define ITP_PERF_SCRIPT_FIELDS_H

#include "plugins/perf/script/python.h"

#include "plugins/perf/script/engine.h"

struct itp_fields;

/* NULL with a Python exception set. */
struct itp_fields *itp_fields_new(void);
void itp_fields_free(struct itp_fields *fields);

/* Hands the sample of a tracepoint to the engine. `name` is "SYSTEM:NAME"; `sample` is None when
 * perf was not asked for it. False with `error` set when something is wrong with the recording,
 * with a Python exception for all else. */
bool itp_fields_push_tracepoint(struct itp_fields *fields, struct itp_engine *engine,
				PyObject *name, PyObject *event, PyObject *sample, GError **error);

/* Hands the sample of any other event to the engine, with `sample` alone. */
bool itp_fields_push_sample(struct itp_fields *fields, struct itp_engine *engine, PyObject *sample,
			    GError **error);

#endif
