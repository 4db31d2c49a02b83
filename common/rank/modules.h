/* SPDX-License-Identifier: MIT */
/*
 * Whose code a module is: the program, its plug-ins and its own libraries are what a person can
 * change; C library, loader, language runtimes and the libraries of the system are not.
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

#endif
