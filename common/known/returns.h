/* SPDX-License-Identifier: MIT */
/*
 * Functions that do not return just once to their caller: of C libraries and of the runtimes of C++
 * and GCC. Names are mangled, as the linker knows them.
 *
 * First instructions, by which such functions without a name are known, and what becomes of a call
 * are left to common/control-flow/call.h.
 */
#ifndef ITP_KNOWN_RETURNS_H
#define ITP_KNOWN_RETURNS_H

#include <stdbool.h>

/* True for a function that returns twice: setjmp(). */
bool itp_returns_twice(const char *function);

/* True for a function that never returns: abort(). */
bool itp_returns_never(const char *function);

/* True for a function that comes back to somewhere else: longjmp(). */
bool itp_returns_elsewhere(const char *function);

#endif
