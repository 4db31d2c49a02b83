/* SPDX-License-Identifier: MIT */
/*
 * The frame of ten small programs, of which one function can be made slower by a known part. Each
 * program has a file of its own and a `struct program`; slower.c runs the one that is asked for.
 */
#ifndef SLOWER_H
#define SLOWER_H

#include <stdbool.h>
#include <stdint.h>

#define NOINLINE __attribute__((noinline, noclone))
#define PERCENT_MOST 60
/* Elements of an array for `count` pieces of work, made slower by the most percent. */
#define ROOM(count) ((count) * (100 + PERCENT_MOST) / 100)

/* Function by which a program waits where it is asked to. */
enum wait {
	WAIT_SLEEP,
	WAIT_POLL,
	WAIT_SELECT,
	WAIT_FUTEX,
	WAIT_CONDITION
};

struct program {
	const char *name;
	unsigned int rounds;
	enum wait wait;
	/* Called once, before the first round. NULL if there is nothing to prepare. */
	void (*prepare)(void);
	/* One round, of which a part is answer(). */
	void (*handle)(unsigned int round);
	/* The body of answer(). */
	void (*work)(void);
};

extern const struct program compress_program;
extern const struct program parse_program;
extern const struct program align_program;
extern const struct program interpret_program;
extern const struct program image_program;
extern const struct program store_program;
extern const struct program serve_program;
extern const struct program power_program;
extern const struct program match_program;
extern const struct program life_program;

/* The program that runs. */
extern const struct program *program;
extern unsigned int slower_percent;
/* Results, so that no work is left out by the compiler. */
extern volatile uint64_t sink;
/* State of the random numbers of all but answer(). */
extern uint32_t seed;

/* Ends a function, so that no call before it is made by a jump. */
static inline void done(void)
{
	__asm__ volatile("");
}

/* `count`, and slower_percent more. */
static inline unsigned int more(unsigned int count)
{
	return count * (100 + slower_percent) / 100;
}

/* A random number of 24 bits. */
static inline uint32_t next(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

/* Ends the run with an error if a step went wrong. */
void check(bool is_right);

/* Append text, or a number in decimal, without a zero behind it; return the end. */
char *put_text(char *to, const char *text);
char *put_number(char *to, uint32_t number);

/* The function that is made slower. */
void answer(void);

/* The new wait, in as many pieces as are due up to this round. */
void look_up_if_due(unsigned int round);

#endif
