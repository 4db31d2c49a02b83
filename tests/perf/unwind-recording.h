/* SPDX-License-Identifier: MIT */
/*
 * The samples of a dwarf recording as the perf.data reader sees them, before they become stacks:
 * to be unwound in different ways, as often as need be.
 *
 * Each has its process's executable mappings at that time.
 */
#ifndef ITP_TESTS_UNWIND_RECORDING_H
#define ITP_TESTS_UNWIND_RECORDING_H

#include "common/perf-data/translator.h"

struct recording_sample {
	int32_t tid;
	uint64_t time;
	/* Weak. */
	const struct itp_perf_attr *attr;
	/* Registers and stack are owned by this. */
	struct itp_user_state user;
	/* Owned by this (a reference). */
	struct itp_address_space *space;
};

struct recording {
	struct itp_perf_file file;
	struct itp_translator translator;
	/* Owned by this. */
	struct itp_function_table *functions;
	/* struct recording_sample, in time order: those that have user registers. */
	GArray *samples;
	/* uint64_t: wherever a mapping begins, in any process. */
	GArray *starts;
};

/* Prints what is wrong and exits. All pointers into *recording stay valid until it is closed. */
void recording_open(struct recording *recording, const char *path);
void recording_close(struct recording *recording);

const struct recording_sample *recording_sample(const struct recording *recording, guint i);

/* Where `address` lies in the file of its module, NULL when nothing is mapped there. */
const char *recording_place(const struct recording_sample *sample, uint64_t address,
			    uint64_t *ret_offset);

#endif
