/* SPDX-License-Identifier: MIT */
/*
 * See returns.h.
 */
#include "plugins/perf/script/returns.h"

#include "common/unwind/call-site.h"

#define PAGE_BYTES 4096u
#define PAGE_MASK ((uint64_t)PAGE_BYTES - 1)

static bool is_code(const GElf_Phdr *segment)
{
	return segment && segment->p_type == PT_LOAD && (segment->p_flags & PF_X);
}

static bool follows_call(const struct itp_elf_image *image, uint64_t vaddr)
{
	const GElf_Phdr *segment = itp_elf_image_loaded(image, vaddr);
	struct itp_unwind_code code;
	struct itp_bytes bytes;
	uint64_t target;

	if (!is_code(segment)) {
		return false;
	}
	bytes = itp_elf_image_contents(image, segment);
	code = (struct itp_unwind_code){ .bytes = bytes.data,
					 .begin = segment->p_vaddr,
					 .end = segment->p_vaddr + bytes.size };
	return (itp_call_site_target(&code, vaddr, &target) &&
		is_code(itp_elf_image_loaded(image, target))) ||
	       itp_call_site_is_indirect(&code, vaddr);
}

static bool can_lie(const struct itp_elf_image *image, const uint64_t *addresses, size_t count,
		    uint64_t slide)
{
	for (size_t i = 0; i < count; i++) {
		if (!follows_call(image, addresses[i] - slide)) {
			return false;
		}
	}
	return true;
}

enum itp_returns_answer itp_returns_search(const struct itp_elf_image *image,
					   const uint64_t *addresses, size_t count,
					   uint64_t *ret_slide)
{
	size_t found = 0;
	GElf_Ehdr header;

	if (count == 0 || !gelf_getehdr(image->elf, &header) || header.e_machine != EM_X86_64) {
		return ITP_RETURNS_AMBIGUOUS;
	}
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);
		uint64_t first = (segment->p_vaddr & ~PAGE_MASK) + (addresses[0] & PAGE_MASK);

		for (uint64_t distance = 0; is_code(segment) && distance <= segment->p_filesz;
		     distance += PAGE_BYTES) {
			uint64_t slide = addresses[0] - first - distance;

			if (can_lie(image, addresses, count, slide)) {
				*ret_slide = slide;
				found++;
			}
		}
	}
	return found == 0 ? ITP_RETURNS_WRONG :
	       found == 1 ? ITP_RETURNS_FOUND :
			    ITP_RETURNS_AMBIGUOUS;
}
