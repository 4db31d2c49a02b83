/* SPDX-License-Identifier: MIT */
/* Where the bytes of an ELF file are in memory: files of a header and segments alone. */
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "common/elf/image.h"

#define FILE_BYTES 0x3000

/* Writes a file of these segments, and opens it. Its name is in `path`. */
static void init_image(struct itp_elf_image *image, char *path, const Elf64_Phdr *segments,
		       Elf64_Half count)
{
	g_autofree char *bytes = g_malloc0(FILE_BYTES);
	const Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
						 ELFDATA2LSB, EV_CURRENT },
				    .e_type = ET_DYN,
				    .e_machine = EM_X86_64,
				    .e_version = EV_CURRENT,
				    .e_phoff = sizeof(header),
				    .e_ehsize = sizeof(header),
				    .e_phentsize = sizeof(*segments),
				    .e_phnum = count };
	const int file = g_mkstemp(path);

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), segments, sizeof(*segments) * count);
	g_assert_cmpint(write(file, bytes, FILE_BYTES), ==, FILE_BYTES);
	close(file);
	g_assert_cmpint(itp_elf_image_init(image, path), ==, 0);
}

static void assert_vaddr(const struct itp_elf_image *image, uint64_t offset, uint64_t wanted)
{
	uint64_t vaddr = 0;

	g_assert_true(itp_elf_image_vaddr(image, offset, &vaddr));
	g_assert_cmphex(vaddr, ==, wanted);
}

/* As linked by lld: code begins in the middle of the file's second page, and a page further on in
 * memory. The page is mapped twice, once with the data before. */
static void test_code_begins_within_a_page(void)
{
	static const Elf64_Phdr segments[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 0x1f30, .p_memsz = 0x1f30 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = 0x1f30,
		  .p_vaddr = 0x2f30,
		  .p_filesz = 0x800,
		  .p_memsz = 0x800 },
	};
	char path[] = "/tmp/introperf-image.XXXXXX";
	struct itp_elf_image image;
	uint64_t vaddr;

	init_image(&image, path, segments, G_N_ELEMENTS(segments));
	assert_vaddr(&image, 0x10, 0x10);
	assert_vaddr(&image, 0xfff, 0xfff);
	assert_vaddr(&image, 0x1000, 0x2000);
	assert_vaddr(&image, 0x1f30, 0x2f30);
	assert_vaddr(&image, 0x272f, 0x372f);
	g_assert_false(itp_elf_image_vaddr(&image, 0x2730, &vaddr));
	itp_elf_image_release(&image);
	unlink(path);
}

/* Data in front of whose first byte others lie in the page has no such bytes. */
static void test_data_begins_within_a_page(void)
{
	static const Elf64_Phdr segments[] = {
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_filesz = 0x1200,
		  .p_memsz = 0x1200 },
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_W,
		  .p_offset = 0x1800,
		  .p_vaddr = 0x3800,
		  .p_filesz = 0x100,
		  .p_memsz = 0x100 },
	};
	char path[] = "/tmp/introperf-image.XXXXXX";
	struct itp_elf_image image;
	uint64_t vaddr;

	init_image(&image, path, segments, G_N_ELEMENTS(segments));
	assert_vaddr(&image, 0x1000, 0x1000);
	g_assert_false(itp_elf_image_vaddr(&image, 0x17ff, &vaddr));
	assert_vaddr(&image, 0x1800, 0x3800);
	itp_elf_image_release(&image);
	unlink(path);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/elf-image/code begins within a page", test_code_begins_within_a_page);
	g_test_add_func("/elf-image/data begins within a page", test_data_begins_within_a_page);
	return g_test_run();
}
