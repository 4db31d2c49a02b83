/* SPDX-License-Identifier: MIT */
/*
 * Functions as mining tells them apart: a program's own from the system's, and their names in
 * files.
 */
#ifndef ITP_MINE_FUNCTIONS_H
#define ITP_MINE_FUNCTIONS_H

#include "common/base/function-table.h"

/* Stand-in for own work of the function before it (layer user), whose name is its module. */
#define ITP_MINED_ITSELF "[itself]"
bool itp_mined_is_itself(const struct itp_function *function);

/* Name of a function in files, "shop!handle", of any build. To be freed. */
char *itp_mined_key(const struct itp_function *function);
/* True for a program's own function: none of its system's libraries, and no stand-in. */
bool itp_mined_is_own(const struct itp_function *function);
/* True for an own function with a name, as nameless ones are called otherwise in each build; or a
 * system call. */
bool itp_mined_tells(const struct itp_function *function);

#endif
