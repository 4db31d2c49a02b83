/* SPDX-License-Identifier: MIT */
/*
 * A file as memory. Touching what a mapped file has no longer, because somebody shortened it, ends
 * a process (SIGBUS); here it gives zeros, and the map says that its file has changed. So what was
 * read counts only if the map does not say so afterwards.
 *
 * Each number is to be read once and checked before it is used, as everywhere: what somebody else
 * writes to the file shows in the map.
 *
 * As long as there are maps, the process has a handler for SIGBUS, which hands on what happens
 * elsewhere to the one before it. Maps may be made, released and read by several threads.
 */
#ifndef ITP_ELF_FILE_MAP_H
#define ITP_ELF_FILE_MAP_H

#include "common/base/error.h"
#include "common/elf/bytes.h"

struct itp_watch;

struct itp_file_map {
	/* As large as the file was when it was opened. Owned by this (mmap). */
	struct itp_bytes bytes;
	/* When it was written last before it was opened, in seconds since 1970. */
	int64_t modified_s;
	/* Where the handler finds it. Weak. */
	struct itp_watch *watch;
};

/* Maps the regular file `file`; closes the descriptor, also on error. What is written to the map
 * stays there. Returns 0, ITP_ERROR_CHANGED for a file that is empty, or ITP_ERROR_IO with errno
 * set. */
int itp_file_map_init(struct itp_file_map *map, int file);
/* Nothing happens to one that is all zeros. */
void itp_file_map_release(struct itp_file_map *map);

/* What lies in [begin, end) of the file will hardly be needed again: its memory can go, except for
 * that of a page begun before. It stays readable. */
void itp_file_map_forget(const struct itp_file_map *map, uint64_t begin, uint64_t end);

/* The file has become shorter, so that what was read may have been zeros; or something of it could
 * not be read. Less than a page at its end may be missing without that. False where there is no
 * map. */
bool itp_file_map_has_changed(const struct itp_file_map *map);

#endif
