/* SPDX-License-Identifier: MIT */
/*
 * See elf-copy.h. The copy is a temporary file without a name, as memory that a file is behind can
 * go and come again; without room for one it is memory only.
 */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY() */

#include "common/symbol/elf-copy.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* The largest browsers have a tenth of that, without what is left out. */
#define MAX_COPIED_BYTES (UINT64_C(4) * 1024 * 1024 * 1024)
#define BUFFER_BYTES (64u * 1024)

/* Of the file: [begin, end). */
struct part {
	uint64_t begin;
	uint64_t end;
};

/* What debuggers know of lines and variables, most of a large file. */
static bool is_left_out(const char *name)
{
	return (g_str_has_prefix(name, ".debug_") || g_str_has_prefix(name, ".zdebug_")) &&
	       !g_str_equal(name, ".debug_frame");
}

static gint compare_parts(gconstpointer a, gconstpointer b)
{
	const struct part *left = a;
	const struct part *right = b;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

/* struct part, by their places. */
static GArray *parts_left_out(Elf *elf)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	Elf_Scn *section = NULL;
	size_t names;

	while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;
		struct part part;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) {
			continue;
		}
		name = elf_strptr(elf, names, header.sh_name);
		part = (struct part){ .begin = header.sh_offset,
				      .end = header.sh_offset + header.sh_size };
		if (name && is_left_out(name) && part.begin < part.end) {
			g_array_append_val(parts, part);
		}
	}
	g_array_sort(parts, compare_parts);
	return parts;
}

/* Into `target`, a file or, for -1, `memory`. */
static int copy_part(int file, struct part part, int target, uint8_t *memory)
{
	g_autofree uint8_t *buffer = g_malloc(BUFFER_BYTES);

	while (part.begin < part.end) {
		size_t size = (size_t)MIN(part.end - part.begin, BUFFER_BYTES);
		uint8_t *place = target < 0 ? memory + part.begin : buffer;
		ssize_t got = TEMP_FAILURE_RETRY(pread(file, place, size, (off_t)part.begin));

		if (got <= 0) {
			return got < 0 ? ITP_ERROR_IO : ITP_ERROR_CHANGED;
		}
		if (target >= 0 && pwrite(target, buffer, (size_t)got, (off_t)part.begin) != got) {
			return ITP_ERROR_COPY;
		}
		part.begin += (uint64_t)got;
	}
	return 0;
}

static int copy_all(int file, Elf *elf, uint64_t size, int target, uint8_t *memory)
{
	g_autoptr(GArray) left_out = parts_left_out(elf);
	struct part part = { .begin = 0 };
	uint64_t next = 0;
	int error = 0;

	for (guint i = 0; error == 0 && i <= left_out->len; i++) {
		const struct part *hole = &g_array_index(left_out, struct part, i);
		bool is_last = i == left_out->len;

		part = (struct part){ .begin = next, .end = is_last ? size : hole->begin };
		part.end = MIN(part.end, size);
		error = copy_part(file, part, target, memory);
		next = is_last ? size : MAX(next, hole->end);
	}
	return error;
}

static int map_copy(int target, size_t size, uint8_t **ret_memory)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_NORESERVE | (target < 0 ? MAP_ANONYMOUS : 0), target,
			    0);

	if (memory == MAP_FAILED) {
		return ITP_ERROR_MEMORY;
	}
	*ret_memory = memory;
	return 0;
}

/* -1 when there can be none. */
static int open_target(uint64_t size)
{
	g_autofree char *path = NULL;
	int target = g_file_open_tmp("introperf-XXXXXX", &path, NULL);

	if (target >= 0) {
		g_unlink(path);
	}
	if (target >= 0 && ftruncate(target, (off_t)size) != 0) {
		close(target);
		return -1;
	}
	return target;
}

/* ITP_ERROR_COPY when there is no room for it. */
static int copy_to_file(int file, Elf *elf, uint64_t size, uint8_t **ret_memory)
{
	int target = open_target(size);
	int error = target < 0 ? ITP_ERROR_COPY : copy_all(file, elf, size, target, NULL);
	int saved_errno = errno;

	if (error == 0) {
		error = map_copy(target, (size_t)size, ret_memory);
	}
	if (target >= 0) {
		close(target);
	}
	errno = saved_errno;
	return error;
}

static int copy_to_memory(int file, Elf *elf, uint64_t size, uint8_t **ret_memory)
{
	uint8_t *memory = NULL;
	int error = map_copy(-1, (size_t)size, &memory);

	if (error == 0) {
		error = copy_all(file, elf, size, -1, memory);
	}
	if (error == 0) {
		*ret_memory = memory;
	} else if (memory) {
		munmap(memory, (size_t)size);
	}
	return error;
}

int itp_elf_copy(int file, Elf *elf, uint64_t size, struct itp_bytes *ret_bytes,
		 bool *ret_is_memory)
{
	uint8_t *memory = NULL;
	int error;

	if (size > MAX_COPIED_BYTES) {
		return ITP_ERROR_LIMIT;
	}
	error = copy_to_file(file, elf, size, &memory);
	*ret_is_memory = error == ITP_ERROR_COPY;
	if (error == ITP_ERROR_COPY) {
		error = copy_to_memory(file, elf, size, &memory);
	}
	if (error == 0) {
		*ret_bytes = (struct itp_bytes){ .data = memory, .size = (size_t)size };
	}
	return error;
}
