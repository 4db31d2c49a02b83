/* SPDX-License-Identifier: MIT */
/*
 * The vdso is a file that exists in memory only. Recordings lack it, but a recording made under the
 * running kernel saw the vdso of this process, too.
 */
#include "common/elf/section.h"
#include "common/unwind/unwind.h"

#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Bytes of a vdso, at most; real ones have two or three pages. */
#define MAX_VDSO_BYTES (256u * 1024)

/* Size of the file: its section headers come last. */
static size_t size_of(const GElf_Ehdr *header)
{
	uint64_t headers = (uint64_t)header->e_shnum * header->e_shentsize;

	if (header->e_shoff > MAX_VDSO_BYTES || headers > MAX_VDSO_BYTES) {
		return 0;
	}
	return (size_t)(header->e_shoff + headers);
}

/* The kernel's pointer to its vdso; NULL for none. */
static const void *find_vdso(void)
{
	return (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
}

uint64_t itp_unwind_vdso_bytes(void)
{
	const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	const void *memory = find_vdso();

	return memory ? (size_of(memory) + page_bytes - 1) / page_bytes * page_bytes : 0;
}

int itp_unwind_open_vdso(struct itp_elf_image *image, uint64_t mapped_bytes, const char *build_id)
{
	const void *memory = find_vdso();
	size_t size = memory ? size_of(memory) : 0;
	int error;

	errno = ENOENT;
	if (size == 0 || (mapped_bytes != 0 && mapped_bytes != itp_unwind_vdso_bytes())) {
		return ITP_ERROR_IO;
	}
	error = itp_elf_image_from_memory(image, memory, size);
	if (error == 0 && !itp_build_id_may_equal(build_id, image->build_id)) {
		itp_elf_image_release(image);
		errno = ENOENT;
		error = ITP_ERROR_IO;
	}
	return error;
}
