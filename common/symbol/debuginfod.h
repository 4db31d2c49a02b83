/* SPDX-License-Identifier: MIT */
/*
 * Files by build id from the debuginfod servers that $DEBUGINFOD_URLS names, through elfutils'
 * client library, which keeps what it fetched in a cache of the user's.
 *
 * The library is opened here and not linked: it brings an HTTP client along, which a run that
 * asks no server need not load. Nothing is asked before a file is looked for.
 *
 * Servers that gave no answer once are not asked again, so that a run waits for them once and
 * not for each module.
 */
#ifndef ITP_SYMBOL_DEBUGINFOD_H
#define ITP_SYMBOL_DEBUGINFOD_H

enum itp_debuginfod_kind {
	ITP_DEBUGINFOD_EXECUTABLE,
	ITP_DEBUGINFOD_DEBUGINFO,
};

struct itp_debuginfod;

/* NULL, with *ret_reason (owned by the caller) set to a phrase for a person, when the library
 * cannot be opened or no servers are named. */
struct itp_debuginfod *itp_debuginfod_new(char **ret_reason);
void itp_debuginfod_free(struct itp_debuginfod *debuginfod);

/* Path of the file in the client's cache, NULL when no server has it. `build_id` is
 * hexadecimal. Owned by the caller. */
char *itp_debuginfod_find(struct itp_debuginfod *debuginfod, enum itp_debuginfod_kind kind,
			  const char *build_id);

/* The errno for which servers are not asked any more, 0 while they are; each failure is told
 * once. */
int itp_debuginfod_take_failure(struct itp_debuginfod *debuginfod);

#endif
