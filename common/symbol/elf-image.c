/* SPDX-License-Identifier: MIT */
/*
 * Mapping an ELF file and finding one's way between file offsets and virtual addresses.
 *
 * The path comes out of a recording, so anything may lie there: only regular files are opened.
 */
#include "common/symbol/elf-image.h"

#include "common/symbol/build-id.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Real files have about ten. */
#define MAX_SEGMENTS 1024

static int map_descriptor(int fd, struct itp_bytes *ret_raw)
{
	struct stat status;
	void *memory;

	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		errno = EINVAL;
		return ITP_ERROR_IO;
	}
	if (status.st_size == 0) {
		return ITP_ERROR_CORRUPT;
	}
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_NORESERVE, fd, 0);
	if (memory == MAP_FAILED) {
		return ITP_ERROR_IO;
	}
	*ret_raw = (struct itp_bytes){ .data = memory, .size = (size_t)status.st_size };
	return 0;
}

static int map_regular(const char *path, struct itp_bytes *ret_raw)
{
	/* Without O_NONBLOCK a named pipe would block for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int error;
	int saved_errno;

	if (fd < 0) {
		return ITP_ERROR_IO;
	}
	error = map_descriptor(fd, ret_raw);
	saved_errno = errno;
	close(fd);
	errno = saved_errno;
	return error;
}

static bool is_usable(Elf *elf)
{
	GElf_Ehdr header;

	return elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) &&
	       header.e_ident[EI_DATA] == ELFDATA2LSB;
}

static bool read_segments(struct itp_elf_image *image)
{
	size_t count;

	if (elf_getphdrnum(image->elf, &count) != 0 || count > MAX_SEGMENTS) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(image->elf, (int)i, &segment)) {
			return false;
		}
		g_array_append_val(image->segments, segment);
	}
	return true;
}

static char *read_build_id(const struct itp_elf_image *image)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);
		struct itp_bytes notes = itp_elf_image_contents(image, segment);
		char *id = segment->p_type == PT_NOTE && notes.size > 0 ?
				   itp_build_id_from_notes(notes.data, notes.size) :
				   NULL;

		if (id) {
			return id;
		}
	}
	return g_strdup("");
}

int itp_elf_image_init(struct itp_elf_image *image, const char *path)
{
	int error;

	*image = (struct itp_elf_image){ .elf = NULL };
	error = map_regular(path, &image->raw);
	if (error != 0) {
		return error;
	}
	elf_version(EV_CURRENT);
	image->elf = elf_memory((char *)(uintptr_t)image->raw.data, image->raw.size);
	image->segments = g_array_new(FALSE, FALSE, sizeof(GElf_Phdr));
	if (!is_usable(image->elf) || !read_segments(image)) {
		itp_elf_image_release(image);
		return ITP_ERROR_CORRUPT;
	}
	image->build_id = read_build_id(image);
	return 0;
}

void itp_elf_image_release(struct itp_elf_image *image)
{
	if (image->segments) {
		g_array_free(image->segments, TRUE);
	}
	g_free(image->build_id);
	elf_end(image->elf);
	if (image->raw.data) {
		munmap((void *)(uintptr_t)image->raw.data, image->raw.size);
	}
	*image = (struct itp_elf_image){ .elf = NULL };
}

void itp_elf_image_forget(const struct itp_elf_image *image)
{
	if (image->raw.data && !image->is_changed) {
		madvise((void *)(uintptr_t)image->raw.data, image->raw.size, MADV_DONTNEED);
	}
}

bool itp_elf_image_vaddr(const struct itp_elf_image *image, uint64_t offset, uint64_t *ret_vaddr)
{
	bool found = false;

	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type != PT_LOAD || offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz) {
			continue;
		}
		*ret_vaddr = segment->p_vaddr + (offset - segment->p_offset);
		found = true;
		/* Segments may share a page of the file; code is what counts. */
		if (segment->p_flags & PF_X) {
			break;
		}
	}
	return found;
}

struct itp_bytes itp_elf_image_contents(const struct itp_elf_image *image, const GElf_Phdr *segment)
{
	struct itp_bytes bytes = image->raw;

	if (!itp_bytes_take(&bytes, segment->p_offset) || segment->p_filesz > bytes.size) {
		return (struct itp_bytes){ .data = NULL };
	}
	bytes.size = segment->p_filesz;
	return bytes;
}

struct itp_bytes itp_elf_image_at(const struct itp_elf_image *image, uint64_t vaddr)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && vaddr >= segment->p_vaddr &&
		    vaddr - segment->p_vaddr < segment->p_filesz) {
			struct itp_bytes bytes = itp_elf_image_contents(image, segment);

			itp_bytes_take(&bytes, vaddr - segment->p_vaddr);
			return bytes;
		}
	}
	return (struct itp_bytes){ .data = NULL };
}

const GElf_Phdr *itp_elf_image_segment(const struct itp_elf_image *image, uint32_t type)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == type) {
			return segment;
		}
	}
	return NULL;
}

static bool section_exports(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name,
			    uint64_t vaddr)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < MIN(count, G_MAXINT); i++) {
		GElf_Sym symbol;
		const char *found;

		if (gelf_getsym(data, (int)i, &symbol) && symbol.st_value == vaddr &&
		    symbol.st_shndx != SHN_UNDEF) {
			found = elf_strptr(elf, header->sh_link, symbol.st_name);
			if (found && strcmp(found, name) == 0) {
				return true;
			}
		}
	}
	return false;
}

bool itp_elf_image_exports(const struct itp_elf_image *image, const char *name, uint64_t vaddr)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(image->elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM &&
		    section_exports(image->elf, section, &header, name, vaddr)) {
			return true;
		}
	}
	return false;
}
