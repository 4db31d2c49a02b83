/* SPDX-License-Identifier: MIT */
/*
 * Compressed unwind tables, as linkers leave them (Go's, for one): the compiler makes a library
 * with rules in .debug_frame only, objcopy compresses them.
 */
#include "tests/perf/unwind-elf.h"

#include <glib/gstdio.h>

static const char source[] = "int twice(int (*f)(int), int x) { return f(f(x)) + 1; }\n"
			     "int thrice(int (*f)(int), int x) { return twice(f, f(x)) + 1; }\n";

/* Where the code of so small a library ends at the latest. */
#define CODE_END 0x4000

struct fixture {
	/* NULL where compiler or objcopy are missing. Owned by this. */
	char *plain;
	gsize plain_bytes;
	/* Owned by this. */
	char *compressed;
	gsize compressed_bytes;
};

static bool run(const char *directory, const char *command)
{
	g_auto(GStrv) arguments = g_strsplit(command, " ", -1);
	int status;

	return g_spawn_sync(directory, arguments, NULL,
			    G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				    G_SPAWN_STDERR_TO_DEV_NULL,
			    NULL, NULL, NULL, NULL, &status, NULL) &&
	       g_spawn_check_wait_status(status, NULL);
}

/* Takes the file away, too. */
static char *read_file(const char *directory, const char *name, gsize *ret_size)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	char *contents = NULL;

	g_file_get_contents(path, &contents, ret_size, NULL);
	g_unlink(path);
	return contents;
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *directory = g_dir_make_tmp("introperf-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "source.c", NULL);

	(void)data;
	g_assert_true(g_file_set_contents(path, source, -1, NULL));
	if (run(directory, "cc -shared -nostdlib -fPIC -O2 -g -fno-asynchronous-unwind-tables "
			   "-fno-unwind-tables -o plain.so source.c")) {
		run(directory, "objcopy --decompress-debug-sections plain.so");
		run(directory,
		    "objcopy --compress-debug-sections=zlib-gabi plain.so compressed.so");
	}
	fixture->plain = read_file(directory, "plain.so", &fixture->plain_bytes);
	fixture->compressed = read_file(directory, "compressed.so", &fixture->compressed_bytes);
	g_unlink(path);
	g_rmdir(directory);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_free(fixture->plain);
	g_free(fixture->compressed);
}

static bool is_made(const struct fixture *fixture)
{
	if (!fixture->plain || !fixture->compressed) {
		g_test_skip("cc or objcopy is not installed");
	}
	return fixture->plain && fixture->compressed;
}

static void open_file(struct unwind_elf *elf, const char *contents, gsize size)
{
	g_assert_true(unwind_elf_init_from(elf, contents, size));
}

static void test_same_rows(struct fixture *fixture, gconstpointer data)
{
	struct unwind_elf plain;
	struct unwind_elf compressed;
	guint count = 0;
	bool is_lasting;

	(void)data;
	if (!is_made(fixture)) {
		return;
	}
	open_file(&plain, fixture->plain, fixture->plain_bytes);
	open_file(&compressed, fixture->compressed, fixture->compressed_bytes);
	g_assert_nonnull(plain.cfi);
	g_assert_nonnull(compressed.cfi);
	for (uint64_t vaddr = 0; vaddr < CODE_END; vaddr++) {
		const struct itp_cfi_row *left = itp_cfi_find(plain.cfi, vaddr, &is_lasting);
		const struct itp_cfi_row *right = itp_cfi_find(compressed.cfi, vaddr, &is_lasting);

		g_assert_true((left != NULL) == (right != NULL));
		if (left && right) {
			size_t size = offsetof(struct itp_cfi_row, rules) +
				      left->rule_count * sizeof(left->rules[0]);

			g_assert_cmpint(memcmp(left, right, size), ==, 0);
			count++;
		}
	}
	g_assert_cmpuint(count, >, 20);
	unwind_elf_release(&plain);
	unwind_elf_release(&compressed);
}

/* Where the compressed table begins in the file. */
static gsize find_table(struct fixture *fixture)
{
	struct unwind_elf elf;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	gsize place = 0;
	size_t names;

	open_file(&elf, fixture->compressed, fixture->compressed_bytes);
	g_assert_cmpint(elf_getshdrstrndx(elf.image.elf, &names), ==, 0);
	while (place == 0 && (section = elf_nextscn(elf.image.elf, section)) != NULL) {
		g_assert_nonnull(gelf_getshdr(section, &header));
		if (g_strcmp0(elf_strptr(elf.image.elf, names, header.sh_name), ".debug_frame") ==
		    0) {
			place = header.sh_offset;
		}
	}
	unwind_elf_release(&elf);
	g_assert_cmpuint(place, >, 0);
	return place;
}

static void test_lies(struct fixture *fixture, gconstpointer data)
{
	gsize place;
	Elf64_Chdr true_header;

	(void)data;
	if (!is_made(fixture)) {
		return;
	}
	place = find_table(fixture);
	memcpy(&true_header, fixture->compressed + place, sizeof(true_header));
	g_assert_cmpuint(true_header.ch_type, ==, ELFCOMPRESS_ZLIB);
	for (int i = 0; i < 7; i++) {
		const uint64_t sizes[] = { UINT64_MAX,
					   UINT64_C(1) << 40,
					   500u * 1024 * 1024,
					   true_header.ch_size + 1,
					   true_header.ch_size - 1,
					   0,
					   true_header.ch_size };
		Elf64_Chdr header = true_header;
		struct unwind_elf elf;

		header.ch_size = sizes[i];
		/* The last one is compressed in a way that nobody knows. */
		header.ch_type = i == 6 ? 77 : ELFCOMPRESS_ZLIB;
		memcpy(fixture->compressed + place, &header, sizeof(header));
		open_file(&elf, fixture->compressed, fixture->compressed_bytes);
		g_assert_null(elf.cfi);
		unwind_elf_release(&elf);
	}
}

#define ADD_TEST(path, function) g_test_add(path, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	ADD_TEST("/compressed/rows are those of the same table as it was", test_same_rows);
	ADD_TEST("/compressed/a header that lies gives no rules", test_lies);
	return g_test_run();
}
