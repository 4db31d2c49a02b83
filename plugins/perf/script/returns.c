/* SPDX-License-Identifier: MIT */
/*
 * See returns.h.
 */
#include "plugins/perf/script/returns.h"

#define PAGE_BYTES 4096u
#define PAGE_MASK ((uint64_t)PAGE_BYTES - 1)

/* A direct call: E8 and a distance. */
#define DIRECT_CALL 0xe8
#define DIRECT_BYTES 5
/* An indirect one: FF, and 2 in the middle of the next byte, which says what else follows. */
#define INDIRECT_CALL 0xff
#define INDIRECT_EXTENSION 2
#define INDIRECT_MIN_BYTES 2
#define INDIRECT_MAX_BYTES 7

static bool is_code(const GElf_Phdr *segment)
{
	return segment->p_type == PT_LOAD && (segment->p_flags & PF_X);
}

static const GElf_Phdr *segment_at(const struct itp_elf_image *image, uint64_t vaddr)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (is_code(segment) && vaddr >= segment->p_vaddr &&
		    vaddr - segment->p_vaddr < segment->p_filesz) {
			return segment;
		}
	}
	return NULL;
}

/* Length of an indirect call without prefixes, by the bytes behind its first. */
static size_t indirect_bytes(const uint8_t *behind)
{
	unsigned int mode = behind[0] >> 6;
	unsigned int base = behind[0] & 7;
	size_t bytes = INDIRECT_MIN_BYTES;

	if (mode == 3) {
		return bytes;
	}
	if (base == 4) {
		bytes++;
		base = behind[1] & 7;
	}
	if (mode == 2 || (mode == 0 && base == 5)) {
		return bytes + 4;
	}
	return bytes + (mode == 1);
}

/* `end` is behind INDIRECT_MAX_BYTES of code. */
static bool ends_indirect_call(const uint8_t *end)
{
	for (size_t bytes = INDIRECT_MIN_BYTES; bytes <= INDIRECT_MAX_BYTES; bytes++) {
		const uint8_t *call = end - bytes;

		if (call[0] == INDIRECT_CALL && ((call[1] >> 3) & 7) == INDIRECT_EXTENSION &&
		    indirect_bytes(call + 1) == bytes) {
			return true;
		}
	}
	return false;
}

static bool follows_call(const struct itp_elf_image *image, uint64_t vaddr)
{
	const GElf_Phdr *segment = segment_at(image, vaddr);
	struct itp_bytes code;
	const uint8_t *end;

	if (!segment || vaddr - segment->p_vaddr < INDIRECT_MAX_BYTES) {
		return false;
	}
	code = itp_elf_image_contents(image, segment);
	if (vaddr - segment->p_vaddr > code.size) {
		return false;
	}
	end = code.data + (vaddr - segment->p_vaddr);
	if (end[-DIRECT_BYTES] == DIRECT_CALL) {
		int64_t distance = (int32_t)itp_load_u32(end - DIRECT_BYTES + 1);

		if (segment_at(image, vaddr + (uint64_t)distance)) {
			return true;
		}
	}
	return ends_indirect_call(end);
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
