/* SPDX-License-Identifier: MIT */
/*
 * Instructions at addresses of a file, by Capstone, for code without lines.
 */
#ifndef ITP_SOURCE_INSTRUCTIONS_H
#define ITP_SOURCE_INSTRUCTIONS_H

#include <glib.h>
#include <stdint.h>

struct itp_instructions;

/* NULL when the file cannot be read, or is for an unknown machine. */
struct itp_instructions *itp_instructions_new(const char *path);
void itp_instructions_free(struct itp_instructions *instructions);

/* Text of an instruction, "mov rax, rbx"; NULL for none. Owned by the caller. */
char *itp_instructions_text(struct itp_instructions *instructions, uint64_t address);

#endif
