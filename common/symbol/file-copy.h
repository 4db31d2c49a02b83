/* SPDX-License-Identifier: MIT */
/*
 * A file as memory, like a mapping, but read: a file that somebody shortens meanwhile leads to an
 * error here, where touching a mapping of it would end the process (SIGBUS).
 *
 * All of the file has its place in memory from the beginning; what is to be looked at must be
 * loaded first. That happens in blocks, each of which is read once until it is forgotten. What was
 * not loaded must not be looked at; what could not be read is all zeros.
 */
#ifndef ITP_SYMBOL_FILE_COPY_H
#define ITP_SYMBOL_FILE_COPY_H

#include "common/error.h"
#include "common/symbol/bytes.h"

#define ITP_FILE_COPY_SPARES 8

struct itp_file_copy {
	/* As large as the file was when it was opened. Owned by this (mmap). */
	struct itp_bytes bytes;
	/* Owned by this; -1 when all of the file is loaded and stays. */
	int file;
	/* A power of two. */
	unsigned int block_shift;
	/* Whether each block is loaded. Owned by this. */
	bool *is_loaded;
	/* Offsets of blocks that were forgotten and still have memory, which is cheaper to move to
	 * others than to get anew. */
	size_t spares[ITP_FILE_COPY_SPARES];
	unsigned int spare_count;
	/* 0, or what went wrong first: ITP_ERROR_CHANGED, or ITP_ERROR_IO with its errno. */
	int error;
	int saved_errno;
};

/* Takes the descriptor `file`, of a regular file that is not empty, also on error. Returns 0,
 * ITP_ERROR_MEMORY, or ITP_ERROR_IO with errno set. Blocks have 2^block_shift bytes, at least a
 * page. */
int itp_file_copy_init(struct itp_file_copy *copy, int file, unsigned int block_shift);
void itp_file_copy_release(struct itp_file_copy *copy);

/* Reads block by block what is not loaded of [data, data + size), which lies in `bytes`. */
int itp_file_copy_read(struct itp_file_copy *copy, const uint8_t *data, size_t size);

/* The memory of the whole blocks in [begin, end) goes. They can be loaded again. */
void itp_file_copy_forget(struct itp_file_copy *copy, uint64_t begin, uint64_t end);

/* Makes sure that [data, data + size), which lies in `bytes`, can be looked at. Returns 0 or
 * `error`, with errno set for ITP_ERROR_IO. */
static inline int itp_file_copy_load(struct itp_file_copy *copy, const uint8_t *data, size_t size)
{
	size_t first = (size_t)(data - copy->bytes.data) >> copy->block_shift;
	size_t last = ((size_t)(data - copy->bytes.data) + size - 1) >> copy->block_shift;

	if (size == 0 || (first == last && copy->is_loaded[first] && copy->error == 0)) {
		return 0;
	}
	return itp_file_copy_read(copy, data, size);
}

#endif
