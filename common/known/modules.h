/* SPDX-License-Identifier: MIT */
/*
 * Modules by owner: people can change the program, its plug-ins and its own libraries; the C
 * library, the loader, language runtimes and the system's libraries they cannot.
 *
 * Some programs are run by virtual machines that make or interpret their code. This header tells
 * whether such code is the program's, whether a recording names it, and options of the machine that
 * make it do so. (Names in stacks are left to common/symbol.)
 *
 * The lists are data, at the top of modules.c; users add to them.
 */
#ifndef ITP_KNOWN_MODULES_H
#define ITP_KNOWN_MODULES_H

#include "common/base/function-table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum itp_module_kind {
	ITP_MODULE_PROGRAM = 0,
	/* A shared object with a name other than lib…, or below the program's own directory of
	 * plug-ins. */
	ITP_MODULE_PLUGIN = 1,
	/* A library that does not come with the system. */
	ITP_MODULE_LIBRARY = 2,
	/* A library of the system. */
	ITP_MODULE_SYSTEM_LIBRARY = 3,
	/* Interpreter of a language, as a library: the program is a script, unless it embeds the
	 * interpreter. */
	ITP_MODULE_INTERPRETER = 4,
	/* C library, loader, runtime of a language (also as a part of the program's file), virtual
	 * machine, allocator; and code in no file, unless a machine made it from the program's. */
	ITP_MODULE_RUNTIME = 5,
	ITP_MODULE_KERNEL = 6,
};

/* Names as results spell them, by number. */
extern const char *const itp_module_kind_names[];

/* Lists of users: shell patterns of module names, NULL-terminated or NULL. Weak. */
struct itp_module_kinds {
	/* Modules to be passed over like a runtime. */
	const char *const *runtime;
	/* Modules not to be passed over, whatever they are otherwise. */
	const char *const *own;
};

/* Fails when a pattern matches no module of the functions. */
bool itp_module_kinds_check(const struct itp_module_kinds *kinds,
			    const struct itp_function_table *functions, GError **error);

/* `kinds` may be NULL. */
enum itp_module_kind itp_module_kind_of(const struct itp_module_kinds *kinds,
					const struct itp_function *function);

/* Kinds of all functions of a table, by id. Free with g_free(). */
uint8_t *itp_module_kinds_new(const struct itp_module_kinds *kinds,
			      const struct itp_function_table *functions);

/* True for the program's own code, its plug-ins and its own libraries. */
static inline bool itp_module_kind_is_own(enum itp_module_kind kind)
{
	return kind <= ITP_MODULE_LIBRARY;
}

/* True for a library with the business to wait for events and to hand them on. */
bool itp_module_is_event_loop(const struct itp_function *function);

/* True for functions of a C library or of C++'s, by which others wake threads. */
bool itp_module_is_go_between(const struct itp_function *function);

/* ---- Machines ---- */

struct itp_machine {
	/* Name of the language or the machine, as users say it. */
	const char *name;
	/* Shell patterns of the machine's files, up to NULL. */
	const char *files[8];
	/* Function of the machine that runs untranslated code below it; NULL for none. */
	const char *interpreter;
	/* Commands that start a program with stacks that can be followed through its code, NULL if
	 * they can anyway; and with names for its functions, NULL if nothing gives them. */
	const char *for_frames;
	const char *for_names;
	/* Its own functions stand for the program's, which nobody sees. */
	bool is_shown;
};

#define ITP_MACHINE_COUNT 9

/* True if a module with this name is a machine, unless its functions are all there is to see. */
bool itp_machine_is_file(const char *module);

/* True if the function runs the program: the interpreter of a machine, or code in no file. */
bool itp_machine_runs(const struct itp_function *function);

/* Code run by machines: counts of calls, or of frames. */
struct itp_machine_code {
	/* Code in memory and in no file: with names, and without. */
	uint64_t named;
	uint64_t unnamed;
	/* Machines' own code, and their interpreters, by machine. */
	uint64_t machines[ITP_MACHINE_COUNT];
	uint64_t interpreters[ITP_MACHINE_COUNT];
	/* Code without known callers: in no file, and in files. */
	uint64_t lost_in_made;
	uint64_t lost_in_files;
};

/* Adds `count` calls of the function to `code`. */
void itp_machine_code_add(struct itp_machine_code *code, const struct itp_function *function,
			  uint64_t count);

/* Adds `count` stacks that could not be followed from the function on. */
void itp_machine_code_lose(struct itp_machine_code *code, const struct itp_function *function,
			   uint64_t count);

/* Machine with code through which stacks cannot be followed, unless it is started otherwise; NULL
 * if most stacks got lost in files. Static storage. */
const struct itp_machine *itp_machine_code_loser(const struct itp_machine_code *code);

/* Machine that has run most; NULL for none. Static storage. */
const struct itp_machine *itp_machine_code_main(const struct itp_machine_code *code);

/* True if the machine ran anything, most of it without a name. */
bool itp_machine_code_is_mute(const struct itp_machine_code *code);

#endif
