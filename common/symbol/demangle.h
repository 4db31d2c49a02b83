/* SPDX-License-Identifier: MIT */
/*
 * Names of C++ and Rust functions as they stand in the source.
 */
#ifndef ITP_SYMBOL_DEMANGLE_H
#define ITP_SYMBOL_DEMANGLE_H

/* Longer names stay as they are, as does what would become longer than the second limit. */
#define ITP_MAX_MANGLED_BYTES 1024
#define ITP_MAX_DEMANGLED_BYTES (16 * 1024)

/* With parameter types. Owned by the caller; NULL for a name that is not mangled. */
char *itp_demangle(const char *name);

#endif
