/* SPDX-License-Identifier: MIT */
/*
 * Fields of a record that tells what a process has mapped.
 */
#ifndef ITP_PERF_DATA_MAPPING_H
#define ITP_PERF_DATA_MAPPING_H

#include "common/perf-data/file.h"
#include "common/symbol/symbolizer.h"

/* A bit of such a record's misc: it has the file's build id. Newer than some headers. */
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
	/* Byte code, or what else a recorder has put into chains: it is not executable, and not
	 * marked as data, which the kernel and perf do. */
	bool is_byte_code;
	bool is_private;
	/* Of the file; 0 when the record does not tell. */
	uint64_t inode;
	/* As text, "" when the record does not tell. */
	char build_id[2 * ITP_BUILD_ID_MOST + 1];
};

/* Of a PERF_RECORD_MMAP or MMAP2 without its trailer; false when it is too short for them. */
bool itp_perf_record_mapping(const struct itp_perf_record *record,
			     struct itp_perf_mapping *ret_mapping);

/* Valid as long as *mapping and the record. */
struct itp_map_request itp_perf_mapping_request(const struct itp_perf_mapping *mapping);

#endif
