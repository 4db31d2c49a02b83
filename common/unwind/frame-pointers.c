/* SPDX-License-Identifier: MIT */
/*
 * See frame-pointers.h. In the middle of a function with a frame pointer, the frame lies at the
 * frame pointer. A few functions have none, whatever the compiler was told: stubs of the linker,
 * hand-written code, and code of a compiler before it needs a frame.
 */
#include "common/unwind/frame-pointers.h"

#include "common/unwind/cfi.h"

/* Samples of each segment with code. */
#define MAX_SAMPLES 4096
#define MIN_STRIDE 16
/* Shorter functions are stubs, or need no frame. */
#define MIN_FUNCTION_BYTES 64
/* Functions per function that may lack a frame pointer. */
#define TOLERANCE 4

struct census {
	unsigned int functions;
	unsigned int frameless;
};

/* Counts a function with a CFA at a register. Computed CFAs tell nothing: they belong to all stubs
 * of the linker together, and to functions that move their stack, with a frame pointer or another
 * register for it. */
static void count_function(struct itp_cfi *cfi, uint64_t middle, struct census *census)
{
	bool is_lasting;
	const struct itp_cfi_row *row = itp_cfi_find(cfi, middle, &is_lasting);

	if (row && row->cfa.kind == ITP_CFI_REGISTER) {
		census->functions++;
		census->frameless += itp_cfi_is_frameless(cfi, middle);
	}
}

static void count_segment(struct itp_cfi *cfi, const GElf_Phdr *segment, struct census *census)
{
	uint64_t stride = MAX(segment->p_filesz / MAX_SAMPLES, MIN_STRIDE);
	uint64_t last = segment->p_vaddr + segment->p_filesz;
	uint64_t vaddr = segment->p_vaddr;
	uint64_t start;
	uint64_t end;

	for (unsigned int i = 0; vaddr < last && i <= MAX_SAMPLES; i++) {
		bool is_function = itp_cfi_bounds(cfi, vaddr, &start, &end);

		if (is_function && end - start >= MIN_FUNCTION_BYTES) {
			count_function(cfi, start + (end - start) / 2, census);
		}
		vaddr = MAX(vaddr + stride, is_function ? end : 0);
	}
}

int itp_frame_pointers_kept(const char *path, bool *ret_kept)
{
	struct itp_elf_image image;
	struct census census = { 0 };
	int code = itp_elf_image_init(&image, path);
	struct itp_cfi *cfi = code < 0 ? NULL : itp_cfi_new(&image);

	for (guint i = 0; cfi && i < image.segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image.segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
			count_segment(cfi, segment, &census);
		}
	}
	itp_cfi_free(cfi);
	itp_elf_image_release(&image);
	if (code < 0) {
		return code;
	}
	*ret_kept = census.frameless <= census.functions / TOLERANCE;
	return 0;
}
