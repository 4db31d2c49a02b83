/* SPDX-License-Identifier: MIT */
/*
 * Recordings that somebody shortens between two steps of their reading: an error ends it, behind
 * all that was read, and never a signal. With the name of a file as argument this writes such a
 * recording there, for a test of whole commands.
 */
#include "common/elf/file-map.h"
#include "common/perf-data/reader.h"
#include "tests/perf/recording.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 8000
#define PAGE_BYTES ((size_t)sysconf(_SC_PAGESIZE))

/* Kernel symbols are not what is tested, and reading them takes its time. */
static const struct itp_perf_options options = { .kallsyms = "/dev/null" };

/* Some megabytes. */
static struct recording *long_recording(void)
{
	const guint64 chain[] = { (guint64)-512, 0x400010, 0x400020, 0 };
	const struct recording_stamp before = { 10, 10, 0 };
	struct recording *recording = recording_new();

	recording_add_usual(recording);
	recording_comm(recording, &before, "app", FALSE);
	recording_mmap(recording, &before, 0x400000, 0x1000, "/nowhere/app");
	for (guint64 time = 100; time < 100 + ROUNDS; time++) {
		const struct recording_stamp now = { 10, 10, time };

		for (int i = 0; i < 4; i++) {
			recording_tick(recording, &now, chain);
		}
		recording_round(recording);
	}
	return recording;
}

/* Writes `image` to a file, reads one event, shortens the file, and reads the rest. */
static void assert_changed(GByteArray *image)
{
	g_autofree char *path = recording_write_bytes(image->data, image->len);
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	struct itp_perf_reader *reader = itp_perf_reader_new(path, &options, functions, &error);
	struct itp_stack_event event;
	gboolean was_cut = FALSE;
	int state;

	g_assert_nonnull(reader);
	g_assert_cmpint(itp_perf_reader_next(reader, &event), ==, 1);
	g_assert_cmpint(truncate(path, 4096), ==, 0);
	while ((state = itp_perf_reader_next(reader, &event)) == 1) {
		was_cut = event.kind == ITP_EVENT_LOSS && event.argument == ITP_LOSS_CUT;
	}
	g_assert_cmpint(state, ==, ITP_ERROR_CHANGED);
	g_assert_true(was_cut);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	g_unlink(path);
	g_byte_array_unref(image);
}

static void test_plain(void)
{
	g_autoptr(recording_auto) recording = long_recording();

	assert_changed(recording_image(recording));
}

static void test_pipe(void)
{
	g_autoptr(recording_auto) recording = long_recording();

	assert_changed(recording_pipe_image(recording));
}

static void put(GByteArray *bytes, uint64_t value, guint size)
{
	g_byte_array_append(bytes, (const guint8 *)&value, size);
}

/* A function of the dump, which comes into being at `time`. */
static void put_function(GByteArray *dump, uint64_t time, uint64_t address)
{
	const uint64_t numbers[] = { UINT64_C(10) << 32 | 10, address, address, 16, 1 };

	put(dump, 0, 4);
	put(dump, 16 + sizeof(numbers) + 2, 4);
	put(dump, time, 8);
	g_byte_array_append(dump, (const guint8 *)numbers, sizeof(numbers));
	g_byte_array_append(dump, (const guint8 *)"f", 2);
}

/* Of a process that makes most of its code when half of the recording is over. */
static char *write_dump(const char *directory)
{
	g_autoptr(GByteArray) dump = g_byte_array_new();
	char *path = g_build_filename(directory, "jit-10.dump", NULL);

	put(dump, 0x4a695444, 4);
	put(dump, 1, 4);
	put(dump, 40, 4);
	g_byte_array_set_size(dump, 40);
	memset(dump->data + 12, 0, 28);
	put_function(dump, 10, 0x600000);
	for (uint64_t i = 1; i < 10000; i++) {
		put_function(dump, ROUNDS / 2, 0x600000 + 16 * i);
	}
	g_assert_true(g_file_set_contents(path, (const char *)dump->data, dump->len, NULL));
	return path;
}

/* A recording of it. */
static struct recording *jit_recording(const char *dump)
{
	const guint64 chain[] = { (guint64)-512, 0x600000, 0 };
	const struct recording_stamp before = { 10, 10, 0 };
	struct recording *recording = recording_new();

	recording_add_usual(recording);
	for (guint i = 0; i < recording->attrs->len; i++) {
		struct perf_event_attr *attr =
			&g_array_index(recording->attrs, struct perf_event_attr, i);

		attr->use_clockid = 1;
		attr->clockid = CLOCK_MONOTONIC;
	}
	recording_mmap(recording, &before, 0x600000, 0x1000, dump);
	for (guint64 time = 100; time < 100 + ROUNDS; time++) {
		recording_tick(recording, &(struct recording_stamp){ 10, 10, time }, chain);
		recording_round(recording);
	}
	return recording;
}

