/* SPDX-License-Identifier: MIT */
/*
 * Which function an address of a recording is, as mappings and programs come and go.
 */
#include "common/elf/section.h"
#include "common/symbol/kernel.h"
#include "tests/perf/events-text.h"
#include "tests/perf/recording.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/utsname.h>

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
	/* The caller of execve(), which has nothing mapped yet, and then a part. */
	sample(recording, 4, APP);
	map(recording, 5, APP, 0x1000, "/nowhere/new");
	sample(recording, 6, APP + 0x1000);
	/* The new program, and never the old one again. */
	sample(recording, 7, APP);
	sample(recording, 8, APP + 0x1000);
	frames = frames_of(recording, NULL);
	g_assert_cmpstr(frames, ==, "old+0x1000\nold+0x1000\nold+0x2000\nnew+0x1000\n?\n");
}

/* Nothing is known of what the recording did not see begin. */
static void test_exec_of_unknown(void)
{
	struct recording *recording = new_recording();
	g_autofree char *frames = NULL;

	recording_comm(recording, &(struct recording_stamp){ 10, 10, 3 }, "new", TRUE);
	sample(recording, 4, APP);
	map(recording, 5, APP, 0x1000, "/nowhere/new");
	sample(recording, 6, APP + 0x1000);
	frames = frames_of(recording, NULL);
	g_assert_cmpstr(frames, ==, "[unknown]\n?\n");
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

static void load(struct recording *recording, guint64 time, guint64 start, guint32 length,
		 const char *name)
{
	recording_kernel_symbol(recording, time, start, length, PERF_RECORD_KSYMBOL_TYPE_BPF, 0,
				name);
}

static void test_kernel_programs(void)
{
	struct recording *recording = new_recording();
	g_autofree char *frames = NULL;

	/* There before, side by side. */
	load(recording, 0, MODULE_TEXT, 0x100, "bpf_prog_1_first");
	load(recording, 0, MODULE_TEXT + 0x100, 0x100, "bpf_prog_2_second");
	load(recording, 0, MODULE_TEXT + 0x200, 0, "bpf_prog_3_nowhere");
	sample(recording, 1, MODULE_TEXT);
	sample(recording, 2, MODULE_TEXT + 0xff);
	sample(recording, 3, MODULE_TEXT + 0x100);
	sample(recording, 4, MODULE_TEXT + 0x200);
	/* One takes a part of both; one comes where a name was asked for. */
	load(recording, 5, MODULE_TEXT + 0x80, 0x100, "bpf_prog_4_across");
	load(recording, 6, MODULE_TEXT + 0x200, 0x100, "bpf_prog_5_late");
	sample(recording, 7, MODULE_TEXT);
	sample(recording, 8, MODULE_TEXT + 0x100);
	sample(recording, 9, MODULE_TEXT + 0x180);
	sample(recording, 10, MODULE_TEXT + 0x200);
	/* What has gone was there before. */
	recording_kernel_symbol(recording, 11, MODULE_TEXT + 0x200, 0x100,
				PERF_RECORD_KSYMBOL_TYPE_BPF, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
				"bpf_prog_5_late");
	sample(recording, 12, MODULE_TEXT + 0x200);
	/* As far as addresses go, and no farther. */
	load(recording, 13, UINT64_MAX - 0x1fff, 0x100000, "bpf_prog_6_last");
	sample(recording, 14, UINT64_MAX - 0x2000);
	sample(recording, 15, UINT64_MAX - 0x1fff);
	sample(recording, 16, MODULE_TEXT + 0x10000);
	frames = frames_of(recording, NULL);
	g_assert_cmpstr(frames, ==,
			"bpf_prog_1_first\n"
			"bpf_prog_1_first\n"
			"bpf_prog_2_second\n"
			"[kernel]+0xffffffffc0800200\n"
			"[kernel]+0xffffffffc0800000\n"
			"bpf_prog_4_across\n"
			"[kernel]+0xffffffffc0800180\n"
			"bpf_prog_5_late\n"
			"bpf_prog_5_late\n"
			"[kernel]+0xffffffffffffdfff\n"
			"bpf_prog_6_last\n"
			"[kernel]+0xffffffffc0810000\n");
}

/* An address of the kernel that runs here, in what comes and goes; 0 where that is not told. */
static uint64_t place_of_now(uint64_t *ret_text)
{
	g_autofree char *text = NULL;
	uint64_t address = 0;

	*ret_text = 0;
	if (!g_file_get_contents("/proc/kallsyms", &text, NULL, NULL)) {
		return 0;
	}
	for (char *line = text; *line; line = strchr(line, '\n') + 1) {
		const char *end = strchr(line, '\n');

		if (g_str_has_prefix(line + 16, " T _text\n")) {
			*ret_text = g_ascii_strtoull(line, NULL, 16);
		}
		if (g_str_has_prefix(end - 6, "\t[bpf]")) {
			address = g_ascii_strtoull(line, NULL, 16);
		}
	}
	return address;
}

static void test_programs_of_now(void)
{
	struct itp_function_table *functions = itp_function_table_new();
	g_autofree char *build_id = itp_build_id_running_kernel();
	struct utsname name;
	struct itp_kernel *kernel;
	uint64_t text;
	uint64_t address = place_of_now(&text);
	uint32_t known;
	uint32_t unknown;

	g_assert_cmpint(uname(&name), ==, 0);
	kernel = itp_kernel_new(NULL, name.release, functions);
	itp_kernel_set_build_id(kernel, build_id ? build_id : "");
	if (address == 0 || text == 0) {
		g_test_skip("no BPF programs in /proc/kallsyms");
	} else {
		itp_kernel_set_text(kernel, text, 0);
		known = itp_kernel_function(kernel, text);
		unknown = itp_kernel_function(kernel, address);
		g_assert_false(itp_function_table_get(functions, known)->is_unnamed);
		g_assert_true(itp_function_table_get(functions, unknown)->is_unnamed);
		g_assert_cmpstr(itp_function_table_get(functions, unknown)->module, ==, "[kernel]");
	}
	itp_kernel_free(kernel);
	itp_function_table_free(functions);
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
	g_test_add_func("/symbolizer/a program that calls execve() is known until the new one runs",
			test_exec);
	g_test_add_func("/symbolizer/an exec leaves nothing of the old program mapped",
			test_exec_of_unknown);
	g_test_add_func("/symbolizer/what was unmapped keeps its functions until other code comes",
			test_munmap);
	g_test_add_func("/symbolizer/kernel modules have names unless the kernel was booted anew",
			test_kernel_modules);
	g_test_add_func("/symbolizer/programs have names while they are in the kernel",
			test_kernel_programs);
	g_test_add_func("/symbolizer/programs of now are not believed to be recorded ones",
			test_programs_of_now);
	g_test_add_func("/symbolizer/one function of the kernel says where it lies",
			test_known_function);
	return g_test_run();
}
