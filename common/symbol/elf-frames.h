/* SPDX-License-Identifier: MIT */
/*
 * Where functions begin, from .eh_frame_hdr and .eh_frame.
 *
 * Stripped files have no names for their static functions, but the unwind tables still tell
 * which addresses belong to one function. The unwind rules themselves are not read here.
 */
#ifndef ITP_SYMBOL_ELF_FRAMES_H
#define ITP_SYMBOL_ELF_FRAMES_H

#include "common/symbol/elf-image.h"

struct itp_elf_frames {
	/* Weak. */
	const struct itp_elf_image *image;
	/* Sorted pairs of 32-bit numbers, function and its entry in .eh_frame, both relative to
	 * `base`. Weak: part of the image. */
	struct itp_bytes table;
	uint64_t base;
};

/* `image` must outlive the result, which needs no release. Without a table nothing is found. */
void itp_elf_frames_init(struct itp_elf_frames *frames, const struct itp_elf_image *image);

/* The start of the function that covers `vaddr`. */
bool itp_elf_frames_start(const struct itp_elf_frames *frames, uint64_t vaddr, uint64_t *ret_start);

#endif
