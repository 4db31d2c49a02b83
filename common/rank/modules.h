/* SPDX-License-Identifier: MIT */
/*
 * Whose code a module is: the program, its plug-ins and its own libraries are what a person can
 * change; C library, loader, language runtimes and the libraries of the system are not.
 *
 * Some programs are run by virtual machines that make or interpret their code: whose that is,
 * whether a recording names it, and how such a program is to be started so that it does. (How names
 * get into stacks is the business of common/symbol.)
 *
 * The lists are data, at the top of modules.c; users add to them.
 */
#ifndef ITP_RANK_MODULES_H
#define ITP_RANK_MODULES_H

#include "common/base/function-table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum itp_module_kind {
	ITP_MODULE_PROGRAM = 0,
	/* A shared object that is not called lib…, or one that lies below the program's own
	 * directory of plug-ins. */
	ITP_MODULE_PLUGIN = 1,
	/* A library that does not come with the system. */
	ITP_MODULE_LIBRARY = 2,
	/* One that does. */
	ITP_MODULE_SYSTEM_LIBRARY = 3,
	/* The interpreter of a language, as a library: the program is a script, if it is not
	 * embedded in one. */
	ITP_MODULE_INTERPRETER = 4,
	/* C library, loader, runtime of a language (also where that is part of the program's file),
	 * virtual machine, allocator; and code in no file, unless a machine made it of the
	 * program's. */
	ITP_MODULE_RUNTIME = 5,
	ITP_MODULE_KERNEL = 6,
};

/* As results spell them, by number. */
extern const char *const itp_module_kind_names[];

/* What users add: shell patterns of module names, NULL-terminated or NULL. Weak. */
struct itp_module_kinds {
	/* To be passed over like a runtime. */
	const char *const *runtime;
	/* Not to be passed over, whatever they are otherwise. */
	const char *const *own;
};

/* Fails when a pattern matches no module of the functions. */
bool itp_module_kinds_check(const struct itp_module_kinds *kinds,
			    const struct itp_function_table *functions, GError **error);

/* `kinds` may be NULL. */
enum itp_module_kind itp_module_kind_of(const struct itp_module_kinds *kinds,
					const struct itp_function *function);

/* Of all functions of a table, by id. Free with g_free(). */
uint8_t *itp_module_kinds_new(const struct itp_module_kinds *kinds,
			      const struct itp_function_table *functions);

/* Whether it is the program's own code, a plug-in's or that of a library of its own. */
static inline bool itp_module_kind_is_own(enum itp_module_kind kind)
{
	return kind <= ITP_MODULE_LIBRARY;
}

/* Whether the module is a library whose business is to wait for events and to hand them on. */
bool itp_module_is_event_loop(const struct itp_function *function);

/* ---- Machines ---- */

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

/* What is known of the code that machines ran: counts of calls, or of frames. */
struct itp_machine_code {
	/* Of code in memory that is no file's: with a name, and without one. */
	uint64_t named;
	uint64_t unnamed;
	/* By machine: of its own code, and of its interpreter. */
	uint64_t machines[ITP_MACHINE_COUNT];
	uint64_t interpreters[ITP_MACHINE_COUNT];
	/* Below callers that are not known: code that is in no file, and other code. */
	uint64_t lost_in_made;
	uint64_t lost_in_files;
};

/* Adds `count` calls of the function to `code`. */
void itp_machine_code_add(struct itp_machine_code *code, const struct itp_function *function,
			  uint64_t count);

/* Adds that `count` stacks could not be followed from the function on. */
void itp_machine_code_lose(struct itp_machine_code *code, const struct itp_function *function,
			   uint64_t count);

/* The machine through whose code stacks cannot be followed, unless it is started otherwise; NULL
 * where most got lost in files. Static storage. */
const struct itp_machine *itp_machine_code_loser(const struct itp_machine_code *code);

/* The machine that has run most; NULL for none. Static storage. */
const struct itp_machine *itp_machine_code_main(const struct itp_machine_code *code);

/* Whether it has run anything, most of it without a name. */
bool itp_machine_code_is_mute(const struct itp_machine_code *code);

#endif
