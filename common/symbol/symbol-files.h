/* SPDX-License-Identifier: MIT */
/*
 * Place of a module's file, and of the separate file with its names.
 *
 * The file itself has code and unwind tables; names stripped from it may lie in a debug file.
 * Either is taken only if it belongs to the recorded module, as far as build ids tell, or debug
 * links without them.
 *
 * Missing files come, by build id, from the debuginfod servers in $DEBUGINFOD_URLS, through
 * elfutils' client library, which keeps them in a cache of the user's. The library is opened here
 * and not linked: it brings an HTTP client along, a burden for runs that ask no server. A server
 * without an answer is not asked again, so that a run waits for it once and not for each module.
 */
#ifndef ITP_SYMBOL_SYMBOL_FILES_H
#define ITP_SYMBOL_SYMBOL_FILES_H

#include "common/elf/image.h"
#include "common/symbol/mapped-file.h"

/* Reason for missing names of a module or of the kernel. The core collects one for each module; the
 * host says it to a person. */
enum itp_symbol_problem {
	ITP_SYMBOLS_FINE = 0,
	/* No file at the module's path, and none with its build id elsewhere. */
	ITP_SYMBOLS_MISSING,
	/* File at the path was built anew after the recording. */
	ITP_SYMBOLS_OTHER_BUILD,
	/* The file is no ELF file, is damaged, or may not be read. */
	ITP_SYMBOLS_UNUSABLE,
	/* File, or the file with its names, has become shorter while it was read. */
	ITP_SYMBOLS_CHANGED,
	/* The process had another file at the module's path, as in a container. */
	ITP_SYMBOLS_OTHER_FILE,
	/* Process' file about the code made by it is missing, another user's, or of another
	 * kind. */
	ITP_SYMBOLS_NO_JIT_DUMP,
	/* kallsyms shows zeros in place of addresses. */
	ITP_SYMBOLS_KERNEL_HIDDEN,
	/* No kallsyms of the recorded kernel is at hand. */
	ITP_SYMBOLS_KERNEL_MISSING,
	/* The copy of the kernel's memory was made under another boot. */
	ITP_SYMBOLS_KERNEL_OTHER_BOOT,
};

struct itp_symbol_warning {
	enum itp_symbol_problem problem;
	/* File looked for, the module's as recorded or kallsyms. Weak. */
	const char *path;
	/* Build ids recorded and found; "" when unknown. Weak. */
	const char *build_id;
	const char *found_build_id;
};

/* Receiver of warnings; the record and its texts are valid during the call. */
typedef void (*itp_symbol_warning_function)(const struct itp_symbol_warning *warning, void *data);

struct itp_debuginfod;

/* NULL, with *ret_reason (owned by the caller) set to a phrase for a person, when the library
 * cannot be opened or no servers are named. */
struct itp_debuginfod *itp_debuginfod_new(char **ret_reason);
void itp_debuginfod_free(struct itp_debuginfod *debuginfod);

/* The errno for which servers are not asked any more, 0 while they are; each failure is told
 * once. */
int itp_debuginfod_take_failure(struct itp_debuginfod *debuginfod);

/* Name and checksum of a file's debug file: its .gnu_debuglink. */
struct itp_debug_link {
	/* Without directories. Weak. */
	const char *name;
	/* CRC-32 of the debug file. */
	uint32_t checksum;
};

/* All weak. */
struct itp_symbol_files {
	/* Directory with the recorded machine's files, NULL for this machine's. */
	const char *symfs;
	/* Path as recorded. */
	const char *path;
	/* Build id as recorded, "" when unknown. */
	const char *build_id;
	/* Debug link as recorded, NULL when unknown. */
	const struct itp_debug_link *debug_link;
	/* File mapped by the process; without an inode when unknown. */
	struct itp_mapped_file mapped;
	/* Servers asked for missing files; NULL to leave the network alone. */
	struct itp_debuginfod *debuginfod;
};

/* Path of the module's file: the recorded one, also as the process sees it while it runs, else the
 * copy in perf's cache, else debuginfod's. Owned by the caller; NULL with *ret_problem set, and
 * *ret_found_build_id (owned by the caller) for a file of another build. */
char *itp_symbol_files_module(const struct itp_symbol_files *files,
			      enum itp_symbol_problem *ret_problem, char **ret_found_build_id);

/* Path of the debug file for the module's file `image`, NULL when there is none. Looked for, in
 * this order: by build id in /usr/lib/debug and in perf's cache, by path in /usr/lib/debug, by
 * .gnu_debuglink, or by the recorded one if the file has none; all under symfs. Owned by the
 * caller. */
char *itp_symbol_files_debug(const struct itp_symbol_files *files,
			     const struct itp_elf_image *image);

/* Path of debuginfod's debug file for `image`, NULL without one or when it is not asked. Owned by
 * the caller. */
char *itp_symbol_files_fetch_debug(const struct itp_symbol_files *files,
				   const struct itp_elf_image *image);

/* Path of the file with what several debug files share, as dwz makes it: `name` and `build_id` as
 * the file at `path` tells them, the name relative to that file or absolute,
 * "../.dwz/common.debug". Else by build id, as above, and debuginfod's. NULL when there is none.
 * Owned by the caller. */
char *itp_symbol_files_shared(const struct itp_symbol_files *files, const char *path,
			      const char *name, const char *build_id);

/* Path of NAME ("elf", "debug", "vdso") in perf's cache, ~/.debug or SYMFS/.debug. NULL for an id
 * that cannot be one; may be NULL when nothing is there. Owned by the caller. */
char *itp_symbol_files_cached(const char *symfs, const char *build_id, const char *name);

#endif
