/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "life": two threads that meet at a barrier.
 */
#include "slower.h"

#include <pthread.h>
#include <string.h>

#define COLUMNS 256
#define HALF 100
#define ROWS (2 * HALF)
#define STIRRED 20000

static uint8_t fields[2][ROWS][COLUMNS];
static unsigned int generation;
static pthread_barrier_t barrier;
static pthread_t helper;
static __thread unsigned int first_row;
static char shown[ROWS * (COLUMNS + 1)];
static uint32_t waiting_cells[ROWS * COLUMNS];
static bool is_counted[ROWS * COLUMNS];

NOINLINE static void work_life(void)
{
	uint64_t living = 0;

	for (unsigned int i = 0; i < more(HALF); i++) {
		unsigned int y = first_row + i % HALF;
		const uint8_t *above = fields[generation % 2][(y + ROWS - 1) % ROWS];
		const uint8_t *here = fields[generation % 2][y];
		const uint8_t *below = fields[generation % 2][(y + 1) % ROWS];
		uint8_t *to = fields[(generation + 1) % 2][y];

		for (unsigned int x = 0; x < COLUMNS; x++) {
			unsigned int left = (x + COLUMNS - 1) % COLUMNS;
			unsigned int right = (x + 1) % COLUMNS;
			unsigned int count = above[left] + above[x] + above[right] + here[left] +
					     here[right] + below[left] + below[x] + below[right];

			to[x] = count == 3 || (count == 2 && here[x]);
			living += to[x];
		}
	}
	/* Both threads at once. */
	__atomic_fetch_add(&sink, living, __ATOMIC_RELAXED);
	done();
}

static void *help(void *unused)
{
	(void)unused;
	first_row = HALF;
	for (unsigned int i = 0; i < program->rounds; i++) {
		pthread_barrier_wait(&barrier);
		answer();
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void prepare_life(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	check(pthread_create(&helper, NULL, help, NULL) == 0);
}

NOINLINE static void stir(void)
{
	for (unsigned int i = 0; i < STIRRED; i++) {
		uint32_t place = next();

		fields[generation % 2][place % ROWS][(place >> 8) % COLUMNS] ^= place % 7 == 0;
	}
	done();
}

/* Runs of cells that are dead (b) or alive (o). */
NOINLINE static void show(void)
{
	char *to = shown;

	for (unsigned int y = 0; y < ROWS; y++) {
		const uint8_t *row = fields[generation % 2][y];
		unsigned int first = 0;

		for (unsigned int x = 1; x <= COLUMNS; x++) {
			if (x < COLUMNS && row[x] == row[first]) {
				continue;
			}
			if (x - first > 1) {
				to = put_number(to, x - first);
			}
			*to++ = row[first] ? 'o' : 'b';
			first = x;
		}
		*to++ = '$';
	}
	sink += (uint64_t)(to - shown);
	done();
}

/* The groups of cells that touch each other, in one half and from there. */
NOINLINE static void count_groups(void)
{
	const uint8_t *cells = fields[generation % 2][0];
	uint32_t first = generation / 2 % 2 * HALF * COLUMNS;
	uint64_t groups = 0;

	memset(is_counted, false, sizeof(is_counted));
	for (uint32_t i = first; i < first + HALF * COLUMNS; i++) {
		uint32_t waiting = 0;

		if (!cells[i] || is_counted[i]) {
			continue;
		}
		groups++;
		is_counted[i] = true;
		waiting_cells[waiting++] = i;
		while (waiting > 0) {
			static const int steps[] = { -COLUMNS, -1, 1, COLUMNS };
			uint32_t at = waiting_cells[--waiting];

			for (unsigned int k = 0; k < 4; k++) {
				uint32_t to = (at + (uint32_t)steps[k] + ROWS * COLUMNS) %
					      (ROWS * COLUMNS);

				if (cells[to] && !is_counted[to]) {
					is_counted[to] = true;
					waiting_cells[waiting++] = to;
				}
			}
		}
	}
	sink += groups;
	done();
}

static void handle_life(unsigned int round)
{
	stir();
	pthread_barrier_wait(&barrier);
	answer();
	pthread_barrier_wait(&barrier);
	generation++;
	look_up_if_due(round);
	show();
	count_groups();
	if (round + 1 == program->rounds) {
		pthread_join(helper, NULL);
	}
	done();
}

const struct program life_program = {
	.name = "life",
	.rounds = 1400,
	.wait = WAIT_CONDITION,
	.prepare = prepare_life,
	.handle = handle_life,
	.work = work_life,
};