static void note_change(const struct itp_symbol_warning *warning, void *data)
{
	if (warning->problem == ITP_SYMBOLS_CHANGED) {
		g_string_append(data, warning->path);
	}
}

static void test_code(void)
{
	g_autofree char *directory = g_dir_make_tmp("introperf-XXXXXX", NULL);
	g_autofree char *dump = write_dump(directory);
	g_autoptr(recording_auto) recording = jit_recording(dump);
	g_autoptr(GString) changed = g_string_new(NULL);
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	struct itp_perf_reader *reader =
		itp_perf_reader_new(recording_write(recording), &options, functions, &error);
	struct itp_stack_event event;
	int state = itp_perf_reader_next(reader, &event);

	g_assert_cmpint(truncate(dump, 1000), ==, 0);
	while (state == 1) {
		state = itp_perf_reader_next(reader, &event);
	}
	g_assert_cmpint(state, ==, ITP_ERROR_CODE_CHANGED);
	itp_perf_reader_warnings(reader, note_change, changed);
	g_assert_cmpstr(changed->str, ==, dump);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	g_unlink(dump);
	g_rmdir(directory);
}

/* A map of so many pages, each filled with its number plus one; its name is in *ret_path. */
static struct itp_file_map map_of(size_t pages, char **ret_path)
{
	g_autofree uint8_t *bytes = g_malloc(pages * PAGE_BYTES);
	struct itp_file_map map;

	for (size_t i = 0; i < pages; i++) {
		memset(bytes + i * PAGE_BYTES, (int)i + 1, PAGE_BYTES);
	}
	*ret_path = recording_write_bytes(bytes, pages * PAGE_BYTES);
	g_assert_cmpint(itp_file_map_init(&map, open(*ret_path, O_RDONLY | O_CLOEXEC)), ==, 0);
	g_assert_cmpuint(map.bytes.size, ==, pages * PAGE_BYTES);
	return map;
}

/* Where nothing is touched that is missing. */
static void test_untouched_map(void)
{
	g_autofree char *path = NULL;
	struct itp_file_map map = map_of(4, &path);

	g_assert_cmpint(truncate(path, PAGE_BYTES + 1), ==, 0);
	g_assert_cmpuint(map.bytes.data[PAGE_BYTES], ==, 2);
	g_assert_cmpuint(map.bytes.data[PAGE_BYTES + 1], ==, 0);
	g_assert_true(itp_file_map_has_changed(&map));
	itp_file_map_release(&map);
	g_unlink(path);
}

static void test_map(void)
{
	g_autofree char *path = NULL;
	struct itp_file_map map = map_of(4, &path);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < map.bytes.size; i++) {
			g_assert_cmpuint(map.bytes.data[i], ==, i / PAGE_BYTES + 1);
		}
		itp_file_map_forget(&map, 0, map.bytes.size);
	}
	itp_file_map_forget(&map, 1, 2);
	g_assert_cmpuint(map.bytes.data[1], ==, 1);
	g_assert_false(itp_file_map_has_changed(&map));
	itp_file_map_release(&map);
	g_unlink(path);
}

static void test_shorter_map(void)
{
	g_autofree char *path = NULL;
	g_autofree char *other_path = NULL;
	struct itp_file_map map = map_of(4, &path);
	struct itp_file_map other = map_of(4, &other_path);

	g_assert_cmpint(truncate(path, PAGE_BYTES), ==, 0);
	g_assert_cmpuint(map.bytes.data[0], ==, 1);
	g_assert_cmpuint(map.bytes.data[2 * PAGE_BYTES], ==, 0);
	g_assert_true(itp_file_map_has_changed(&map));
	g_assert_cmpuint(map.bytes.data[4 * PAGE_BYTES - 1], ==, 0);
	g_assert_cmpuint(map.bytes.data[PAGE_BYTES], ==, 0);
	g_assert_cmpuint(map.bytes.data[0], ==, 1);
	g_assert_false(itp_file_map_has_changed(&other));
	g_assert_cmpuint(other.bytes.data[4 * PAGE_BYTES - 1], ==, 4);
	itp_file_map_release(&map);
	itp_file_map_release(&other);
	g_unlink(path);
	g_unlink(other_path);
}

/* What is not ours: a page that the file has not got. */
static void touch_other(void)
{
	g_autofree char *path = recording_write_bytes((const guint8 *)"", 0);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	const volatile uint8_t *memory = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_PRIVATE, file, 0);

	g_unlink(path);
	g_clear_pointer(&path, g_free);
	close(file);
	(void)memory[0];
}

