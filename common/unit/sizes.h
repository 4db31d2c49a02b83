/* SPDX-License-Identifier: MIT */
/*
 * How much clients send and get, and classes of that, which tell kinds of requests apart.
 *
 * Sizes are bytes. Up to 63 each size is a class of its own, from there on classes are a 32nd of an
 * octave wide, as those of latencies are (common/infer/latencies.h): 70 and 71 bytes are as good as
 * equal, 70 and 80 bytes are not.
 */
#ifndef ITP_UNIT_SIZES_H
#define ITP_UNIT_SIZES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* What a thread has read of clients, and written to them, in bytes, since it was first seen; 0
 * where results of system calls were not recorded. */
struct itp_talk {
	uint64_t asked_bytes;
	uint64_t answered_bytes;
	/* The descriptor of the latest client, how often that was another one than before, and all
	 * bytes until then. */
	int32_t descriptor;
	guint changes;
	uint64_t bytes_before;
};

/* A call on a client's descriptor has read or written so many bytes; one of both is 0. */
void itp_talk_add(struct itp_talk *talk, int32_t descriptor, uint64_t asked_bytes,
		  uint64_t answered_bytes);

/* What was added to `before` until it was `now`, which is nothing where that is earlier: a unit may
 * turn out to have ended before its thread has talked for the last time. False where it was said to
 * several clients, or by several. */
bool itp_talk_since(const struct itp_talk *before, const struct itp_talk *now,
		    struct itp_talk *ret_talk);

/* Of up to 2^40 bytes; what is more is in the last class. */
#define ITP_SIZE_CLASSES (64 + 34 * 32)
/* Nothing is known of the size. */
#define ITP_SIZE_UNKNOWN ITP_SIZE_CLASSES

guint itp_size_class(uint64_t bytes);

#endif
