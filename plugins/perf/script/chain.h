/* SPDX-License-Identifier: MIT */
/*
 * From perf's frames to a chain of addresses as the kernel would have recorded it: with markers,
 * without inlined functions, with return addresses.
 */
#ifndef ITP_PERF_SCRIPT_CHAIN_H
#define ITP_PERF_SCRIPT_CHAIN_H

#include <glib.h>

#include "plugins/perf/script/sample.h"

struct itp_script_chain {
	/* uint64_t, leaf first, with markers. Owned by this. */
	GArray *entries;
	/* size_t: frame of the sample for each of the user's entries, which are the last ones.
	 * Owned by this. */
	GArray *frames;
};

void itp_script_chain_init(struct itp_script_chain *chain);
void itp_script_chain_release(struct itp_script_chain *chain);

/* Takes the frames of `sample`, whose user's part perf unwound or not. */
void itp_script_chain_take(struct itp_script_chain *chain, const struct itp_script_sample *sample,
			   bool is_unwound);

/* User's entries, as many as frames. */
const uint64_t *itp_script_chain_user(const struct itp_script_chain *chain);

/* perf's knowledge of the frame `i` of `sample`. */
struct itp_script_frame itp_script_frame(const struct itp_script_sample *sample, size_t i);

bool itp_script_is_kernel(uint64_t ip);

#endif
