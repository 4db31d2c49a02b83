/* SPDX-License-Identifier: MIT */
/*
 * Puts the pages' files into the program as they are: nothing to unpack, nothing to read before the
 * page is wanted. The directories are among the assembler's.
 */
#include "common/render/html/embedded.h"

#define INCLUDE_FILE(symbol, name)				\
	.globl itp_page_##symbol, itp_page_##symbol##_end;	\
	.hidden itp_page_##symbol, itp_page_##symbol##_end;	\
	itp_page_##symbol: .incbin name;			\
	itp_page_##symbol##_end:;

	.section .rodata
	ITP_PAGE_FILES(INCLUDE_FILE)

	.section .note.GNU-stack, "", %progbits
