/* SPDX-License-Identifier: MIT */
/*
 * A file as memory. A touch behind the end of a mapped file, shortened by somebody, ends a process
 * (SIGBUS); here it gives zeros, and the map says that its file has changed. Bytes read count only
 * if the map is unchanged afterwards.
 *
 * Each number is to be read once and checked before it is used, as everywhere: writes of others to
 * the file show in the map.
 *
 * As long as there are maps, the process has a handler for SIGBUS, which hands on signals from
 * elsewhere to the previous one. Maps may be made, released and read by several threads.
 */
#ifndef ITP_ELF_FILE_MAP_H
#define ITP_ELF_FILE_MAP_H

#include "common/base/error.h"
#include "common/elf/bytes.h"

struct itp_watch;

struct itp_file_map {
	/* Bytes, as many as the file had when opened. Owned by this (mmap). */
	struct itp_bytes bytes;
	/* Time of the last write before the file was opened, in seconds since 1970. */
	int64_t modified_s;
	/* Entry in the handler's table. Weak. */
	struct itp_watch *watch;
};

/* Maps the regular file `file`; closes the descriptor, also on error. Writes to the map stay in the
 * map. Returns 0, ITP_ERROR_CHANGED for an empty file, or ITP_ERROR_IO with errno set. */
int itp_file_map_init(struct itp_file_map *map, int file);
/* Releases a map; nothing happens to one that is all zeros. */
void itp_file_map_release(struct itp_file_map *map);

/* Gives back the memory of [begin, end) of the file, hardly needed again, except for the page begun
 * before. It stays readable. */
void itp_file_map_forget(const struct itp_file_map *map, uint64_t begin, uint64_t end);

/* True when the file has become shorter, and zeros may have been read; or a part could not be read.
 * Less than a page at its end may be missing without that. False without a map. */
bool itp_file_map_has_changed(const struct itp_file_map *map);

#endif
