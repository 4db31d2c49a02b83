/* SPDX-License-Identifier: MIT */
/*
 * Opening an ELF file and finding one's way between file offsets and virtual addresses.
 *
 * The path comes out of a recording, and may lead anywhere: only regular files are opened.
 */
#include "common/elf/image.h"

#include "common/base/input-file.h"
#include "common/base/memory.h"
#include "common/elf/build-id.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Real files have about ten. */
#define MAX_SEGMENTS 1024

/* Most bytes of notes with a build id. */
#define MAX_NOTES_BYTES (1024u * 1024)

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

static char *read_notes(const struct itp_elf_image *image, const GElf_Phdr *segment)
{
	size_t size = (size_t)MIN(segment->p_filesz, MAX_NOTES_BYTES);
	g_autofree uint8_t *notes = g_malloc(size);
	ssize_t got = pread(image->file, notes, size, (off_t)segment->p_offset);

	return got == (ssize_t)size ? itp_build_id_from_notes(notes, size) : NULL;
}

static char *read_build_id(const struct itp_elf_image *image)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);
		char *id = segment->p_type == PT_NOTE ? read_notes(image, segment) : NULL;

		if (id) {
			return id;
		}
	}
	return g_strdup("");
}

static bool open_elf(struct itp_elf_image *image)
{
	bool done;

	itp_memory_begin();
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->file, ELF_C_READ, NULL);
	done = is_usable(image->elf) && read_segments(image);
	itp_memory_end();
	return done;
}

int itp_elf_image_look(struct itp_elf_image *image, const char *path)
{
	struct stat status;

	*image = (struct itp_elf_image){ .file = itp_input_file_open(path) };
	if (image->file < 0 || fstat(image->file, &status) != 0) {
		itp_elf_image_release(image);
		return ITP_ERROR_IO;
	}
	image->file_bytes = (uint64_t)status.st_size;
	image->segments = g_array_new(FALSE, FALSE, sizeof(GElf_Phdr));
	if (!open_elf(image)) {
		itp_elf_image_release(image);
		return ITP_ERROR_CORRUPT;
	}
	image->build_id = read_build_id(image);
	return 0;
}

int itp_elf_image_take(struct itp_elf_image *image)
{
	int error = itp_file_map_init(&image->map, image->file);

	image->file = -1;
	if (error == 0 && image->map.bytes.size < image->file_bytes) {
		error = ITP_ERROR_CHANGED;
	}
	if (error == 0) {
		elf_end(image->elf);
		itp_memory_begin();
		image->elf =
			elf_memory((char *)(uintptr_t)image->map.bytes.data, image->map.bytes.size);
		itp_memory_end();
		error = is_usable(image->elf) ? 0 : ITP_ERROR_CORRUPT;
	}
	if (error != 0) {
		itp_elf_image_release(image);
	}
	return error;
}

int itp_elf_image_init(struct itp_elf_image *image, const char *path)
{
	int error = itp_elf_image_look(image, path);

	return error != 0 ? error : itp_elf_image_take(image);
}

void itp_elf_image_release(struct itp_elf_image *image)
{
	int saved_errno = errno;

	if (image->segments) {
		g_array_free(image->segments, TRUE);
	}
	g_free(image->build_id);
	elf_end(image->elf);
	/* 0 in an image without an open file. */
	if (image->file > 0) {
		close(image->file);
	}
	itp_file_map_release(&image->map);
	*image = (struct itp_elf_image){ .file = -1 };
	errno = saved_errno;
}

void itp_elf_image_forget(const struct itp_elf_image *image)
{
	if (image->map.watch && !image->is_written) {
		itp_file_map_forget(&image->map, 0, image->map.bytes.size);
	}
}

bool itp_elf_image_vaddr(const struct itp_elf_image *image, uint64_t offset, uint64_t *ret_vaddr)
{
	bool found = false;

	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);
		const uint64_t before =
			segment->p_flags & PF_X ? segment->p_offset & ITP_PAGE_MASK : 0;
		const uint64_t begin = segment->p_offset - before;

		if (segment->p_type != PT_LOAD || offset < begin ||
		    offset - begin >= before + segment->p_filesz) {
			continue;
		}
		*ret_vaddr = segment->p_vaddr - before + (offset - begin);
		found = true;
		/* Segments may share a page of the file; code is preferred. */
		if (segment->p_flags & PF_X) {
			break;
		}
	}
	return found;
}

struct itp_bytes itp_elf_image_contents(const struct itp_elf_image *image, const GElf_Phdr *segment)
{
	struct itp_bytes bytes = image->map.bytes;

	if (!itp_bytes_take(&bytes, segment->p_offset) || segment->p_filesz > bytes.size) {
		return (struct itp_bytes){ .data = NULL };
	}
	bytes.size = segment->p_filesz;
	return bytes;
}

