/* SPDX-License-Identifier: MIT */
/*
 * Debug data (DWARF) of a file, as libdw reads them: of the file itself or of its separate debug
 * file, with data that several files share. Answers are left to callers: lines (common/source) and
 * inlined functions (inlines.h).
 */
#ifndef ITP_SYMBOL_DEBUG_DATA_H
#define ITP_SYMBOL_DEBUG_DATA_H

#include "common/symbol/symbol-files.h"

#include <elfutils/libdw.h>

struct itp_debug_data;

/* Debug data in the file at `path` itself; `files` tells possible places of shared data. NULL
 * without any. */
struct itp_debug_data *itp_debug_data_new(const struct itp_symbol_files *files, const char *path);
/* Debug data of the file at `path`, or else of its separate debug file. NULL without any. */
struct itp_debug_data *itp_debug_data_find(const struct itp_symbol_files *files, const char *path);
void itp_debug_data_free(struct itp_debug_data *data);

/* Name of the file with shared debug data, as dwz makes it, when it is not at hand; else NULL.
 * Weak. */
const char *itp_debug_data_missing(const struct itp_debug_data *data);

/* Weak. */
Dwarf *itp_debug_data_dwarf(const struct itp_debug_data *data);

/* Gives back the memory of mapped files, until the next read there. */
void itp_debug_data_forget(const struct itp_debug_data *data);

/* Unit with the data of functions: with split debug data, in a file of its own. */
Dwarf_Die itp_debug_data_whole_unit(const Dwarf_Die *unit);

/* File in which the function of `scope` was written; NULL when unknown. Weak. */
const char *itp_debug_data_file(Dwarf_Die *scope);

/* True for a source file that comes with the system or with a compiler: "/usr/include/c++/12/map".
 */
bool itp_debug_data_is_library(const char *file);

#endif
