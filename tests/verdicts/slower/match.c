/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "match": lines of a log, and patterns that are tried by going back.
 */
#include "slower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 1500
#define LINE_LONGEST 96
#define MATCHED 240
#define PATTERN_LONGEST 24

static char lines[LINES][LINE_LONGEST];

static const char *const patterns[] = { "user [a-z]*[0-9] .*failed", "[0-9]*ms .*e.*e.*timeout",
					"^.*[a-z]=[0-9]*7$" };

#define PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

/* One character, or any number of them, of a set. */
static struct atom {
	bool is_set[128];
	bool is_repeated;
	bool is_end;
	bool is_last;
} atoms[PATTERNS][PATTERN_LONGEST];

static const char *prepare_set(const char *at, struct atom *atom)
{
	if (*at == '[') {
		for (at++; *at != ']'; at += 3) {
			memset(atom->is_set + at[0], true, (size_t)(at[2] - at[0] + 1));
		}
	} else if (*at == '.') {
		memset(atom->is_set + 1, true, sizeof(atom->is_set) - 1);
	} else if (*at == '$') {
		atom->is_end = true;
	} else {
		atom->is_set[(unsigned char)*at] = true;
	}
	return at + 1;
}

static void prepare_match(void)
{
	for (unsigned int i = 0; i < PATTERNS; i++) {
		const char *at = patterns[i] + (patterns[i][0] == '^');
		struct atom *atom = atoms[i];

		for (; *at; atom++) {
			at = prepare_set(at, atom);
			if (*at == '*') {
				atom->is_repeated = true;
				at++;
			}
		}
		atom->is_last = true;
	}
}

NOINLINE static void make_lines(void)
{
	static const char *const ends[] = { "logged in", "failed", "timeout", "session closed" };

	for (unsigned int i = 0; i < LINES; i++) {
		snprintf(lines[i], sizeof(lines[i]),
			 "%02u:%02u:%02u %ums host%u: user %s%u %s id=%u", next() % 24, next() % 60,
			 next() % 60, next() % 5000, next() % 20, i % 3 ? "peter" : "anne",
			 next() % 30, ends[next() % 4], next() % 100000);
	}
	done();
}

static bool match_here(const struct atom *atom, const char *at)
{
	if (atom->is_last) {
		return true;
	}
	if (atom->is_end) {
		return *at == '\0';
	}
	if (!atom->is_set[(unsigned char)*at]) {
		return atom->is_repeated && match_here(atom + 1, at);
	}
	if (!atom->is_repeated) {
		return match_here(atom + 1, at + 1);
	}
	/* As many as there are first. */
	return match_here(atom, at + 1) || match_here(atom + 1, at);
}

static bool match(unsigned int pattern, const char *line)
{
	if (patterns[pattern][0] == '^') {
		return match_here(atoms[pattern], line);
	}
	for (; *line; line++) {
		if (match_here(atoms[pattern], line)) {
			return true;
		}
	}
	return false;
}

NOINLINE static void work_match(void)
{
	uint64_t count = 0;

	for (unsigned int i = 0; i < more(MATCHED); i++) {
		for (unsigned int k = 0; k < PATTERNS; k++) {
			count += match(k, lines[i % MATCHED]);
		}
	}
	sink += count;
	done();
}

NOINLINE static void split_fields(void)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < LINES; i++) {
		char line[LINE_LONGEST];
		char *rest = NULL;

		strcpy(line, lines[i]);
		for (char *field = strtok_r(line, " :=", &rest); field;
		     field = strtok_r(NULL, " :=", &rest)) {
			sum += strtoul(field, NULL, 10) + strlen(field);
		}
	}
	sink += sum;
	done();
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

NOINLINE static void sort_lines(void)
{
	static const char *sorted[LINES];

	for (unsigned int i = 0; i < LINES; i++) {
		sorted[i] = lines[i];
	}
	qsort(sorted, LINES, sizeof(sorted[0]), compare_lines);
	sink += (unsigned char)sorted[LINES / 2][7];
	done();
}

static void handle_match(unsigned int round)
{
	make_lines();
	split_fields();
	answer();
	sort_lines();
	look_up_if_due(round);
	done();
}

const struct program match_program = {
	.name = "match",
	.rounds = 340,
	.wait = WAIT_FUTEX,
	.prepare = prepare_match,
	.handle = handle_match,
	.work = work_match,
};
