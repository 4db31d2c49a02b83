/* SPDX-License-Identifier: MIT */
/*
 * See call-site.h. An indirect call is FF /2, with the length of its operand (Intel's manual,
 * volume 2, section 2.1); prefixes stand before it.
 */
#include "common/unwind/call-site.h"

#include <stddef.h>
#include <string.h>

#define CALL 0xe8
#define CALL_BYTES 5
#define INDIRECT 0xff
#define INDIRECT_REG 2
/* FF, ModRM, SIB, and four bytes of a displacement. */
#define INDIRECT_MOST 7

/* The byte `distance` in front of `address`, NULL outside of the code. */
static const uint8_t *before(const struct itp_unwind_code *code, uint64_t address,
			     uint64_t distance)
{
	uint64_t offset = address - code->begin;

	return offset >= distance && offset <= code->end - code->begin ?
		       &code->bytes[offset - distance] :
		       NULL;
}

bool itp_call_site_target(const struct itp_unwind_code *code, uint64_t address,
			  uint64_t *ret_target)
{
	const uint8_t *call = before(code, address, CALL_BYTES);
	int32_t distance;

	if (!call || *call != CALL) {
		return false;
	}
	memcpy(&distance, call + 1, sizeof(distance));
	*ret_target = address + (uint64_t)(int64_t)distance;
	return true;
}

bool itp_call_site_is_of(const struct itp_unwind_code *code, uint64_t address)
{
	uint64_t target;

	return code->entry != 0 && itp_call_site_target(code, address, &target) &&
	       target == code->entry;
}

/* Length of an indirect call with operand `modrm`, followed by `sib`. */
static size_t indirect_bytes(uint8_t modrm, uint8_t sib)
{
	const uint8_t mode = modrm >> 6;
	const uint8_t base = modrm & 7;
	size_t bytes = 2;

	if (mode == 3) {
		return bytes;
	}
	bytes += base == 4 ? 1 : 0;
	bytes += mode == 1 ? 1 : 0;
	bytes += mode == 2 ? 4 : 0;
	bytes += mode == 0 && (base == 5 || (base == 4 && (sib & 7) == 5)) ? 4 : 0;
	return bytes;
}

bool itp_call_site_is_indirect(const struct itp_unwind_code *code, uint64_t address)
{
	for (size_t bytes = 2; bytes <= INDIRECT_MOST; bytes++) {
		const uint8_t *call = before(code, address, bytes);

		if (call && call[0] == INDIRECT && (call[1] >> 3 & 7) == INDIRECT_REG &&
		    indirect_bytes(call[1], bytes > 2 ? call[2] : 0) == bytes) {
			return true;
		}
	}
	return false;
}
