/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "compress": finds repetitions in text, and unpacks it again.
 */
#include "slower.h"

#include <string.h>

#define PLAIN 40960
#define PLAIN_MOST ROOM(PLAIN)
#define WORDS 512
#define PLAIN_BLOCK 2048
#define POSITIONS 1024
#define CHAIN 8
#define MATCH_LEAST 4
#define MATCH_MOST 255
#define SECTIONS 64

static char words[WORDS][8];
static unsigned char plain[PLAIN_MOST + 4];
static unsigned char unpacked[PLAIN + MATCH_MOST];

/* A distance of 0 is for a literal. */
static struct token {
	uint16_t distance;
	uint8_t length;
	uint8_t literal;
} tokens[PLAIN_MOST];

/* Positions are counted from 1, 0 is for none. */
static uint32_t latest[POSITIONS];
static uint32_t earlier[PLAIN_MOST];

static void prepare_compress(void)
{
	for (unsigned int i = 0; i < WORDS; i++) {
		unsigned int length = 2 + next() % 6;

		for (unsigned int k = 0; k < length; k++) {
			words[i][k] = (k + i) % 2 ? "aeiou"[next() % 5] :
						    "bcdflmnprst"[next() % 11];
		}
	}
}

NOINLINE static void make_plain(void)
{
	for (unsigned int at = 0; at < PLAIN_MOST;) {
		unsigned int choice = next() % WORDS;
		const char *word = words[choice * (next() % WORDS) / WORDS];

		while (*word && at < PLAIN_MOST) {
			plain[at++] = (unsigned char)*word++;
		}
		if (at < PLAIN_MOST) {
			plain[at++] = next() % 12 ? ' ' : '\n';
		}
	}
	done();
}

static uint32_t *latest_like(uint32_t at)
{
	uint32_t bytes = plain[at] | (uint32_t)plain[at + 1] << 8 | (uint32_t)plain[at + 2] << 16;

	return &latest[bytes * 2654435761U >> 22];
}

static unsigned int find_match(uint32_t at, uint32_t end, uint32_t *distance)
{
	uint32_t candidate = *latest_like(at);
	unsigned int longest = 0;

	for (unsigned int i = 0; i < CHAIN && candidate > 0; i++) {
		const unsigned char *old = plain + candidate - 1;
		unsigned int length = 0;

		while (at + length < end && length < MATCH_MOST &&
		       old[length] == plain[at + length]) {
			length++;
		}
		if (length > longest) {
			longest = length;
			*distance = at + 1 - candidate;
		}
		candidate = earlier[candidate - 1];
	}
	return longest;
}

static struct token *compress_block(uint32_t at, uint32_t end, struct token *token)
{
	memset(latest, 0, sizeof(latest));
	for (; at < end; token++) {
		uint32_t distance = 0;
		unsigned int length = find_match(at, end, &distance);

		if (length < MATCH_LEAST) {
			length = 1;
			distance = 0;
		}
		token->distance = (uint16_t)distance;
		token->length = (uint8_t)length;
		token->literal = plain[at];
		for (; length > 0; length--, at++) {
			uint32_t *like = latest_like(at);

			earlier[at] = *like;
			*like = at + 1;
		}
	}
	return token;
}

/* Blocks that know nothing of each other, so that each takes as long. */
NOINLINE static void work_compress(void)
{
	uint32_t end = more(PLAIN);
	struct token *token = tokens;

	for (uint32_t at = 0; at < end; at += PLAIN_BLOCK) {
		uint32_t left = end - at;

		token = compress_block(at, at + (left < PLAIN_BLOCK ? left : PLAIN_BLOCK), token);
	}
	sink += (uint64_t)(token - tokens);
	done();
}

NOINLINE static void unpack(void)
{
	const struct token *token = tokens;

	for (unsigned int at = 0; at < PLAIN; token++) {
		if (token->distance == 0) {
			unpacked[at++] = token->literal;
			continue;
		}
		for (unsigned int i = 0; i < token->length; i++, at++) {
			unpacked[at] = unpacked[at - token->distance];
		}
	}
	check(memcmp(plain, unpacked, PLAIN) == 0);
	done();
}

/* Checksum as of Adler, by which a reader knows damaged text. */
NOINLINE static void sum_bytes(void)
{
	uint32_t low = 1;
	uint32_t high = 0;

	for (unsigned int i = 0; i < PLAIN; i++) {
		low = (low + unpacked[i]) % 65521;
		high = (high + low) % 65521;
	}
	sink += high << 16 | low;
	done();
}

/* The bits that a Huffman code needs for each section of the text. */
NOINLINE static void measure_codes(void)
{
	for (unsigned int section = 0; section < SECTIONS; section++) {
		const unsigned char *bytes = unpacked + section * (PLAIN / SECTIONS);
		uint32_t counts[256] = { 0 };
		uint64_t bits = 0;

		for (unsigned int i = 0; i < PLAIN / SECTIONS; i++) {
			counts[bytes[i]]++;
		}
		for (;;) {
			int least = -1;
			int second = -1;

			for (int i = 0; i < 256; i++) {
				if (counts[i] > 0 && (least < 0 || counts[i] < counts[least])) {
					second = least;
					least = i;
				} else if (counts[i] > 0 &&
					   (second < 0 || counts[i] < counts[second])) {
					second = i;
				}
			}
			if (second < 0) {
				break;
			}
			counts[least] += counts[second];
			counts[second] = 0;
			bits += counts[least];
		}
		sink += bits;
	}
	done();
}

static void handle_compress(unsigned int round)
{
	make_plain();
	answer();
	unpack();
	sum_bytes();
	look_up_if_due(round);
	measure_codes();
	done();
}

const struct program compress_program = {
	.name = "compress",
	.rounds = 720,
	.wait = WAIT_SLEEP,
	.prepare = prepare_compress,
	.handle = handle_compress,
	.work = work_compress,
};