static void test_other(void)
{
	g_autofree char *path = NULL;

	if (g_test_subprocess()) {
		map_of(1, &path);
		g_unlink(path);
		touch_other();
		return;
	}
	g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
	g_test_trap_assert_failed();
}

static sigjmp_buf came;

static void handle(int number)
{
	siglongjmp(came, number);
}

static void test_handler(void)
{
	const struct sigaction action = { .sa_handler = handle };
	g_autofree char *path = NULL;
	struct sigaction before;
	struct sigaction now;
	struct itp_file_map map;

	sigaction(SIGBUS, &action, &before);
	map = map_of(1, &path);
	if (sigsetjmp(came, 1) == 0) {
		touch_other();
		g_test_fail();
	}
	sigaction(SIGBUS, NULL, &now);
	g_assert_true(now.sa_handler != handle);
	itp_file_map_release(&map);
	sigaction(SIGBUS, &before, &now);
	g_assert_true(now.sa_handler == handle);
	g_unlink(path);
}

static struct sigaction below;
static int came_above;

/* Hands on to who was there before. */
static void handle_above(int number, siginfo_t *info, void *context)
{
	if (came_above++ > 0) {
		siglongjmp(came, number);
	}
	below.sa_sigaction(number, info, context);
}

/* It came while there was a map, and stays while there is none and then one again. */
static void test_handler_above(void)
{
	const struct sigaction bottom = { .sa_handler = handle };
	const struct sigaction top = { .sa_sigaction = handle_above, .sa_flags = SA_SIGINFO };
	g_autofree char *path = NULL;
	g_autofree char *again_path = NULL;
	struct sigaction before;
	struct itp_file_map map;

	sigaction(SIGBUS, &bottom, &before);
	map = map_of(1, &path);
	sigaction(SIGBUS, &top, &below);
	itp_file_map_release(&map);
	map = map_of(1, &again_path);
	if (sigsetjmp(came, 1) == 0) {
		touch_other();
		g_test_fail();
	}
	g_assert_cmpint(came_above, ==, 1);
	itp_file_map_release(&map);
	sigaction(SIGBUS, &before, NULL);
	g_unlink(path);
	g_unlink(again_path);
}

/* Handler of signals before there was a map: none, or that of a sanitizer. */
static struct sigaction first;

static void test_after(void)
{
	g_autofree char *path = NULL;
	struct itp_file_map map = map_of(1, &path);
	struct sigaction now;

	itp_file_map_release(&map);
	/* Nothing happens to what is released. */
	itp_file_map_release(&map);
	sigaction(SIGBUS, NULL, &now);
	g_assert_true(now.sa_handler == first.sa_handler);
	g_unlink(path);
}

static void test_empty(void)
{
	g_autofree char *path = recording_write_bytes((const guint8 *)"", 0);
	struct itp_file_map map;

	g_assert_cmpint(itp_file_map_init(&map, open(path, O_RDONLY | O_CLOEXEC)), ==,
			ITP_ERROR_CHANGED);
	g_assert_false(itp_file_map_has_changed(&map));
	itp_file_map_release(&map);
	g_unlink(path);
}

static int write_recording(const char *path)
{
	g_autoptr(recording_auto) recording = long_recording();
	g_autoptr(GByteArray) image = recording_image(recording);

	return g_file_set_contents(path, (const char *)image->data, image->len, NULL) ? 0 : 1;
}

int main(int argc, char **argv)
{
	sigaction(SIGBUS, NULL, &first);
	g_test_init(&argc, &argv, NULL);
	if (argc == 2) {
		return write_recording(argv[1]);
	}
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-changes/a recording that becomes shorter ends with an error",
			test_plain);
	g_test_add_func("/perf-changes/the same in the layout of pipes", test_pipe);
	g_test_add_func("/perf-changes/so does a file of code; a warning says which", test_code);
	g_test_add_func("/perf-changes/maps hold what their file does, forgotten or not", test_map);
	g_test_add_func("/perf-changes/maps say that something is missing that was touched",
			test_shorter_map);
	g_test_add_func("/perf-changes/or only seemed to be there", test_untouched_map);
	g_test_add_func("/perf-changes/no map is made of an empty file", test_empty);
	g_test_add_func("/perf-changes/without maps signals are whose they were", test_after);
	g_test_add_func("/perf-changes/what happens elsewhere ends the process as ever",
			test_other);
	g_test_add_func("/perf-changes/or goes to the handler that there was before", test_handler);
	g_test_add_func("/perf-changes/and who comes above is asked once", test_handler_above);
	return g_test_run();
}
