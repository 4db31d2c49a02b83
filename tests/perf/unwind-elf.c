/* SPDX-License-Identifier: MIT */
/*
 * Entries are put together byte by byte, their lengths filled in at the end; the file is written to
 * a temporary one that is gone as soon as it is open.
 */
#include "tests/perf/unwind-elf.h"

#include <glib/gstdio.h>
#include <unistd.h>

static void append_u32(GByteArray *bytes, uint32_t value)
{
	value = GUINT32_TO_LE(value);
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
}

static void append_u64(GByteArray *bytes, uint64_t value)
{
	value = GUINT64_TO_LE(value);
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
}

static void append_u8(GByteArray *bytes, uint8_t value)
{
	g_byte_array_append(bytes, &value, 1);
}

/* Fills in the length of the entry that began at `begin`. */
static void end_entry(GByteArray *bytes, guint begin)
{
	uint32_t length = GUINT32_TO_LE(bytes->len - begin - 4);

	memcpy(bytes->data + begin, &length, sizeof(length));
}

void unwind_table_begin(struct unwind_table_maker *maker)
{
	maker->bytes = g_byte_array_new();
	maker->common = 0;
}

void unwind_table_add_common(struct unwind_table_maker *maker, const char *augmentation,
			     uint8_t return_register, const uint8_t *program, size_t size)
{
	maker->common = maker->bytes->len;
	append_u32(maker->bytes, 0);
	append_u32(maker->bytes, 0);
	append_u8(maker->bytes, 1);
	g_byte_array_append(maker->bytes, (const guint8 *)augmentation,
			    (guint)strlen(augmentation) + 1);
	append_u8(maker->bytes, 1);
	append_u8(maker->bytes, 0x78);
	append_u8(maker->bytes, return_register);
	if (augmentation[0] == 'z') {
		append_u8(maker->bytes, 0);
	}
	g_byte_array_append(maker->bytes, program, (guint)size);
	end_entry(maker->bytes, maker->common);
}

void unwind_table_add_function(struct unwind_table_maker *maker, uint64_t start, uint64_t length,
			       const uint8_t *program, size_t size)
{
	guint begin = maker->bytes->len;
	bool is_sized = maker->bytes->data[maker->common + 9] == (guint8)'z';

	append_u32(maker->bytes, 0);
	append_u32(maker->bytes, begin + 4 - maker->common);
	append_u64(maker->bytes, start);
	append_u64(maker->bytes, length);
	if (is_sized) {
		append_u8(maker->bytes, 0);
	}
	g_byte_array_append(maker->bytes, program, (guint)size);
	end_entry(maker->bytes, begin);
}

/* Header, segment, table, names, section headers. */
static GByteArray *make_file(const GByteArray *table, const char *section, uint16_t machine)
{
	GByteArray *file = g_byte_array_new();
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = machine,
		.e_version = EV_CURRENT,
		.e_entry = UNWIND_ENTRY,
		.e_phoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};
	Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X };
	Elf64_Shdr sections[3] = {
		[1] = { .sh_name = 1,
			.sh_type = SHT_PROGBITS,
			.sh_addr = UNWIND_TABLE,
			.sh_offset = UNWIND_TABLE,
			.sh_size = table->len },
		[2] = { .sh_type = SHT_STRTAB,
			.sh_offset = UNWIND_TABLE + table->len,
			.sh_size = strlen(section) + 2 },
	};

	g_byte_array_set_size(file, UNWIND_TABLE);
	memset(file->data, 0, file->len);
	g_byte_array_append(file, table->data, table->len);
	append_u8(file, 0);
	g_byte_array_append(file, (const guint8 *)section, (guint)strlen(section) + 1);
	header.e_shoff = file->len;
	g_byte_array_append(file, (const guint8 *)sections, sizeof(sections));
	segment.p_filesz = file->len;
	segment.p_memsz = file->len;
	memcpy(file->data, &header, sizeof(header));
	memcpy(file->data + sizeof(header), &segment, sizeof(segment));
	return file;
}

bool unwind_elf_init_from(struct unwind_elf *elf, const void *bytes, size_t size)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("introperf-XXXXXX.so", &path, NULL);
	int error = ITP_ERROR_IO;

	elf->cfi = NULL;
	if (fd >= 0) {
		if (write(fd, bytes, size) == (ssize_t)size) {
			error = itp_elf_image_init(&elf->image, path);
		}
		close(fd);
		g_unlink(path);
	}
	if (error == 0) {
		elf->cfi = itp_cfi_new(&elf->image);
	}
	return error == 0;
}

bool unwind_elf_init(struct unwind_elf *elf, GByteArray *table, const char *section,
		     uint16_t machine)
{
	g_autoptr(GByteArray) file = make_file(table, section, machine);

	g_byte_array_unref(table);
	return unwind_elf_init_from(elf, file->data, file->len);
}

void unwind_elf_release(struct unwind_elf *elf)
{
	itp_cfi_free(elf->cfi);
	itp_elf_image_release(&elf->image);
}
