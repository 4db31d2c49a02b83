/* SPDX-License-Identifier: MIT */
/*
 * Reading entries with every length checked. Augmentations written by compilers are known: 'z',
 * 'R', 'P', 'L', 'S' and arm64's 'B' and 'G'.
 */
#include "common/unwind/cfi-entry.h"

#include <dwarf.h>

/* In place of a length: the real length follows with 64 bits. */
#define LENGTH_IS_64_BIT UINT32_MAX

struct entry {
	bool is_64_bit;
	/* Identity of a common entry, or reference to a common entry. */
	uint64_t id;
	/* Offset of `id` in the section. */
	uint64_t id_offset;
	/* Behind `id`. */
	struct itp_bytes rest;
	uint64_t next;
};

bool itp_cfi_take_unsigned(struct itp_bytes *bytes, uint64_t *ret_value)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	const uint8_t *byte;

	do {
		byte = itp_bytes_take(bytes, 1);
		if (!byte) {
			return false;
		}
		if (shift < 64) {
			value |= (uint64_t)(*byte & 0x7f) << shift;
		}
		shift += 7;
	} while (*byte & 0x80);
	*ret_value = value;
	return true;
}

bool itp_cfi_take_signed(struct itp_bytes *bytes, int64_t *ret_value)
{
	const uint8_t *begin = bytes->data;
	uint64_t value;
	size_t bits;

	if (!itp_cfi_take_unsigned(bytes, &value)) {
		return false;
	}
	bits = 7 * (size_t)(bytes->data - begin);
	if (bits < 64 && (bytes->data[-1] & 0x40)) {
		value |= UINT64_MAX << bits;
	}
	*ret_value = (int64_t)value;
	return true;
}

static bool take_byte(struct itp_bytes *bytes, uint8_t *ret_value)
{
	const uint8_t *byte = itp_bytes_take(bytes, 1);

	if (byte) {
		*ret_value = *byte;
	}
	return byte != NULL;
}

/* 0 for encodings without a fixed size. */
static size_t encoded_bytes(const struct itp_cfi_section *section, uint8_t encoding)
{
	switch (encoding & 0x07) {
	case DW_EH_PE_absptr:
		return section->address_bytes;
	case DW_EH_PE_udata8:
		return 8;
	case DW_EH_PE_udata2:
		return 2;
	case DW_EH_PE_udata4:
		return 4;
	default:
		return 0;
	}
}

/* A number of a fixed size, with its sign if the encoding has a sign. */
static bool take_encoded(const struct itp_cfi_section *section, struct itp_bytes *bytes,
			 uint8_t encoding, uint64_t *ret_value)
{
	size_t size = encoded_bytes(section, encoding);
	bool is_signed = encoding & DW_EH_PE_signed;
	const uint8_t *place = size > 0 ? itp_bytes_take(bytes, size) : NULL;

	if (!place) {
		return false;
	}
	if (size == 2) {
		uint16_t value = itp_load_u16(place);

		*ret_value = is_signed ? (uint64_t)(int64_t)(int16_t)value : value;
	} else if (size == 4) {
		uint32_t value = itp_load_u32(place);

		*ret_value = is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
	} else {
		*ret_value = itp_load_u64(place);
	}
	return true;
}

bool itp_cfi_take_address(const struct itp_cfi_section *section, struct itp_bytes *bytes,
			  uint8_t encoding, uint64_t *ret_address)
{
	uint64_t place = section->vaddr + (uint64_t)(bytes->data - section->bytes.data);
	uint64_t all = section->address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t value;

	if (!take_encoded(section, bytes, encoding, &value)) {
		return false;
	}
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		*ret_address = value & all;
		return true;
	case DW_EH_PE_pcrel:
		*ret_address = (place + value) & all;
		return true;
	default:
		return false;
	}
}

static bool read_entry(const struct itp_cfi_section *section, uint64_t offset,
		       struct entry *ret_entry)
{
	struct itp_bytes bytes = section->bytes;
	uint32_t short_length;
	uint64_t length;
	uint32_t short_id;

	if (!itp_bytes_take(&bytes, offset) || !itp_bytes_u32(&bytes, &short_length)) {
		return false;
	}
	length = short_length;
	ret_entry->is_64_bit = short_length == LENGTH_IS_64_BIT;
	if (ret_entry->is_64_bit && !itp_bytes_u64(&bytes, &length)) {
		return false;
	}
	if (length == 0 || length > bytes.size) {
		return false;
	}
	bytes.size = (size_t)length;
	ret_entry->id_offset = (uint64_t)(bytes.data - section->bytes.data);
	ret_entry->next = ret_entry->id_offset + length;
	if (ret_entry->is_64_bit) {
		if (!itp_bytes_u64(&bytes, &ret_entry->id)) {
			return false;
		}
	} else {
		if (!itp_bytes_u32(&bytes, &short_id)) {
			return false;
		}
		ret_entry->id = short_id;
	}
	ret_entry->rest = bytes;
	return true;
}

bool itp_cfi_next_entry(const struct itp_cfi_section *section, uint64_t offset, uint64_t *ret_next)
{
	struct entry entry;

	if (!read_entry(section, offset, &entry)) {
		return false;
	}
	*ret_next = entry.next;
	return true;
}

static bool is_common(const struct itp_cfi_section *section, const struct entry *entry)
{
	if (section->is_eh_frame) {
		return entry->id == 0;
	}
	return entry->id == (entry->is_64_bit ? UINT64_MAX : UINT32_MAX);
}

