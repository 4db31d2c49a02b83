/* SPDX-License-Identifier: MIT */
/*
 * A plain reader of dwarf recordings for the unwinder's comparison, independent of the perf.data
 * reader that users get: whole file in memory, little endian, not compressed, no pipe layout.
 *
 * Samples are handed out in time order, each with its process's executable mappings at that time.
 */
#ifndef ITP_TESTS_UNWIND_RECORDING_H
#define ITP_TESTS_UNWIND_RECORDING_H

#include "common/symbol/address-space.h"
#include "common/symbol/unwind.h"

/* One mapped file; completes the address space's opaque type. */
struct itp_module {
	/* Owned by this. */
	char *path;
	/* elf is NULL when the file cannot be read. Owned by this. */
	struct itp_elf_image image;
	/* NULL when there are no rules. Owned by this. */
	struct itp_cfi *cfi;
};

struct recording_sample {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	struct itp_unwind_input input;
	/* Weak. */
	struct itp_address_space *space;
	/* uint64_t: wherever a mapping began so far, in any process. Weak. */
	const GArray *starts;
};

/* Called with every sample that has user registers. */
typedef void recording_visit(void *data, const struct recording_sample *sample);

struct recording;

/* Prints what is wrong and exits. */
struct recording *recording_open(const char *path);
void recording_close(struct recording *recording);

/* May be called again; modules stay open. */
void recording_walk(struct recording *recording, recording_visit *visit, void *data);

/* An itp_unwind_resolve; `data` is the sample's address space. */
bool recording_resolve(void *data, uint64_t address, struct itp_unwind_place *ret_place);

#endif
