/* SPDX-License-Identifier: MIT */
/*
 * CPython in a process: known versions, recognized by the mapped file, and addresses and offsets of
 * their structures. Reading frames is left to record-interpreted.h.
 */
#ifndef ITP_PERF_RECORD_INTERPRETERS_H
#define ITP_PERF_RECORD_INTERPRETERS_H

#include <stdbool.h>

#include "plugins/perf/record/record-bpf.h"

struct itp_mapping;

/* Finds the interpreter in a mapped file. False for a file without any, and for an unknown version.
 */
bool itp_recorder_interpreter_find(const struct itp_mapping *mapping,
				   struct itp_record_interpreter *ret_interpreter);

#endif
