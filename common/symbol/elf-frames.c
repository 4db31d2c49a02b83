/* SPDX-License-Identifier: MIT */
/*
 * Binary search in .eh_frame_hdr, and as much of .eh_frame as tells where a function ends.
 *
 * Layouts: Linux Standard Base, "Exception Frames". Only the encodings that linkers write are
 * known; in files with others no function is found.
 */
#include "common/symbol/elf-frames.h"

#include <dwarf.h>

/* struct of .eh_frame_hdr's table: two sdata4. */
#define ENTRY_BYTES 8

#define HEADER_VERSION 1
#define TABLE_ENCODING (DW_EH_PE_datarel | DW_EH_PE_sdata4)

/* Bytes of a pointer, 0 for an encoding without a fixed size. */
static size_t encoded_size(uint8_t encoding, bool is_64_bit)
{
	switch (encoding & 0x07) {
	case DW_EH_PE_absptr:
		return is_64_bit ? 8 : 4;
	case DW_EH_PE_udata2:
		return 2;
	case DW_EH_PE_udata4:
		return 4;
	case DW_EH_PE_udata8:
		return 8;
	default:
		return 0;
	}
}

static bool is_64_bit(const struct itp_elf_image *image)
{
	return gelf_getclass(image->elf) == ELFCLASS64;
}

void itp_elf_frames_init(struct itp_elf_frames *frames, const struct itp_elf_image *image)
{
	const GElf_Phdr *segment = itp_elf_image_segment(image, PT_GNU_EH_FRAME);
	struct itp_bytes bytes = { .data = NULL };
	const uint8_t *header;
	uint32_t count;

	*frames = (struct itp_elf_frames){ .image = image };
	if (segment) {
		bytes = itp_elf_image_contents(image, segment);
	}
	header = itp_bytes_take(&bytes, 4);
	if (!header || header[0] != HEADER_VERSION || header[2] != DW_EH_PE_udata4 ||
	    header[3] != TABLE_ENCODING ||
	    !itp_bytes_take(&bytes, encoded_size(header[1], is_64_bit(image))) ||
	    !itp_bytes_u32(&bytes, &count)) {
		return;
	}
	bytes.size = MIN(bytes.size, (size_t)count * ENTRY_BYTES) / ENTRY_BYTES * ENTRY_BYTES;
	frames->table = bytes;
	frames->base = segment->p_vaddr;
}

static uint64_t table_value(const struct itp_elf_frames *frames, size_t entry, size_t column)
{
	const uint8_t *place = frames->table.data + entry * ENTRY_BYTES + column * 4;

	return frames->base + (uint64_t)(int64_t)(int32_t)itp_load_u32(place);
}

/* Number of functions that begin at or before `vaddr`. */
static size_t count_until(const struct itp_elf_frames *frames, uint64_t vaddr)
{
	size_t low = 0;
	size_t high = frames->table.size / ENTRY_BYTES;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table_value(frames, middle, 0) <= vaddr) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool skip_leb128(struct itp_bytes *bytes)
{
	const uint8_t *byte;

	do {
		byte = itp_bytes_take(bytes, 1);
	} while (byte && (*byte & 0x80));
	return byte != NULL;
}

/* Reads the augmentation data up to 'R', the encoding of addresses in the functions' entries. */
static bool find_encoding(struct itp_bytes *data, const char *augmentation, bool wide,
			  uint8_t *ret_encoding)
{
	*ret_encoding = DW_EH_PE_absptr;
	for (const char *letter = augmentation; *letter != '\0'; letter++) {
		const uint8_t *encoding = NULL;

		if (*letter == 'S' || *letter == 'B' || *letter == 'G') {
			continue;
		}
		encoding = itp_bytes_take(data, 1);
		if (!encoding) {
			return false;
		}
		if (*letter == 'R') {
			*ret_encoding = *encoding;
			return true;
		}
		if (*letter == 'P' && !itp_bytes_take(data, encoded_size(*encoding, wide))) {
			return false;
		}
		if (*letter != 'P' && *letter != 'L') {
			return false;
		}
	}
	return true;
}

/* The common entry that a function's entry refers to. */
static bool read_cie(struct itp_bytes cie, bool wide, uint8_t *ret_encoding)
{
	uint32_t length;
	uint32_t id;
	const uint8_t *version;
	const char *augmentation;

	if (!itp_bytes_u32(&cie, &length) || length > cie.size || !itp_bytes_u32(&cie, &id) ||
	    id != 0) {
		return false;
	}
	version = itp_bytes_take(&cie, 1);
	augmentation = itp_bytes_string(&cie);
	if (!version || !augmentation || !skip_leb128(&cie) || !skip_leb128(&cie)) {
		return false;
	}
	/* The return address column is a byte in version 1 and a LEB128 number later. */
	if (*version == 1 ? !itp_bytes_take(&cie, 1) : !skip_leb128(&cie)) {
		return false;
	}
	if (augmentation[0] == '\0') {
		*ret_encoding = DW_EH_PE_absptr;
		return true;
	}
	return augmentation[0] == 'z' && skip_leb128(&cie) &&
	       find_encoding(&cie, augmentation + 1, wide, ret_encoding);
}

/* Size in bytes of the function whose entry lies at `vaddr`. */
static bool read_function_size(const struct itp_elf_frames *frames, uint64_t vaddr,
			       uint64_t *ret_size)
{
	struct itp_bytes fde = itp_elf_image_at(frames->image, vaddr);
	bool wide = is_64_bit(frames->image);
	uint32_t length;
	uint32_t cie_distance;
	uint8_t encoding;
	size_t size;
	const uint8_t *range;

	/* The distance counts from its own place, 4 bytes into the entry. */
	if (!itp_bytes_u32(&fde, &length) || length > fde.size ||
	    !itp_bytes_u32(&fde, &cie_distance) || cie_distance > vaddr ||
	    !read_cie(itp_elf_image_at(frames->image, vaddr + 4 - cie_distance), wide, &encoding)) {
		return false;
	}
	size = encoded_size(encoding, wide);
	range = itp_bytes_take(&fde, 2 * size);
	if (size < 4 || !range) {
		return false;
	}
	range += size;
	*ret_size = size == 4 ? itp_load_u32(range) : itp_load_u64(range);
	return true;
}

bool itp_elf_frames_start(const struct itp_elf_frames *frames, uint64_t vaddr, uint64_t *ret_start)
{
	size_t count = count_until(frames, vaddr);
	uint64_t start;
	uint64_t size;

	if (count == 0) {
		return false;
	}
	start = table_value(frames, count - 1, 0);
	if (!read_function_size(frames, table_value(frames, count - 1, 1), &size) ||
	    vaddr - start >= size) {
		return false;
	}
	*ret_start = start;
	return true;
}
