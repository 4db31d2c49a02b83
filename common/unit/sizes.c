/* SPDX-License-Identifier: MIT */
/*
 * See sizes.h.
 */
#include "common/unit/sizes.h"

/* Exponent of the number of classes in an octave, 32: sizes of more than OCTAVE_BITS + 1 bits lose
 * their lowest ones. */
#define OCTAVE_BITS 5
#define OCTAVE (1u << OCTAVE_BITS)

guint itp_size_class(uint64_t bytes)
{
	const guint bits = g_bit_storage((gulong)bytes);
	const guint lost = bits > OCTAVE_BITS + 1 ? bits - OCTAVE_BITS - 1 : 0;

	/* 64 is the first size that loses a bit: 32 << 1, in the octave behind the 64 own
	 * classes. */
	return MIN((guint)(bytes >> lost) + lost * OCTAVE, ITP_SIZE_CLASSES - 1);
}

static uint64_t bytes_of(const struct itp_talk *talk)
{
	return talk->asked_bytes + talk->answered_bytes;
}

void itp_talk_add(struct itp_talk *talk, int32_t descriptor, uint64_t asked_bytes,
		  uint64_t answered_bytes)
{
	if (talk->descriptor != descriptor) {
		talk->descriptor = descriptor;
		talk->changes++;
		talk->bytes_before = bytes_of(talk);
	}
	talk->asked_bytes += asked_bytes;
	talk->answered_bytes += answered_bytes;
}

bool itp_talk_since(const struct itp_talk *before, const struct itp_talk *now,
		    struct itp_talk *ret_talk)
{
	const guint changes = now->changes - before->changes;

	*ret_talk = *now;
	if (now->asked_bytes < before->asked_bytes ||
	    now->answered_bytes < before->answered_bytes) {
		ret_talk->asked_bytes = ret_talk->answered_bytes = 0;
		return true;
	}
	ret_talk->asked_bytes -= before->asked_bytes;
	ret_talk->answered_bytes -= before->answered_bytes;
	/* A single change is the way to the only client, unless bytes were exchanged before. */
	return changes == 0 || (changes == 1 && now->bytes_before == bytes_of(before));
}
