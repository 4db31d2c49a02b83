/* SPDX-License-Identifier: MIT */
/*
 * Sections through libelf, xz through liblzma.
 */
#define _GNU_SOURCE /* memfd_create() */
#include "common/elf/section.h"

#include "common/base/memory.h"

#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>

/* Debian's and Fedora's largest unpack to some 10 MB. */
#define MAX_UNPACKED_BYTES (64u * 1024 * 1024)
#define FIRST_UNPACKED_BYTES (256u * 1024)

#define MAX_SMALL_BYTES (64u * 1024)

/* Most bytes of a section; the symbol table of a browser has some 10 MB. */
#define MAX_INFLATED_BYTES (512u * 1024 * 1024)
/* zlib cannot pack better, by its format. */
#define MAX_INFLATION 1032

/* Most bytes for the decoder; the dictionary of `xz -9` needs 65 MB. */
#define MAX_DECODER_BYTES (80u * 1024 * 1024)

static Elf_Scn *search_section(const struct itp_elf_image *image, uint32_t type, const char *name,
			       GElf_Shdr *ret_header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names) != 0) {
		return NULL;
	}
	while ((section = elf_nextscn(image->elf, section)) != NULL) {
		const char *found;

		if (!gelf_getshdr(section, ret_header)) {
			continue;
		}
		found = elf_strptr(image->elf, names, ret_header->sh_name);
		if (type != SHT_NULL ? ret_header->sh_type == type : g_strcmp0(found, name) == 0) {
			return section;
		}
	}
	return NULL;
}

/* A section of `type`, or named `name` for SHT_NULL. */
static Elf_Scn *find_section(const struct itp_elf_image *image, uint32_t type, const char *name,
			     GElf_Shdr *ret_header)
{
	Elf_Scn *section;

	itp_memory_begin();
	section = search_section(image, type, name, ret_header);
	itp_memory_end();
	return section;
}

struct itp_bytes itp_elf_section_at(const struct itp_elf_image *image, const char *name,
				    uint64_t *ret_vaddr)
{
	struct itp_bytes bytes = image->map.bytes;
	GElf_Shdr header;

	*ret_vaddr = 0;
	if (!find_section(image, SHT_NULL, name, &header) || header.sh_type == SHT_NOBITS ||
	    !itp_bytes_take(&bytes, header.sh_offset) || header.sh_size > bytes.size) {
		return (struct itp_bytes){ .data = NULL };
	}
	bytes.size = header.sh_size;
	*ret_vaddr = header.sh_addr;
	return bytes;
}

struct itp_bytes itp_elf_section(const struct itp_elf_image *image, const char *name)
{
	uint64_t vaddr;

	return itp_elf_section_at(image, name, &vaddr);
}

struct itp_bytes itp_elf_section_small(const struct itp_elf_image *image, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(image, SHT_NULL, name, &header);
	Elf_Data *data = section && header.sh_type != SHT_NOBITS &&
					 header.sh_size <= MAX_SMALL_BYTES ?
				 elf_rawdata(section, NULL) :
				 NULL;

	return (struct itp_bytes){ .data = data ? data->d_buf : NULL,
				   .size = data && data->d_buf ? data->d_size : 0 };
}

/* libelf allocates the promised size before it looks at the contents. */
static bool inflate_section(struct itp_elf_image *image, Elf_Scn *section, uint64_t packed_bytes)
{
	GElf_Chdr header;
	bool done;

	/* libelf notes it in the section's header, inside the map. */
	image->is_written = true;
	itp_memory_begin();
	done = gelf_getchdr(section, &header) && header.ch_size <= MAX_INFLATED_BYTES &&
	       header.ch_size / MAX_INFLATION <= packed_bytes && elf_compress(section, 0, 0) == 1;
	itp_memory_end();
	return done;
}

struct itp_bytes itp_elf_section_inflated(struct itp_elf_image *image, const char *name,
					  uint64_t *ret_vaddr)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(image, SHT_NULL, name, &header);
	Elf_Data *data;

	if (!section || header.sh_type == SHT_NOBITS ||
	    ((header.sh_flags & SHF_COMPRESSED) &&
	     !inflate_section(image, section, header.sh_size))) {
		return (struct itp_bytes){ .data = NULL };
	}
	*ret_vaddr = header.sh_addr;
	data = elf_rawdata(section, NULL);
	return (struct itp_bytes){ .data = data ? data->d_buf : NULL,
				   .size = data && data->d_buf ? data->d_size : 0 };
}

bool itp_elf_has_symbol_table(const struct itp_elf_image *image)
{
	GElf_Shdr header;

	return find_section(image, SHT_SYMTAB, NULL, &header) != NULL;
}

int itp_elf_image_from_memory(struct itp_elf_image *image, const void *bytes, size_t size)
{
	int fd = memfd_create("introperf", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	int error = ITP_ERROR_IO;

	*image = (struct itp_elf_image){ .elf = NULL };
	if (fd < 0) {
		return ITP_ERROR_IO;
	}
	if (write(fd, bytes, size) == (ssize_t)size) {
		error = itp_elf_image_init(image, path);
	}
	close(fd);
	return error;
}

/* Doubles the room for unpacked bytes. */
static int grow_unpacked(uint8_t **unpacked, lzma_stream *stream, size_t *size)
{
	size_t larger = *size == 0 ? FIRST_UNPACKED_BYTES : 2 * *size;

	if (larger > MAX_UNPACKED_BYTES) {
		return ITP_ERROR_LIMIT;
	}
	*unpacked = g_realloc(*unpacked, larger);
	stream->next_out = *unpacked + *size;
	stream->avail_out = larger - *size;
	*size = larger;
	return 0;
}

static int unpack(lzma_stream *stream, uint8_t **unpacked)
{
	lzma_ret result = LZMA_OK;
	size_t size = 0;

	while (result == LZMA_OK) {
		int error = stream->avail_out == 0 ? grow_unpacked(unpacked, stream, &size) : 0;

		if (error != 0) {
			return error;
		}
		result = lzma_code(stream, LZMA_FINISH);
	}
	return result == LZMA_STREAM_END ? 0 : ITP_ERROR_CORRUPT;
}

int itp_elf_unpack_debugdata(const struct itp_elf_image *image, struct itp_elf_image *ret_packed)
{
	struct itp_bytes section = itp_elf_section(image, ".gnu_debugdata");
	lzma_stream stream = LZMA_STREAM_INIT;
	g_autofree uint8_t *unpacked = NULL;
	int error;

	if (section.size == 0) {
		return ITP_ERROR_IO;
	}
	itp_memory_begin();
	if (lzma_stream_decoder(&stream, MAX_DECODER_BYTES, 0) != LZMA_OK) {
		itp_memory_end();
		return ITP_ERROR_MEMORY;
	}
	stream.next_in = section.data;
	stream.avail_in = section.size;
	error = unpack(&stream, &unpacked);
	itp_memory_end();
	if (error == 0) {
		error = itp_elf_image_from_memory(ret_packed, unpacked, stream.total_out);
	}
	lzma_end(&stream);
	return error;
}
