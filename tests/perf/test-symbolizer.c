/* SPDX-License-Identifier: MIT */
/*
 * Which function an address of a recording is, as mappings and programs come and go.
 */
#include "common/symbol/kernel.h"
#include "tests/perf/events-text.h"
#include "tests/perf/recording.h"

#include <glib/gstdio.h>
#include <string.h>

#define KERNEL ((guint64)-128)
#define USER ((guint64)-512)
#define KERNEL_TEXT UINT64_C(0xffffffff81000000)
#define MODULE_TEXT UINT64_C(0xffffffffc0800000)

#define APP UINT64_C(0x400000)

/* Frames of all samples, a line each, of a recording that is freed; the kernel's names are in
 * `kallsyms`, which may be NULL. */
static char *frames_of(struct recording *recording, const char *kallsyms)
{
	g_autofree char *path = kallsyms ? recording_write_bytes(kallsyms, strlen(kallsyms)) : NULL;
	const struct itp_perf_options options = { .kallsyms = path };
	g_autofree char *text = events_text(recording_write(recording), &options);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *frames = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		if (g_str_has_prefix(*line, "SAMPLE ")) {
			g_string_append_printf(frames, "%s\n", strrchr(*line, ' ') + 1);
		}
	}
	if (path) {
		g_unlink(path);
	}
	recording_free(recording);
	return g_string_free(frames, FALSE);
}

/* A process, but nothing mapped. */
static struct recording *new_recording(void)
{
	struct recording *recording = recording_new();

	recording_add_usual(recording);
	recording_comm(recording, &(struct recording_stamp){ 10, 10, 0 }, "app", FALSE);
	return recording;
}

static void map(struct recording *recording, guint64 time, guint64 start, guint64 length,
		const char *path)
{
	recording_mmap(recording, &(struct recording_stamp){ 10, 10, time }, start, length, path);
}

static void sample(struct recording *recording, guint64 time, guint64 address)
{
	const guint64 chain[] = { address >= KERNEL_TEXT ? KERNEL : USER, address, 0 };

	recording_tick(recording, &(struct recording_stamp){ 10, 10, time }, chain);
}

static void test_exec(void)
{
	struct recording *recording = new_recording();
	g_autofree char *frames = NULL;

	map(recording, 1, APP, 0x2000, "/nowhere/old");
	sample(recording, 2, APP);
	recording_comm(recording, &(struct recording_stamp){ 10, 10, 3 }, "new", TRUE);
	/* In the kernel's part of execve. */
	sample(recording, 4, APP);
	map(recording, 5, APP, 0x1000, "/nowhere/new");
	sample(recording, 6, APP);
	sample(recording, 7, APP + 0x1000);
	frames = frames_of(recording, NULL);
	g_assert_cmpstr(frames, ==, "old+0x1000\n[unknown]\nnew+0x1000\n?\n");
}

/* The kernel records no munmap. */
static void test_munmap(void)
{
	struct recording *recording = new_recording();
	g_autofree char *frames = NULL;

	map(recording, 1, APP, 0x4000, "/nowhere/first.so");
	sample(recording, 2, APP + 0x1000);
	/* Unmapped, then half of it is used again, and at last all of it. */
	sample(recording, 3, APP + 0x1000);
	map(recording, 4, APP + 0x2000, 0x2000, "/nowhere/second.so");
	sample(recording, 5, APP + 0x1000);
	sample(recording, 6, APP + 0x2000);
	map(recording, 7, APP - 0x1000, 0x10000, "/nowhere/third.so");
	sample(recording, 8, APP + 0x1000);
	sample(recording, 9, APP + 0x2000);
	frames = frames_of(recording, NULL);
	g_assert_cmpstr(frames, ==,
			"first.so+0x2000\n"
			"first.so+0x2000\n"
			"first.so+0x2000\n"
			"second.so+0x1000\n"
			"third.so+0x3000\n"
			"third.so+0x4000\n");
}

