/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "image": draws, blurs, spreads the contrast, looks for edges, and
 * shrinks.
 */
#include "slower.h"

#define WIDTH 320
#define HEIGHT 200

static uint8_t drawn[HEIGHT][WIDTH];
static uint8_t blurred[HEIGHT][WIDTH];
static uint8_t spread[HEIGHT][WIDTH];
static uint8_t shrunk[HEIGHT / 3][WIDTH / 3];

NOINLINE static void draw(unsigned int round)
{
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			unsigned int value = (x * x + y * y + round * 64) >> 7;

			drawn[y][x] = (uint8_t)((value & 127) + (next() & 63));
		}
	}
	done();
}

static uint8_t blur_at(unsigned int x, unsigned int y)
{
	static const unsigned int weights[] = { 1, 2, 1 };
	unsigned int sum = 0;

	for (unsigned int i = 0; i < 3; i++) {
		const uint8_t *row = drawn[(y + i + HEIGHT - 1) % HEIGHT] + x - 1;

		for (unsigned int k = 0; k < 3; k++) {
			sum += weights[i] * weights[k] * row[k];
		}
	}
	return (uint8_t)(sum >> 4);
}

NOINLINE static void work_image(void)
{
	for (unsigned int i = 0; i < more(HEIGHT); i++) {
		unsigned int y = i % HEIGHT;

		for (unsigned int x = 1; x < WIDTH - 1; x++) {
			blurred[y][x] = blur_at(x, y);
		}
	}
	sink += blurred[HEIGHT / 2][WIDTH / 2];
	done();
}

NOINLINE static void spread_contrast(void)
{
	uint32_t counts[256] = { 0 };
	uint8_t levels[256];
	uint32_t sum = 0;

	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			counts[blurred[y][x]]++;
		}
	}
	for (unsigned int i = 0; i < 256; i++) {
		sum += counts[i];
		levels[i] = (uint8_t)((uint64_t)sum * 255 / (HEIGHT * WIDTH));
	}
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			spread[y][x] = levels[blurred[y][x]];
		}
	}
	done();
}

NOINLINE static void find_edges(void)
{
	uint64_t count = 0;

	for (unsigned int y = 1; y < HEIGHT - 1; y++) {
		const uint8_t *above = spread[y - 1];
		const uint8_t *here = spread[y];
		const uint8_t *below = spread[y + 1];

		for (unsigned int x = 1; x < WIDTH - 1; x++) {
			int across = above[x + 1] + 2 * here[x + 1] + below[x + 1] - above[x - 1] -
				     2 * here[x - 1] - below[x - 1];
			int down = below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] -
				   2 * above[x] - above[x + 1];

			count += across * across + down * down > 40000;
		}
	}
	sink += count;
	done();
}

NOINLINE static void shrink(void)
{
	for (unsigned int y = 0; y < HEIGHT / 3; y++) {
		for (unsigned int x = 0; x < WIDTH / 3; x++) {
			unsigned int sum = 0;

			for (unsigned int i = 0; i < 9; i++) {
				sum += spread[3 * y + i / 3][3 * x + i % 3];
			}
			shrunk[y][x] = (uint8_t)(sum / 9);
		}
	}
	sink += shrunk[7][7];
	done();
}

static void handle_image(unsigned int round)
{
	draw(round);
	answer();
	spread_contrast();
	look_up_if_due(round);
	find_edges();
	shrink();
	done();
}

const struct program image_program = {
	.name = "image",
	.rounds = 1450,
	.wait = WAIT_CONDITION,
	.handle = handle_image,
	.work = work_image,
};
