/* SPDX-License-Identifier: MIT */
/*
 * Virtual machines that make or interpret the code that they run: whose that is, whether a
 * recording names it, and how such a program is to be started so that it does. (How names get into
 * stacks is the business of common/symbol.)
 */
#ifndef ITP_RANK_MACHINE_H
#define ITP_RANK_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/function-table.h"

struct itp_machine {
	/* Name of the language or the machine, as users say it. */
	const char *name;
	/* Shell patterns of the file that it is, up to NULL. */
	const char *files[8];
	/* Its function below which the code that it does not translate runs; NULL for none. */
	const char *interpreter;
	/* What to start a program with so that stacks can be followed through its code; NULL where
	 * that needs nothing; and so that its functions have names. */
	const char *for_frames;
	const char *for_names;
};

#define ITP_MACHINE_COUNT 6

/* Whether a module with this name is a machine. */
bool itp_machine_is_file(const char *module);

/* Whether the function runs the program: the interpreter of a machine, or code in no file. */
bool itp_machine_runs(const struct itp_function *function);

/* Whether the function is the program's, although it is in no file: it has a name, and is no part
 * of the machine nor of what comes with its language. */
bool itp_machine_is_made(const struct itp_function *function);

/* What is known of the code that machines ran: counts of calls, or of frames. */
struct itp_machine_code {
	/* Of code in memory that is no file's: with a name, and without one. */
	uint64_t named;
	uint64_t unnamed;
	/* By machine: of its own code, and of its interpreter. */
	uint64_t machines[ITP_MACHINE_COUNT];
	uint64_t interpreters[ITP_MACHINE_COUNT];
};

/* Adds `count` calls of the function to `code`. */
void itp_machine_code_add(struct itp_machine_code *code, const struct itp_function *function,
			  uint64_t count);

/* The machine that has run most; NULL for none. Static storage. */
const struct itp_machine *itp_machine_code_main(const struct itp_machine_code *code);

/* Whether it has run anything, most of it without a name. */
bool itp_machine_code_is_mute(const struct itp_machine_code *code);

#endif
