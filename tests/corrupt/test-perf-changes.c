/* SPDX-License-Identifier: MIT */
/*
 * Recordings that somebody shortens between two steps of their reading: an error ends it, behind
 * all that was read, and never a signal. With the name of a file as argument this writes such a
 * recording there, for a test of whole commands.
 */
#include "common/perf-data/reader.h"
#include "common/symbol/file-copy.h"
#include "tests/perf/recording.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 8000
#define BLOCK_SHIFT 16
#define BLOCK_BYTES (1u << BLOCK_SHIFT)

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

static uint8_t byte_at(size_t offset)
{
	return (uint8_t)(offset / BLOCK_BYTES + 1);
}

/* Of so many bytes, open; its name is in *ret_path. */
static struct itp_file_copy copy_of(size_t size, char **ret_path)
{
	g_autofree uint8_t *bytes = g_malloc(size);
	struct itp_file_copy copy;

	for (size_t i = 0; i < size; i++) {
		bytes[i] = byte_at(i);
	}
	*ret_path = recording_write_bytes(bytes, size);
	g_assert_cmpint(
		itp_file_copy_init(&copy, open(*ret_path, O_RDONLY | O_CLOEXEC), BLOCK_SHIFT), ==,
		0);
	g_assert_cmpuint(copy.bytes.size, ==, size);
	return copy;
}

static void assert_loads(struct itp_file_copy *copy, size_t offset, size_t size)
{
	const uint8_t *data = copy->bytes.data + offset;

	g_assert_cmpint(itp_file_copy_load(copy, data, size), ==, 0);
	for (size_t i = 0; i < size; i++) {
		if (data[i] != byte_at(offset + i)) {
			g_test_message("byte %zu is wrong", offset + i);
			g_test_fail();
			return;
		}
	}
}

static void test_copy(void)
{
	const size_t size = 40 * BLOCK_BYTES + 100;
	g_autofree char *path = NULL;
	struct itp_file_copy copy = copy_of(size, &path);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i + 1 < 40; i++) {
			assert_loads(&copy, i * BLOCK_BYTES + 1, BLOCK_BYTES);
			itp_file_copy_forget(&copy, 0, i * BLOCK_BYTES);
		}
		assert_loads(&copy, 39 * BLOCK_BYTES, BLOCK_BYTES + 100);
		assert_loads(&copy, 10, 20 * BLOCK_BYTES);
		itp_file_copy_forget(&copy, 0, size);
	}
	assert_loads(&copy, 0, size);
	itp_file_copy_release(&copy);
	g_unlink(path);
}

static void test_shorter_copy(void)
{
	g_autofree char *path = NULL;
	struct itp_file_copy copy = copy_of(4 * BLOCK_BYTES, &path);

	assert_loads(&copy, 0, 10);
	g_assert_cmpint(truncate(path, 2 * BLOCK_BYTES + 5), ==, 0);
	assert_loads(&copy, BLOCK_BYTES, BLOCK_BYTES);
	g_assert_cmpint(itp_file_copy_load(&copy, copy.bytes.data + 2 * BLOCK_BYTES, 10), ==,
			ITP_ERROR_CHANGED);
	g_assert_cmpint(copy.bytes.data[2 * BLOCK_BYTES + 4], ==, 3);
	g_assert_cmpint(copy.bytes.data[2 * BLOCK_BYTES + 5], ==, 0);
	g_assert_cmpint(itp_file_copy_load(&copy, copy.bytes.data, 1), ==, ITP_ERROR_CHANGED);
	itp_file_copy_release(&copy);
	g_unlink(path);
}

static void test_small_copy(void)
{
	g_autofree char *path = NULL;
	struct itp_file_copy copy = copy_of(100, &path);

	g_assert_cmpint(truncate(path, 0), ==, 0);
	itp_file_copy_forget(&copy, 0, 100);
	assert_loads(&copy, 0, 100);
	itp_file_copy_release(&copy);
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
	g_test_init(&argc, &argv, NULL);
	if (argc == 2) {
		return write_recording(argv[1]);
	}
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-changes/a recording that becomes shorter ends with an error",
			test_plain);
	g_test_add_func("/perf-changes/the same in the layout of pipes", test_pipe);
	g_test_add_func("/perf-changes/so does a file of code; a warning says which", test_code);
	g_test_add_func("/perf-changes/copies hold what their file does, read again or not",
			test_copy);
	g_test_add_func("/perf-changes/copies say that their file has become shorter",
			test_shorter_copy);
	g_test_add_func("/perf-changes/small files are read at once", test_small_copy);
	return g_test_run();
}
