/* SPDX-License-Identifier: MIT */
/*
 * Where a file without symbols lies in memory, by addresses that calls in it return to.
 *
 * Files lie on whole pages, so the last digits of an address are those of its place in the file. In
 * front of the place there must be a call, and few pages have calls in all places that several
 * addresses ask for. For x86-64.
 */
#ifndef ITP_PERF_SCRIPT_RETURNS_H
#define ITP_PERF_SCRIPT_RETURNS_H

#include "common/elf/image.h"

enum itp_returns_answer {
	/* There is one place where the file can lie. */
	ITP_RETURNS_FOUND,
	/* More addresses may tell. */
	ITP_RETURNS_AMBIGUOUS,
	/* There is none: one of the addresses is no call's. */
	ITP_RETURNS_WRONG,
};

/* *ret_slide is what an address exceeds the file's own by. */
enum itp_returns_answer itp_returns_search(const struct itp_elf_image *image,
					   const uint64_t *addresses, size_t count,
					   uint64_t *ret_slide);

#endif
