/* SPDX-License-Identifier: MIT */
/*
 * See mapping.h.
 */
#include "common/perf-data/mapping.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include "common/elf/section.h"

/* pid, tid, address, length, page offset; MMAP2 has 32 more: inode or build id of the file, then
 * protection and flags. */
#define MMAP_BYTES 32
#define MMAP2_FILE_BYTES 24
#define MMAP2_BUILD_ID_OFFSET 4
#define MMAP2_INODE_OFFSET 8

/* Linux 3.10 to 3.15 wrote neither protection nor flags: the path comes in their place, and begins
 * with two characters. A protection has lower bits only, and perf inject's stand-in for it, a
 * file's mode, has higher ones. */
static bool is_path(uint32_t protection)
{
	return g_ascii_isgraph((char)(protection & UINT8_MAX)) &&
	       g_ascii_isgraph((char)(protection >> 8 & UINT8_MAX));
}

/* PERF_RECORD_MMAP2's part between the addresses and the path. */
static bool take_mmap2(struct itp_bytes *body, uint16_t misc, struct itp_perf_mapping *mapping)
{
	const uint8_t *place = itp_bytes_take(body, MMAP2_FILE_BYTES);
	g_autofree char *build_id = NULL;
	struct itp_bytes rest = *body;
	uint32_t protection;
	uint32_t flags;

	if (!place || !itp_bytes_u32(&rest, &protection) || !itp_bytes_u32(&rest, &flags)) {
		return false;
	}
	if (!is_path(protection)) {
		mapping->is_executable = protection & PROT_EXEC;
		mapping->is_private = flags & MAP_PRIVATE;
		*body = rest;
	}
	if (misc & ITP_MISC_MMAP_BUILD_ID) {
		build_id = itp_build_id_text(place + MMAP2_BUILD_ID_OFFSET,
					     MIN(place[0], ITP_BUILD_ID_MOST));
		g_strlcpy(mapping->build_id, build_id, sizeof(mapping->build_id));
	} else {
		mapping->inode = itp_load_u64(place + MMAP2_INODE_OFFSET);
	}
	return true;
}

bool itp_perf_record_mapping(const struct itp_perf_record *record,
			     struct itp_perf_mapping *ret_mapping)
{
	struct itp_bytes body = record->body;
	const uint8_t *fixed = itp_bytes_take(&body, MMAP_BYTES);
	struct itp_perf_mapping mapping = {
		.is_executable = !(record->misc & PERF_RECORD_MISC_MMAP_DATA),
	};

	if (!fixed ||
	    (record->type == PERF_RECORD_MMAP2 && !take_mmap2(&body, record->misc, &mapping))) {
		return false;
	}
	mapping.is_byte_code = !mapping.is_executable &&
			       !(record->misc & PERF_RECORD_MISC_MMAP_DATA);
	mapping.pid = (int32_t)itp_load_u32(fixed);
	mapping.start = itp_load_u64(fixed + 8);
	mapping.length = itp_load_u64(fixed + 16);
	mapping.offset = itp_load_u64(fixed + 24);
	mapping.path = itp_bytes_string(&body);
	*ret_mapping = mapping;
	return mapping.path != NULL;
}

struct itp_map_request itp_perf_mapping_request(const struct itp_perf_mapping *mapping)
{
	return (struct itp_map_request){
		.start = mapping->start,
		.length = mapping->length,
		.offset = mapping->offset,
		.path = mapping->path,
		.build_id = mapping->build_id[0] != '\0' ? mapping->build_id : NULL,
		.inode = mapping->inode,
		.pid = mapping->pid,
		.is_private = mapping->is_private,
		.is_byte_code = mapping->is_byte_code,
	};
}