/* The augmentation's data, letter by letter. */
static bool read_augmentation(const struct itp_cfi_section *section, struct itp_bytes data,
			      const char *letters, struct itp_cfi_common *common)
{
	uint8_t encoding;

	for (; *letters != '\0'; letters++) {
		switch (*letters) {
		case 'S':
			common->is_signal_frame = true;
			break;
		case 'B':
		case 'G':
			break;
		case 'L':
			if (!take_byte(&data, &common->table_encoding)) {
				return false;
			}
			break;
		case 'P':
			if (!take_byte(&data, &encoding) || encoded_bytes(section, encoding) == 0 ||
			    !itp_bytes_take(&data, encoded_bytes(section, encoding))) {
				return false;
			}
			break;
		case 'R':
			if (!take_byte(&data, &common->encoding)) {
				return false;
			}
			break;
		default:
			return false;
		}
	}
	return true;
}

/* From version 4 on, the sizes of addresses and of segment selectors come next. */
static bool take_sizes(const struct itp_cfi_section *section, struct itp_bytes *bytes,
		       uint8_t version)
{
	const uint8_t *sizes;

	if (version < 4) {
		return true;
	}
	sizes = itp_bytes_take(bytes, 2);
	return sizes && sizes[0] == section->address_bytes && sizes[1] == 0;
}

static bool take_return_register(struct itp_bytes *bytes, uint8_t version, uint64_t *ret_number)
{
	uint8_t number;

	if (version > 1) {
		return itp_cfi_take_unsigned(bytes, ret_number);
	}
	if (!take_byte(bytes, &number)) {
		return false;
	}
	*ret_number = number;
	return true;
}

static bool read_common(const struct itp_cfi_section *section, uint64_t offset,
			struct itp_cfi_common *common)
{
	struct entry entry;
	struct itp_bytes data;
	uint8_t version;
	const char *augmentation;
	uint64_t length;

	if (!read_entry(section, offset, &entry) || !is_common(section, &entry) ||
	    !take_byte(&entry.rest, &version) || (version != 1 && version != 3 && version != 4)) {
		return false;
	}
	augmentation = itp_bytes_string(&entry.rest);
	if (!augmentation || !take_sizes(section, &entry.rest, version) ||
	    !itp_cfi_take_unsigned(&entry.rest, &common->code_factor) ||
	    !itp_cfi_take_signed(&entry.rest, &common->data_factor) ||
	    !take_return_register(&entry.rest, version, &common->return_register)) {
		return false;
	}
	common->encoding = DW_EH_PE_absptr;
	common->table_encoding = DW_EH_PE_omit;
	common->is_signal_frame = false;
	common->has_augmentation = augmentation[0] == 'z';
	if (common->has_augmentation) {
		if (!itp_cfi_take_unsigned(&entry.rest, &length)) {
			return false;
		}
		data = (struct itp_bytes){ .data = entry.rest.data, .size = (size_t)length };
		if (!itp_bytes_take(&entry.rest, length) ||
		    !read_augmentation(section, data, augmentation + 1, common)) {
			return false;
		}
	} else if (augmentation[0] != '\0') {
		return false;
	}
	common->program = entry.rest;
	return true;
}

/* Reads over the augmentation of a function's entry, for its exception table. */
static bool take_function_augmentation(const struct itp_cfi_section *section,
				       struct itp_bytes *bytes, struct itp_cfi_function *function)
{
	struct itp_bytes data;
	uint64_t length;
	uint64_t place;
	uint64_t raw;

	function->exception_table = 0;
	if (!function->common.has_augmentation) {
		return true;
	}
	if (!itp_cfi_take_unsigned(bytes, &length)) {
		return false;
	}
	data = (struct itp_bytes){ .data = bytes->data, .size = (size_t)length };
	if (!itp_bytes_take(bytes, length)) {
		return false;
	}
	if (function->common.table_encoding == DW_EH_PE_omit) {
		return true;
	}
	place = section->vaddr + (uint64_t)(data.data - section->bytes.data);
	if (!itp_cfi_take_address(section, &data, function->common.table_encoding, &raw)) {
		/* A table exists, at an unknown place. */
		function->exception_table = UINT64_MAX;
	} else if ((function->common.table_encoding & 0xf0) == DW_EH_PE_absptr || raw != place) {
		function->exception_table = raw;
	}
	return true;
}

bool itp_cfi_read_function(const struct itp_cfi_section *section, uint64_t offset,
			   struct itp_cfi_function *ret_function)
{
	struct itp_cfi_function *function = ret_function;
	struct entry entry;
	uint64_t common_offset;
	uint64_t size;

	if (!read_entry(section, offset, &entry) || is_common(section, &entry)) {
		return false;
	}
	common_offset = section->is_eh_frame ? entry.id_offset - entry.id : entry.id;
	if (!read_common(section, common_offset, &function->common) ||
	    !itp_cfi_take_address(section, &entry.rest, function->common.encoding,
				  &function->start) ||
	    !take_encoded(section, &entry.rest, function->common.encoding & 0x07, &size)) {
		return false;
	}
	function->end = function->start + size;
	if (!take_function_augmentation(section, &entry.rest, function)) {
		return false;
	}
	function->program = entry.rest;
	return function->end > function->start;
}
