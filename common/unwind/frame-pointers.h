/* SPDX-License-Identifier: MIT */
/*
 * Frame pointers in the code of a file: if kept, a stack can be followed by them alone.
 */
#ifndef ITP_UNWIND_FRAME_POINTERS_H
#define ITP_UNWIND_FRAME_POINTERS_H

#include <stdbool.h>

/* By the unwind tables of up to a few thousand functions from all over the file. A file without
 * tables keeps them, as far as can be told: nothing else could follow its stacks. Returns 0, or a
 * negative itp_error when `path` cannot be read as an ELF file. */
int itp_frame_pointers_kept(const char *path, bool *ret_kept);

#endif
