/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "interpret": assembles, folds, lists and runs the functions of a stack
 * machine.
 */
#define _GNU_SOURCE /* strchrnul() */
#include "slower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS 200
#define FUNCTION_LONGEST 24
#define STEPS 22
#define NEAR 40
#define SOURCE (FUNCTIONS * FUNCTION_LONGEST * 16)

enum operation {
	PUSH,
	LOAD,
	STORE,
	ADD,
	SUBTRACT,
	MULTIPLY,
	XOR,
	SHIFT,
	BRANCH,
	HALT
};

static const char *const operations[] = { "push",     "load", "store", "add",    "subtract",
					  "multiply", "xor",  "shift", "branch", "halt" };

static char source[SOURCE];
static char listing[SOURCE * 2];

static struct instruction {
	enum operation operation;
	uint32_t operand;
} code[FUNCTIONS * FUNCTION_LONGEST];

static uint32_t function_starts[FUNCTIONS + 1];

/* Each function is a loop over variable 0 that changes variable 1 by constants of its own. */
static void prepare_interpret(void)
{
	char *to = source;

	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		to += sprintf(to, "push %d\nstore 0\npush 1\nstore 1\n", STEPS);
		to += sprintf(to, "load 1\npush %u\nmultiply\nload 0\nadd\n", 31 + i % 50 * 2);
		to += sprintf(to, "push %u\nxor\nload 1\npush 3\nshift\nadd\nstore 1\n", i * 7919);
		to += sprintf(to, "load 0\npush 1\nsubtract\nstore 0\nload 0\nbranch 4\nhalt\n");
	}
}

NOINLINE static void assemble(void)
{
	const char *at = source;
	uint32_t count = 0;
	uint32_t function = 0;

	while (*at) {
		const char *end = strchrnul(at, '\n');
		size_t length = strcspn(at, " \n");
		unsigned int operation = 0;

		while (strncmp(operations[operation], at, length) != 0 ||
		       operations[operation][length] != '\0') {
			operation++;
		}
		code[count].operation = operation;
		code[count].operand = at[length] == ' ' ? (uint32_t)atoi(at + length + 1) : 0;
		if (count == 0 || code[count - 1].operation == HALT) {
			function_starts[function++] = count;
		}
		count++;
		at = *end ? end + 1 : end;
	}
	function_starts[function] = count;
	done();
}

/* Functions that are alike but for what they push, among those that are near. */
NOINLINE static void find_alike(void)
{
	uint64_t alike = 0;
	uint64_t others = 0;

	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		for (unsigned int k = i + 1; k < FUNCTIONS && k <= i + NEAR; k++) {
			const struct instruction *a = code + function_starts[i];
			const struct instruction *b = code + function_starts[k];

			for (; a->operation == b->operation && a->operation != HALT; a++, b++) {
				others += a->operand != b->operand;
			}
			alike += a->operation == b->operation;
		}
	}
	sink += alike + others;
	done();
}

NOINLINE static void list(void)
{
	char *to = listing;

	for (uint32_t i = 0; i < function_starts[FUNCTIONS]; i++) {
		to = put_number(to, i);
		*to++ = '\t';
		to = put_text(to, operations[code[i].operation]);
		*to++ = ' ';
		to = put_number(to, code[i].operand);
		*to++ = '\n';
	}
	sink += (uint64_t)(to - listing);
	done();
}

static uint32_t run(const struct instruction *function)
{
	const struct instruction *at = function;
	uint32_t variables[2] = { 0 };
	uint32_t stack[8];
	uint32_t *top = stack;

	for (;; at++) {
		switch (at->operation) {
		case PUSH:
			*++top = at->operand;
			break;
		case LOAD:
			*++top = variables[at->operand];
			break;
		case STORE:
			variables[at->operand] = *top--;
			break;
		case ADD:
			top--;
			*top += top[1];
			break;
		case SUBTRACT:
			top--;
			*top -= top[1];
			break;
		case MULTIPLY:
			top--;
			*top *= top[1];
			break;
		case XOR:
			top--;
			*top ^= top[1];
			break;
		case SHIFT:
			top--;
			*top >>= top[1];
			break;
		case BRANCH:
			if (*top-- > 0) {
				at = function + at->operand - 1;
			}
			break;
		case HALT:
			return variables[1];
		}
	}
}

NOINLINE static void work_interpret(void)
{
	for (unsigned int i = 0; i < more(FUNCTIONS); i++) {
		sink += run(code + function_starts[i % FUNCTIONS]);
	}
	done();
}

static void handle_interpret(unsigned int round)
{
	assemble();
	find_alike();
	look_up_if_due(round);
	list();
	answer();
	done();
}

const struct program interpret_program = {
	.name = "interpret",
	.rounds = 1000,
	.wait = WAIT_FUTEX,
	.prepare = prepare_interpret,
	.handle = handle_interpret,
	.work = work_interpret,
};
