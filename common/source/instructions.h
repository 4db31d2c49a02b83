/* SPDX-License-Identifier: MIT */
/*
 * What the instruction at an address of a file is, by Capstone, for code of which there is nothing
 * else to show.
 */
#ifndef ITP_SOURCE_INSTRUCTIONS_H
#define ITP_SOURCE_INSTRUCTIONS_H

#include <glib.h>
#include <stdint.h>

struct itp_instructions;

/* NULL when the file cannot be read, or is for a machine that is not known here. */
struct itp_instructions *itp_instructions_new(const char *path);
void itp_instructions_free(struct itp_instructions *instructions);

/* "mov rax, rbx"; NULL where there is none. Owned by the caller. */
char *itp_instructions_text(struct itp_instructions *instructions, uint64_t address);

#endif
