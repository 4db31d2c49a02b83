/* SPDX-License-Identifier: MIT */
/*
 * Fields of a record about a mapping of a process.
 */
#ifndef ITP_PERF_DATA_MAPPING_H
#define ITP_PERF_DATA_MAPPING_H

#include "common/perf-data/file.h"
#include "common/symbol/symbolizer.h"

/* Bit of the record's misc: it has the file's build id. Newer than some headers. */
#define ITP_MISC_MMAP_BUILD_ID (1u << 14)

#define ITP_BUILD_ID_MOST 20

struct itp_perf_mapping {
	int32_t pid;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	/* Weak: part of the record. */
	const char *path;
	bool is_executable;
	/* Byte code, or other things put into chains by a recorder: not executable, and not marked
	 * as data by the kernel or perf. */
	bool is_byte_code;
	bool is_private;
	/* Inode of the file; 0 when unknown. */
	uint64_t inode;
	/* Build id of the file as text, "" when unknown. */
	char build_id[2 * ITP_BUILD_ID_MOST + 1];
};

/* The mapping in a PERF_RECORD_MMAP or MMAP2 without its trailer; false when too short. */
bool itp_perf_record_mapping(const struct itp_perf_record *record,
			     struct itp_perf_mapping *ret_mapping);

/* Valid as long as *mapping and the record. */
struct itp_map_request itp_perf_mapping_request(const struct itp_perf_mapping *mapping);

#endif
