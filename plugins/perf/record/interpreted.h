/* SPDX-License-Identifier: MIT */
/*
 * Interpreted functions as frames of stacks: each gets an address of its own, in a range that no
 * program maps, and a file beside the recording names what is there, as an ELF file with symbols.
 * So every reader of recordings has their names.
 *
 * A function is named as CPython itself names it for perf: py::Shop.price:/srv/shop.py.
 */
#ifndef ITP_PERF_RECORD_INTERPRETED_H
#define ITP_PERF_RECORD_INTERPRETED_H

#include <glib.h>
#include <linux/perf_event.h>

#include "plugins/perf/record/record-bpf.h"

struct itp_recorder_interpreted;

/* The file is FILE.names/[python] of the recording FILE, and is made when there is a function. */
struct itp_recorder_interpreted *itp_recorder_interpreted_new(const char *recording);
void itp_recorder_interpreted_free(struct itp_recorder_interpreted *interpreted);

/* Takes a function's code. Returns a record that maps the file into the process, to be put before
 * all that come later, with the first code of each process, else NULL. Weak, until the next
 * call. */
struct perf_event_header *itp_recorder_interpreted_add(struct itp_recorder_interpreted *interpreted,
						       const struct itp_record_code *code);

/* Address of the function with this code; 0 when unknown. */
uint64_t itp_recorder_interpreted_address(const struct itp_recorder_interpreted *interpreted,
					  int32_t pid, uint64_t code);

/* Writes the file. NULL without any function, or, with an error, when the file cannot be written;
 * else its path, to be freed with g_free(). */
char *itp_recorder_interpreted_write(const struct itp_recorder_interpreted *interpreted,
				     GError **error);

#endif
