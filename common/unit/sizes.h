/* SPDX-License-Identifier: MIT */
/*
 * Bytes that clients send and get, and classes of sizes, which tell kinds of requests apart.
 *
 * Up to 63 bytes each size is a class of its own; beyond, classes are a 32nd of an octave wide, as
 * classes of latencies are (common/infer/latencies.h): 70 and 71 bytes are as good as equal, 70 and
 * 80 bytes are not.
 */
#ifndef ITP_UNIT_SIZES_H
#define ITP_UNIT_SIZES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes read of clients and written to them by a thread since it was first seen; 0 without recorded
 * results of system calls. */
struct itp_talk {
	uint64_t asked_bytes;
	uint64_t answered_bytes;
	/* Descriptor of the latest client, number of changes of the client, and sum of all bytes
	 * until the last change. */
	int32_t descriptor;
	guint changes;
	uint64_t bytes_before;
};

/* A call on a client's descriptor has read or written bytes; either number is 0. */
void itp_talk_add(struct itp_talk *talk, int32_t descriptor, uint64_t asked_bytes,
		  uint64_t answered_bytes);

/* Bytes from the state `before` to `now`; 0 when `now` is earlier: a unit may turn out to have
 * ended before its thread's last exchange. False when several clients took part. */
bool itp_talk_since(const struct itp_talk *before, const struct itp_talk *now,
		    struct itp_talk *ret_talk);

/* Classes of up to 2^40 bytes; larger sizes are in the last class. */
#define ITP_SIZE_CLASSES (64 + 34 * 32)
/* Class of an unknown size. */
#define ITP_SIZE_UNKNOWN ITP_SIZE_CLASSES

guint itp_size_class(uint64_t bytes);

#endif
