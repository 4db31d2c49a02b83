/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "align": short parts of a genome with those of a mutated one.
 */
#include "slower.h"

#include <string.h>

#define GENOME 262144
#define READS 100
#define READ 62
#define WORD_BASES 8

static unsigned char genome[GENOME];
static unsigned char mutated[GENOME];
static uint32_t word_counts[1U << 2 * WORD_BASES];
static uint8_t directions[READ + 1][READ + 1];

static void prepare_align(void)
{
	for (unsigned int i = 0; i < GENOME; i++) {
		genome[i] = (unsigned char)(next() % 4);
	}
}

/* The mutated genome is a copy with one base in ten that is other, missing or new. */
NOINLINE static void mutate(void)
{
	unsigned int from = 0;

	for (unsigned int to = 0; to < GENOME; to++) {
		uint32_t choice = next() % 40;

		if (choice == 0 && from + 1 < GENOME) {
			from++;
		}
		mutated[to] = choice > 3 ? genome[from] : (unsigned char)(choice & 3);
		if (choice != 1 && from + 1 < GENOME) {
			from++;
		}
	}
	done();
}

NOINLINE static void count_words(void)
{
	uint32_t word = 0;
	uint32_t most = 0;

	memset(word_counts, 0, sizeof(word_counts));
	for (unsigned int i = 0; i < GENOME; i++) {
		uint32_t count;

		word = (word << 2 | mutated[i]) & ((1U << 2 * WORD_BASES) - 1);
		count = ++word_counts[word];
		most = count > most ? count : most;
	}
	sink += most;
	done();
}

/* The other strand, with some bases of the mutated one. */
NOINLINE static void complement(void)
{
	static const unsigned char others[] = { 3, 2, 1, 0 };
	unsigned int last = GENOME - 1;

	for (unsigned int i = 0; i < last; i++, last--) {
		unsigned char base = genome[i];

		genome[i] = others[i % 7 ? genome[last] : mutated[i]];
		genome[last] = others[last % 5 ? base : mutated[last]];
	}
	done();
}

static uint64_t trace_back(void)
{
	unsigned int i = READ;
	unsigned int k = READ;
	uint64_t gaps = 0;

	while (i > 0 && k > 0) {
		uint8_t direction = directions[i][k];

		i -= direction != 2;
		k -= direction != 1;
		gaps += direction > 0;
	}
	return gaps + i + k;
}

static uint32_t align_read(const unsigned char *left, const unsigned char *right)
{
	static uint32_t costs[2][READ + 1];

	for (uint32_t k = 0; k <= READ; k++) {
		costs[0][k] = k;
	}
	for (uint32_t i = 1; i <= READ; i++) {
		const uint32_t *above = costs[(i - 1) % 2];
		uint32_t *row = costs[i % 2];

		row[0] = i;
		for (uint32_t k = 1; k <= READ; k++) {
			uint32_t cost = above[k - 1] + (left[i - 1] != right[k - 1]);
			uint8_t direction = 0;

			if (above[k] + 1 < cost) {
				cost = above[k] + 1;
				direction = 1;
			}
			if (row[k - 1] + 1 < cost) {
				cost = row[k - 1] + 1;
				direction = 2;
			}
			row[k] = cost;
			directions[i][k] = direction;
		}
	}
	return costs[READ % 2][READ];
}

NOINLINE static void work_align(void)
{
	for (unsigned int i = 0; i < more(READS); i++) {
		unsigned int place = i % READS * (GENOME / READS);

		sink += align_read(genome + place, mutated + place) + trace_back();
	}
	done();
}

static void handle_align(unsigned int round)
{
	mutate();
	count_words();
	answer();
	complement();
	look_up_if_due(round);
	done();
}

const struct program align_program = {
	.name = "align",
	.rounds = 300,
	.wait = WAIT_SELECT,
	.prepare = prepare_align,
	.handle = handle_align,
	.work = work_align,
};
