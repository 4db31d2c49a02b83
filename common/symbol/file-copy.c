/* SPDX-License-Identifier: MIT */
/*
 * See file-copy.h. Addresses are reserved for the whole file; memory is behind those of the blocks
 * that are loaded.
 *
 * Who has opened too many files already gets copies that are read at once and closed.
 */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY() */

#include "common/symbol/file-copy.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Descriptors are numbered from the lowest: half of them are left to others. */
static bool are_descriptors_scarce(int file)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)file >= limit.rlim_cur / 2;
}

static void close_file(struct itp_file_copy *copy)
{
	int saved_errno = errno;

	if (copy->file >= 0) {
		close(copy->file);
	}
	copy->file = -1;
	errno = saved_errno;
}

/* Addresses for `size` bytes, at `place` if that is not NULL. */
static void *reserve(void *place, size_t size)
{
	return mmap(place, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (place ? MAP_FIXED : 0), -1, 0);
}

static int make_room(struct itp_file_copy *copy)
{
	struct stat status;
	void *memory;

	if (fstat(copy->file, &status) != 0) {
		return ITP_ERROR_IO;
	}
	memory = reserve(NULL, (size_t)status.st_size);
	if (memory == MAP_FAILED) {
		return ITP_ERROR_MEMORY;
	}
	copy->bytes = (struct itp_bytes){ .data = memory, .size = (size_t)status.st_size };
	copy->is_loaded = g_try_new0(bool, (copy->bytes.size >> copy->block_shift) + 1);
	return copy->is_loaded ? 0 : ITP_ERROR_MEMORY;
}

int itp_file_copy_init(struct itp_file_copy *copy, int file, unsigned int block_shift)
{
	int error;

	*copy = (struct itp_file_copy){ .file = file, .block_shift = block_shift };
	error = make_room(copy);
	if (error == 0 &&
	    (copy->bytes.size >> block_shift == 0 || are_descriptors_scarce(copy->file))) {
		error = itp_file_copy_load(copy, copy->bytes.data, copy->bytes.size);
		close_file(copy);
	}
	if (error != 0) {
		itp_file_copy_release(copy);
	}
	return error;
}

void itp_file_copy_release(struct itp_file_copy *copy)
{
	int saved_errno = errno;

	close_file(copy);
	if (copy->bytes.data) {
		munmap((void *)(uintptr_t)copy->bytes.data, copy->bytes.size);
	}
	g_free(copy->is_loaded);
	*copy = (struct itp_file_copy){ .file = -1 };
	errno = saved_errno;
}

static uint8_t *place_of(const struct itp_file_copy *copy, size_t offset)
{
	return (uint8_t *)(uintptr_t)copy->bytes.data + offset;
}

/* The block at `offset` may be a spare itself. */
static bool take_back(struct itp_file_copy *copy, size_t offset)
{
	for (unsigned int i = 0; i < copy->spare_count; i++) {
		if (copy->spares[i] == offset) {
			copy->spares[i] = copy->spares[--copy->spare_count];
			return true;
		}
	}
	return false;
}

/* Moves a spare to the block at `offset`, if there is one. */
static void use_spare(struct itp_file_copy *copy, size_t offset)
{
	size_t size = (size_t)1 << copy->block_shift;
	uint8_t *spare;

	if (take_back(copy, offset) || copy->spare_count == 0 || offset + size > copy->bytes.size) {
		return;
	}
	spare = place_of(copy, copy->spares[--copy->spare_count]);
	if (mremap(spare, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place_of(copy, offset)) !=
	    MAP_FAILED) {
		reserve(spare, size);
	}
}

/* A file that ends before it did when it was opened has become shorter. */
static void read_block(struct itp_file_copy *copy, size_t block)
{
	size_t offset = block << copy->block_shift;
	size_t end = MIN(offset + ((size_t)1 << copy->block_shift), copy->bytes.size);

	use_spare(copy, offset);
	copy->is_loaded[block] = true;
	while (offset < end && copy->error == 0) {
		ssize_t got = TEMP_FAILURE_RETRY(
			pread(copy->file, place_of(copy, offset), end - offset, (off_t)offset));

		if (got < 0) {
			copy->saved_errno = errno;
		}
		if (got <= 0) {
			copy->error = got < 0 ? ITP_ERROR_IO : ITP_ERROR_CHANGED;
		} else {
			offset += (size_t)got;
		}
	}
	memset(place_of(copy, offset), 0, end - offset);
}

int itp_file_copy_read(struct itp_file_copy *copy, const uint8_t *data, size_t size)
{
	size_t begin = (size_t)(data - copy->bytes.data);

	for (size_t block = begin >> copy->block_shift;
	     copy->error == 0 && block <= (begin + size - 1) >> copy->block_shift; block++) {
		if (!copy->is_loaded[block]) {
			read_block(copy, block);
		}
	}
	if (copy->error == ITP_ERROR_IO) {
		errno = copy->saved_errno;
	}
	return copy->error;
}

static void forget_block(struct itp_file_copy *copy, size_t block)
{
	size_t offset = block << copy->block_shift;
	size_t size = MIN((size_t)1 << copy->block_shift, copy->bytes.size - offset);

	copy->is_loaded[block] = false;
	if (copy->spare_count < ITP_FILE_COPY_SPARES && size >> copy->block_shift == 1) {
		copy->spares[copy->spare_count++] = offset;
	} else {
		madvise(place_of(copy, offset), size, MADV_DONTNEED);
	}
}

void itp_file_copy_forget(struct itp_file_copy *copy, uint64_t begin, uint64_t end)
{
	uint64_t block_bytes = UINT64_C(1) << copy->block_shift;
	uint64_t first = (begin + block_bytes - 1) >> copy->block_shift;
	/* The last block may be shorter. */
	uint64_t limit = end == copy->bytes.size ? (end + block_bytes - 1) >> copy->block_shift :
						   end >> copy->block_shift;

	if (copy->file < 0 || first >= limit) {
		return;
	}
	for (size_t block = first; block < limit; block++) {
		if (copy->is_loaded[block]) {
			forget_block(copy, block);
		}
	}
}
