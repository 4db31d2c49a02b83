/* SPDX-License-Identifier: MIT */
/*
 * Interpreted functions as frames of stacks. Each has an address, in a range mapped by no program.
 * An ELF file beside the recording has their names as symbols, for every reader of recordings.
 * Places of frames are left to interpreters.h, the frames of a stack to stacks.h.
 *
 * A function is named as CPython itself names functions for perf: py::Shop.price:/srv/shop.py.
 */
#ifndef ITP_PERF_RECORD_INTERPRETED_H
#define ITP_PERF_RECORD_INTERPRETED_H

#include <glib.h>
#include <linux/perf_event.h>

#include "plugins/perf/record/record-bpf.h"

struct itp_recorder_interpreted;

/* `recording` is the path FILE of the recording; names go to FILE.names/[python], if there are any.
 */
struct itp_recorder_interpreted *itp_recorder_interpreted_new(const char *recording);
void itp_recorder_interpreted_free(struct itp_recorder_interpreted *interpreted);

/* Takes a function's code. With the first code of each process, returns a record that maps the file
 * into the process, to be put before all later records; else NULL. Weak, valid until the next call.
 */
struct perf_event_header *itp_recorder_interpreted_add(struct itp_recorder_interpreted *interpreted,
						       const struct itp_record_code *code);

/* Address of the function with `code` in process `pid`; 0 when unknown. */
uint64_t itp_recorder_interpreted_address(const struct itp_recorder_interpreted *interpreted,
					  int32_t pid, uint64_t code);

/* Writes the file. Returns its path, owned by the caller; NULL without any function, or with an
 * error when the file cannot be written. */
char *itp_recorder_interpreted_write(const struct itp_recorder_interpreted *interpreted,
				     GError **error);

#endif