/* As /proc/kallsyms has them, and as perf records them. */
static void test_kernel_modules(void)
{
	static const char kallsyms[] = "ffffffff81000000 T _text\n"
				       "ffffffff81000100 T vfs_read\n"
				       "ffffffffc0800000 t cache_lookup\t[shopfs]\n"
				       "ffffffffc0800100 t cache_fill\t[shopfs]\n"
				       "ffffffffc0900000 t send_packet\t[shopnet]\n";
	/* How far the kernel was moved by another boot. */
	static const guint64 distances[] = { 0, 0x3000000 };
	static const char *const expected[] = {
		"vfs_read\ncache_fill\nsend_packet\n",
		"vfs_read\n[kernel]+0xffffffffc0800104\n[kernel]+0xffffffffc0900004\n",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(distances); i++) {
		struct recording *recording = new_recording();
		g_autofree char *frames = NULL;

		recording_kernel_mmap(recording, KERNEL_TEXT + distances[i], 0x100000,
				      "[kernel.kallsyms]_text");
		recording_kernel_mmap(recording, MODULE_TEXT, 0x1000,
				      "/lib/modules/6.1.0/kernel/fs/shopfs.ko");
		recording_kernel_mmap(recording, MODULE_TEXT + 0x100000, 0x1000, "[shopnet]");
		sample(recording, 1, KERNEL_TEXT + distances[i] + 0x104);
		sample(recording, 2, MODULE_TEXT + 0x104);
		sample(recording, 3, MODULE_TEXT + 0x100004);
		frames = frames_of(recording, kallsyms);
		g_assert_cmpstr(frames, ==, expected[i]);
	}
}

/* The name of what lies at `address` of a kernel in which `known` begins at `known_address`. */
static char *name_beside(const char *kallsyms, const char *known, uint64_t known_address,
			 uint64_t address)
{
	g_autofree char *path = recording_write_bytes(kallsyms, strlen(kallsyms));
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_kernel *kernel = itp_kernel_new(path, NULL, functions);
	uint32_t function;
	char *name;

	itp_kernel_set_function(kernel, known, known_address);
	function = itp_kernel_function(kernel, address);
	name = g_strdup(itp_function_table_get(functions, function)->name);
	itp_kernel_free(kernel);
	itp_function_table_free(functions);
	g_unlink(path);
	return name;
}

static void test_known_function(void)
{
	static const char kallsyms[] = "ffffffff81000000 T _text\n"
				       "ffffffff81000100 t first\n"
				       "ffffffff81000200 t again\n"
				       "ffffffff81000300 t again\n"
				       "ffffffff81000400 t last\n"
				       "ffffffff81001000 T _etext\n";
	const uint64_t moved = KERNEL_TEXT + 0x2000000;
	g_autofree char *same =
		name_beside(kallsyms, "first", KERNEL_TEXT + 0x100, KERNEL_TEXT + 0x404);
	g_autofree char *far = name_beside(kallsyms, "first", moved + 0x100, moved + 0x404);
	g_autofree char *gone = name_beside(kallsyms, "first", moved + 0x100, KERNEL_TEXT + 0x404);
	g_autofree char *repeated =
		name_beside(kallsyms, "again", KERNEL_TEXT + 0x300, KERNEL_TEXT + 0x404);
	g_autofree char *unknown = name_beside(kallsyms, "none", moved, KERNEL_TEXT + 0x404);

	g_assert_cmpstr(same, ==, "last");
	g_assert_cmpstr(far, ==, "last");
	g_assert_cmpstr(gone, ==, "[kernel]+0xffffffff81000404");
	g_assert_cmpstr(repeated, ==, "last");
	g_assert_cmpstr(unknown, ==, "last");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/symbolizer/an exec leaves nothing of the old program mapped", test_exec);
	g_test_add_func("/symbolizer/what was unmapped keeps its functions until other code comes",
			test_munmap);
	g_test_add_func("/symbolizer/kernel modules have names unless the kernel was booted anew",
			test_kernel_modules);
	g_test_add_func("/symbolizer/one function of the kernel says where it lies",
			test_known_function);
	return g_test_run();
}