const GElf_Phdr *itp_elf_image_loaded(const struct itp_elf_image *image, uint64_t vaddr)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && vaddr >= segment->p_vaddr &&
		    vaddr - segment->p_vaddr < segment->p_filesz) {
			return segment;
		}
	}
	return NULL;
}

struct itp_bytes itp_elf_image_at(const struct itp_elf_image *image, uint64_t vaddr)
{
	const GElf_Phdr *segment = itp_elf_image_loaded(image, vaddr);
	struct itp_bytes bytes = { .data = NULL };

	if (segment) {
		bytes = itp_elf_image_contents(image, segment);
		itp_bytes_take(&bytes, vaddr - segment->p_vaddr);
	}
	return bytes;
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

bool itp_elf_image_needs_others(const struct itp_elf_image *image)
{
	const GElf_Phdr *segment = itp_elf_image_segment(image, PT_DYNAMIC);
	struct itp_bytes bytes = { .data = NULL };
	uint64_t tag;
	uint64_t value;

	if (segment) {
		bytes = itp_elf_image_contents(image, segment);
	}
	while (itp_bytes_u64(&bytes, &tag) && itp_bytes_u64(&bytes, &value) && tag != DT_NULL) {
		if (tag == DT_NEEDED) {
			return true;
		}
	}
	return false;
}

/* Visitor of names found by other files. `data` is the asker's. False ends the search. */
typedef bool export_func(const GElf_Sym *symbol, const char *name, void *data);

static bool each_of_section(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			    export_func *function, void *data)
{
	Elf_Data *symbols = elf_getdata(section, NULL);
	size_t count = symbols && header->sh_entsize > 0 ? symbols->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < MIN(count, G_MAXINT); i++) {
		const char *name;
		GElf_Sym symbol;

		if (!gelf_getsym(symbols, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
		    symbol.st_value == 0) {
			continue;
		}
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && !function(&symbol, name, data)) {
			return false;
		}
	}
	return true;
}

static void each_export(const struct itp_elf_image *image, export_func *function, void *data)
{
	Elf_Scn *section = NULL;
	bool goes_on = true;

	itp_memory_begin();
	while (goes_on && (section = elf_nextscn(image->elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM) {
			goes_on = each_of_section(image->elf, section, &header, function, data);
		}
	}
	itp_memory_end();
}

struct export_search {
	const char *name;
	uint64_t vaddr;
	bool is_found;
};

static bool compare_export(const GElf_Sym *symbol, const char *name, void *data)
{
	struct export_search *search = data;

	search->is_found = symbol->st_value == search->vaddr && strcmp(name, search->name) == 0;
	return !search->is_found;
}

bool itp_elf_image_exports(const struct itp_elf_image *image, const char *name, uint64_t vaddr)
{
	struct export_search search = { .name = name, .vaddr = vaddr };

	each_export(image, compare_export, &search);
	return search.is_found;
}

static bool find_function(const GElf_Sym *symbol, const char *name, void *data)
{
	struct export_search *search = data;

	search->is_found = GELF_ST_TYPE(symbol->st_info) == STT_FUNC &&
			   strcmp(name, search->name) == 0;
	search->vaddr = symbol->st_value;
	return !search->is_found;
}

bool itp_elf_image_find_export(const struct itp_elf_image *image, const char *name,
			       uint64_t *ret_vaddr)
{
	struct export_search search = { .name = name };

	each_export(image, find_function, &search);
	if (search.is_found) {
		*ret_vaddr = search.vaddr;
	}
	return search.is_found;
}

struct symbol_search {
	const char *name;
	GElf_Sym *symbol;
	bool is_found;
};

static bool find_symbol(const GElf_Sym *symbol, const char *name, void *data)
{
	struct symbol_search *search = data;

	search->is_found = strcmp(name, search->name) == 0;
	*search->symbol = *symbol;
	return !search->is_found;
}

bool itp_elf_image_find_symbol(const struct itp_elf_image *image, const char *name,
			       GElf_Sym *ret_symbol)
{
	struct symbol_search search = { .name = name, .symbol = ret_symbol };

	each_export(image, find_symbol, &search);
	return search.is_found;
}

struct names_search {
	uint64_t vaddr;
	const char **names;
	size_t count;
	size_t size;
};

static bool add_name(const GElf_Sym *symbol, const char *name, void *data)
{
	struct names_search *search = data;

	if (symbol->st_value == search->vaddr) {
		search->names[search->count++] = name;
	}
	return search->count < search->size;
}

size_t itp_elf_image_names(const struct itp_elf_image *image, uint64_t vaddr,
			   const char **ret_names, size_t size)
{
	struct names_search search = { .vaddr = vaddr, .names = ret_names, .size = size };

	each_export(image, add_name, &search);
	return search.count;
}
