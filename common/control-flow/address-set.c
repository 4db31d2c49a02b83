/* SPDX-License-Identifier: MIT */
/*
 * See address-set.h.
 */
#include "common/control-flow/address-set.h"

#define WORD_BITS 64
/* Words come in chunks, each for 2^16 addresses. */
#define CHUNK_WORDS 1024

struct itp_address_set {
	struct itp_flow_range range;
	/* Chunks of bits; NULL where no address was added. Owned by this. */
	uint64_t **chunks;
	/* Number of chunks present. */
	size_t used_chunks;
};

static size_t chunk_count(const struct itp_address_set *set)
{
	return (size_t)((set->range.end - set->range.start) / (WORD_BITS * CHUNK_WORDS)) + 1;
}

struct itp_address_set *itp_address_set_new(struct itp_flow_range range)
{
	struct itp_address_set *set = g_new0(struct itp_address_set, 1);

	set->range = range;
	set->chunks = g_new0(uint64_t *, chunk_count(set));
	return set;
}

void itp_address_set_free(struct itp_address_set *set)
{
	if (!set) {
		return;
	}
	for (size_t i = 0; i < chunk_count(set); i++) {
		g_free(set->chunks[i]);
	}
	g_free(set->chunks);
	g_free(set);
}

static bool is_inside(const struct itp_address_set *set, uint64_t address)
{
	return address >= set->range.start && address < set->range.end;
}

/* For 64 addresses. */
static uint64_t word(const struct itp_address_set *set, uint64_t i)
{
	const uint64_t *chunk = set->chunks[i / CHUNK_WORDS];

	return chunk ? chunk[i % CHUNK_WORDS] : 0;
}

void itp_address_set_add(struct itp_address_set *set, uint64_t address)
{
	uint64_t bit = address - set->range.start;
	uint64_t i = bit / WORD_BITS;
	uint64_t **chunk;

	if (!is_inside(set, address)) {
		return;
	}
	chunk = &set->chunks[i / CHUNK_WORDS];
	if (!*chunk) {
		*chunk = g_new0(uint64_t, CHUNK_WORDS);
		set->used_chunks++;
	}
	(*chunk)[i % CHUNK_WORDS] |= UINT64_C(1) << (bit % WORD_BITS);
}

bool itp_address_set_has(const struct itp_address_set *set, uint64_t address)
{
	uint64_t bit = address - set->range.start;

	return is_inside(set, address) && (word(set, bit / WORD_BITS) >> (bit % WORD_BITS) & 1);
}

bool itp_address_set_has_any(const struct itp_address_set *set, struct itp_flow_range range)
{
	/* Both ends belong to the range asked for. */
	uint64_t first = MAX(range.start, set->range.start) - set->range.start;
	uint64_t last = MIN(range.end, set->range.end) - set->range.start - 1;
	uint64_t mask = UINT64_MAX << (first % WORD_BITS);

	if (range.start >= set->range.end || range.end <= set->range.start ||
	    range.start >= range.end) {
		return false;
	}
	for (uint64_t i = first / WORD_BITS; i < last / WORD_BITS; i++) {
		if (word(set, i) & mask) {
			return true;
		}
		mask = UINT64_MAX;
	}
	return word(set, last / WORD_BITS) & mask &
	       UINT64_MAX >> (WORD_BITS - 1 - last % WORD_BITS);
}

size_t itp_address_set_bytes(const struct itp_address_set *set)
{
	return chunk_count(set) * sizeof(*set->chunks) +
	       set->used_chunks * CHUNK_WORDS * sizeof(uint64_t);
}
