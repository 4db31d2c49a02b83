/* SPDX-License-Identifier: MIT */
/*
 * The same samples through elfutils' own unwinder, for comparison: libdwfl with the sample's
 * registers, the copied stack as the only memory, and modules where they are mapped executable.
 */
#ifndef ITP_TESTS_UNWIND_LIBDWFL_H
#define ITP_TESTS_UNWIND_LIBDWFL_H

#include "tests/perf/unwind-recording.h"

struct reference_frame {
	uint64_t address;
	bool is_exact;
};

struct reference;

/* `recording` is weak. */
struct reference *reference_new(const struct recording *recording);
void reference_free(struct reference *reference);

/* Returns the number of frames. The thread is taken to stand `back` bytes before where it does. */
size_t reference_unwind(struct reference *reference, const struct recording_sample *sample,
			uint64_t back, struct reference_frame *frames, size_t max);

/* Whether the tables of the file that is mapped at `address` tell how to unwind there. */
bool reference_has_rule(struct reference *reference, const struct recording_sample *sample,
			uint64_t address);

#endif
