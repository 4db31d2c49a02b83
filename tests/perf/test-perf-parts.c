/* SPDX-License-Identifier: MIT */
/*
 * Recordings that are a directory with a file for each buffer: records of all files come in one
 * order in time, and a file that is not as it should be is one clear error.
 */
#define _GNU_SOURCE /* mkfifo() */

#include "tests/perf/usual.h"

#include "common/perf-data/reader.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_COUNT 2
#define LOST_SAMPLES 13
#define ID_INDEX 69
#define FINISHED_INIT 82
#define DIRECTORY_FORMAT_BIT 24

#define START "START 10/10 app 100 -1\n"

struct directory {
	char *path;
	/* What perf itself says; after that, a recording for each part, of which only the records
	 * count. */
	struct recording *own;
	struct recording *parts[PART_COUNT];
};

static const struct recording_stamp now_100 = { 10, 10, 100 };

/* The number of the buffer of each id, as perf writes it first. */
static void add_id_index(struct recording *recording, guint64 count)
{
	const guint64 body[] = { 2, RECORDING_ID(0), 0, 0, 0, RECORDING_ID(1), count - 1, 1, 0 };

	recording_raw(recording, ID_INDEX, 0, body, sizeof(body));
}

static void set_up(struct directory *directory, gconstpointer data)
{
	const struct recording_stamp before = { 10, 10, 0 };
	const guint64 format = 1;

	(void)data;
	directory->path = g_dir_make_tmp("introperf-XXXXXX", NULL);
	directory->own = recording_new();
	recording_add_usual(directory->own);
	add_id_index(directory->own, PART_COUNT);
	recording_comm(directory->own, &before, "app", FALSE);
	recording_mmap(directory->own, &before, APP, 0x1000, "/nowhere/app");
	recording_raw(directory->own, FINISHED_INIT, 0, NULL, 0);
	directory->own->features[DIRECTORY_FORMAT_BIT] = g_byte_array_new();
	g_byte_array_append(directory->own->features[DIRECTORY_FORMAT_BIT], (const guint8 *)&format,
			    sizeof(format));
	for (guint i = 0; i < PART_COUNT; i++) {
		directory->parts[i] = usual_recording();
		g_byte_array_set_size(directory->parts[i]->data, 0);
	}
}

static char *file_in(const struct directory *directory, const char *name)
{
	return g_build_filename(directory->path, name, NULL);
}

static void tear_down(struct directory *directory, gconstpointer data)
{
	static const char *const names[] = { "data", "data.0", "data.1", "data.2", "elsewhere" };

	(void)data;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = file_in(directory, names[i]);

		g_remove(path);
	}
	g_assert_cmpint(g_rmdir(directory->path), ==, 0);
	g_free(directory->path);
	recording_free(directory->own);
	for (guint i = 0; i < PART_COUNT; i++) {
		recording_free(directory->parts[i]);
	}
}

static void write_file(const struct directory *directory, const char *name, const GByteArray *bytes)
{
	g_autofree char *path = file_in(directory, name);

	g_assert_true(
		g_file_set_contents(path, (const char *)bytes->data, (gssize)bytes->len, NULL));
}

static void write_all(const struct directory *directory)
{
	g_autoptr(GByteArray) image = recording_image(directory->own);

	write_file(directory, "data", image);
	write_file(directory, "data.0", directory->parts[0]->data);
	write_file(directory, "data.1", directory->parts[1]->data);
}

static void assert_directory(const struct directory *directory, const char *expected)
{
	g_autofree char *text = events_text(directory->path, NULL);

	g_assert_cmpstr(text, ==, expected);
}

/* It cannot be opened, because of `part`, which may be NULL. */
static void assert_refused(const struct directory *directory, enum itp_error expected,
			   const char *expected_part)
{
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	g_autofree char *part = NULL;
	enum itp_error error = ITP_OK;

	g_assert_null(itp_perf_reader_open(directory->path, &options, functions, &error, &part));
	g_assert_cmpint(error, ==, expected);
	g_assert_cmpstr(part, ==, expected_part);
	itp_function_table_free(functions);
}

/* Reading ends with this error, in this file. */
static void assert_fails_in(const struct directory *directory, int expected,
			    const char *expected_part, guint64 expected_offset)
{
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	struct itp_perf_reader *reader =
		itp_perf_reader_new(directory->path, &options, functions, &error);
	struct itp_stack_event event;
	int got = 1;

	while (got == 1) {
		got = itp_perf_reader_next(reader, &event);
	}
	g_assert_cmpint(got, ==, expected);
	g_assert_cmpstr(itp_perf_reader_part(reader), ==, expected_part);
	g_assert_cmpuint(itp_perf_reader_offset(reader), ==, expected_offset);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
}

static void enter(struct directory *directory, guint part, guint64 time)
{
	const guint64 no_chain[] = { 0 };

	recording_syscall(directory->parts[part], &(struct recording_stamp){ 10, 10, time }, FALSE,
			  39, no_chain);
}

static char *entered(const char *times)
{
	GString *text = g_string_new(START);
	g_auto(GStrv) each = g_strsplit(times, " ", -1);

	for (guint i = 0; each[i]; i++) {
		g_string_append_printf(text, "ENTER 10/10 app %s 39 syscall:getpid ?\n", each[i]);
	}
	g_string_append(text, "end 0\n");
	return g_string_free(text, FALSE);
}

static void test_parts_are_merged(struct directory *directory, gconstpointer data)
{
	g_autofree char *expected = entered("100 110 120 130 140");

	(void)data;
	enter(directory, 0, 100);
	enter(directory, 1, 110);
	enter(directory, 1, 120);
	enter(directory, 0, 130);
	enter(directory, 1, 140);
	write_all(directory);
	assert_directory(directory, expected);
}

/* Something else recorded while an interrupt was between its time and its place in the buffer. */
static void test_interrupts_are_put_in_order(struct directory *directory, gconstpointer data)
{
	g_autofree char *expected = entered("100 110 120 130");

	(void)data;
	enter(directory, 0, 100);
	enter(directory, 1, 120);
	enter(directory, 1, 130);
	enter(directory, 1, 110);
	write_all(directory);
	assert_directory(directory, expected);
}

static void test_compressed_parts_are_streams_of_their_own(struct directory *directory,
							   gconstpointer data)
{
	g_autofree char *expected = entered("100 110 120 130");

	(void)data;
	enter(directory, 0, 100);
	enter(directory, 0, 120);
	enter(directory, 1, 110);
	enter(directory, 1, 130);
	for (guint i = 0; i < PART_COUNT; i++) {
		recording_compress(directory->parts[i], RECORDING_COMPRESSED, 40);
	}
	write_all(directory);
	assert_directory(directory, expected);
}

/* The counts that perf asks for at the end have no time; they hold the loss again that the kernel
 * told when it happened. */
static void test_losses_are_counted(struct directory *directory, gconstpointer data)
{
	/* Trailer: thread, time, CPU, id. */
	const guint64 lost[] = { 5, 0, 0, 0, RECORDING_ID(0) };

	(void)data;
	enter(directory, 0, 100);
	recording_lost(directory->parts[1], &(struct recording_stamp){ 10, 10, 110 }, 3);
	enter(directory, 0, 120);
	recording_raw(directory->own, LOST_SAMPLES, 0, lost, sizeof(lost));
	write_all(directory);
	assert_directory(directory, START "ENTER 10/10 app 100 39 syscall:getpid ?\n"
					  "LOSS -1/-1  110 3\n"
					  "ENTER 10/10 app 120 39 syscall:getpid ?\n"
					  "LOSS -1/-1  120 2\n"
					  "end 0\n");
}

static void test_user_parts_come_later_in_another_file(struct directory *directory,
						       gconstpointer data)
{
	const guint64 chain[] = { KERNEL, KERNEL_CODE + 0x10, (guint64)-640, 7, 0 };
	const guint64 user[] = { USER, APP + 0x10, 0 };

	(void)data;
	recording_defer(directory->own);
	recording_tick(directory->parts[0], &now_100, chain);
	recording_deferred(directory->parts[1], &(struct recording_stamp){ 10, 10, 130 }, 7, user);
	write_all(directory);
	assert_directory(directory,
			 START "SAMPLE 10/10 app 100 1 app+0x1010>[kernel]+0xffffffff81000010\n"
			       "end 0\n");
}

static void test_cpu_without_events_has_an_empty_file(struct directory *directory,
						      gconstpointer data)
{
	g_autofree char *expected = entered("100");

	(void)data;
	enter(directory, 0, 100);
	write_all(directory);
	assert_directory(directory, expected);
}

/* What another CPU has from later times would lack the events of this one. */
static void test_cut_part_ends_the_reading(struct directory *directory, gconstpointer data)
{
	guint whole;

	(void)data;
	enter(directory, 0, 100);
	whole = directory->parts[0]->data->len;
	enter(directory, 0, 120);
	enter(directory, 1, 110);
	enter(directory, 1, 130);
	g_byte_array_set_size(directory->parts[0]->data, whole + 20);
	write_all(directory);
	assert_directory(directory, START "ENTER 10/10 app 100 39 syscall:getpid ?\n"
					  "LOSS -1/-1  100 -2\n"
					  "end -13\n");
	assert_fails_in(directory, ITP_ERROR_TRUNCATED, "data.0", whole);
}

static void test_damaged_part_ends_the_reading(struct directory *directory, gconstpointer data)
{
	guint whole;

	(void)data;
	enter(directory, 0, 100);
	enter(directory, 1, 110);
	whole = directory->parts[1]->data->len;
	recording_raw(directory->parts[1], PERF_RECORD_SAMPLE, 0, "", 0);
	enter(directory, 1, 120);
	enter(directory, 0, 130);
	write_all(directory);
	assert_fails_in(directory, ITP_ERROR_CORRUPT, "data.1", whole);
}

static void test_perf_that_was_killed(struct directory *directory, gconstpointer data)
{
	g_autoptr(GByteArray) image = recording_image(directory->own);
	guint64 place[2];

	(void)data;
	enter(directory, 0, 100);
	enter(directory, 1, 110);
	write_all(directory);
	/* There are no feature sections behind the data, and the header does not tell its size. */
	memcpy(place, image->data + 40, sizeof(place));
	g_byte_array_set_size(image, (guint)(place[0] + place[1]));
	memset(image->data + 48, 0, sizeof(place[1]));
	memset(image->data + 72, 0, 32);
	write_file(directory, "data", image);
	assert_fails_in(directory, ITP_ERROR_TRUNCATED, NULL, image->len);
}

static void remove_in(const struct directory *directory, const char *name)
{
	g_autofree char *path = file_in(directory, name);

	g_assert_cmpint(g_remove(path), ==, 0);
}

static void test_missing_parts_are_named(struct directory *directory, gconstpointer data)
{
	(void)data;
	enter(directory, 0, 100);
	write_all(directory);
	remove_in(directory, "data.1");
	assert_refused(directory, ITP_ERROR_PART_MISSING, "data.1");
	remove_in(directory, "data.0");
	assert_refused(directory, ITP_ERROR_PART_MISSING, "data.0");
}

static void test_further_parts_are_refused(struct directory *directory, gconstpointer data)
{
	(void)data;
	enter(directory, 0, 100);
	write_all(directory);
	write_file(directory, "data.2", directory->parts[0]->data);
	assert_refused(directory, ITP_ERROR_PART_EXTRA, "data.2");
}

/* Stacks of one buffer would count twice, and those of the other not at all. */
static void test_parts_are_distinct(struct directory *directory, gconstpointer data)
{
	(void)data;
	enter(directory, 0, 100);
	enter(directory, 1, 110);
	write_all(directory);
	write_file(directory, "data.1", directory->parts[0]->data);
	assert_refused(directory, ITP_ERROR_PART_TWICE, "data.1");
}

static void test_parts_are_regular_files(struct directory *directory, gconstpointer data)
{
	g_autofree char *part = file_in(directory, "data.1");
	g_autofree char *own = file_in(directory, "data");
	g_autofree char *elsewhere = file_in(directory, "elsewhere");

	(void)data;
	enter(directory, 0, 100);
	write_all(directory);
	g_assert_cmpint(g_rename(part, elsewhere), ==, 0);
	g_assert_cmpint(symlink(elsewhere, part), ==, 0);
	assert_refused(directory, ITP_ERROR_PART_NOT_REGULAR, "data.1");
	remove_in(directory, "data.1");
	g_assert_cmpint(mkfifo(part, 0600), ==, 0);
	assert_refused(directory, ITP_ERROR_PART_NOT_REGULAR, "data.1");
	remove_in(directory, "data.1");
	g_assert_cmpint(g_mkdir(part, 0700), ==, 0);
	assert_refused(directory, ITP_ERROR_PART_NOT_REGULAR, "data.1");
	remove_in(directory, "data.1");
	remove_in(directory, "elsewhere");
	g_assert_cmpint(g_rename(own, elsewhere), ==, 0);
	g_assert_cmpint(symlink(elsewhere, own), ==, 0);
	write_file(directory, "data.1", directory->parts[1]->data);
	assert_refused(directory, ITP_ERROR_PART_NOT_REGULAR, "data");
}

static void test_directory_is_to_be_named(struct directory *directory, gconstpointer data)
{
	g_autofree char *own = file_in(directory, "data");
	g_autofree char *text = NULL;
	g_autofree char *expected = g_strdup_printf("end %d\n", ITP_ERROR_PART);

	(void)data;
	write_all(directory);
	text = events_text(own, NULL);
	g_assert_cmpstr(text, ==, expected);
}

/* Records of one part, from `time` on, at the end of its file. */
static void append_ticks(const struct directory *directory, guint part, guint64 time, guint count)
{
	static const guint64 chain[] = { USER, APP + 0x10, APP + 0x20, APP + 0x30, APP + 0x40, 0 };
	g_autofree char *name = g_strdup_printf("data.%u", part);
	g_autofree char *path = file_in(directory, name);
	GByteArray *bytes = directory->parts[part]->data;
	FILE *file = g_fopen(path, "ab");

	g_byte_array_set_size(bytes, 0);
	for (guint i = 0; i < count; i++) {
		recording_tick(directory->parts[part],
			       &(struct recording_stamp){ 10, 10, time + i }, chain);
	}
	g_assert_cmpuint(fwrite(bytes->data, 1, bytes->len, file), ==, bytes->len);
	fclose(file);
}

static guint64 most_memory(void)
{
	struct rusage usage;

	g_assert_cmpint(getrusage(RUSAGE_SELF, &usage), ==, 0);
	return (guint64)usage.ru_maxrss * 1024;
}

static void test_memory_does_not_grow_with_the_files(struct directory *directory,
						     gconstpointer data)
{
	const struct itp_perf_options options = { .kallsyms = "/dev/null" };
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	struct itp_perf_reader *reader;
	struct itp_stack_event event;
	guint64 before;
	guint64 total;

	(void)data;
	write_all(directory);
	for (guint64 time = 100; time < 600000; time += 5000) {
		append_ticks(directory, 0, time, 5000);
		append_ticks(directory, 1, time + 1, 5000);
	}
	before = most_memory();
	reader = itp_perf_reader_new(directory->path, &options, functions, &error);
	total = itp_perf_reader_total_bytes(reader);
	while (itp_perf_reader_next(reader, &event) == 1) {
	}
	g_assert_cmpuint(itp_perf_reader_done_bytes(reader), >, total / 10 * 9);
	g_test_message("%" G_GUINT64_FORMAT " bytes of %" G_GUINT64_FORMAT, most_memory() - before,
		       total);
	g_assert_cmpuint(most_memory() - before, <, total / 4);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *sentence;
		void (*function)(struct directory *, gconstpointer);
	} tests[] = {
		{ "records of all files come in one order in time", test_parts_are_merged },
		{ "interrupts are put in order", test_interrupts_are_put_in_order },
		{ "each compressed file is a stream of its own",
		  test_compressed_parts_are_streams_of_their_own },
		{ "losses are counted once, the rest at the end", test_losses_are_counted },
		{ "user parts of stacks may come in another file",
		  test_user_parts_come_later_in_another_file },
		{ "a CPU on which nothing happened has an empty file",
		  test_cpu_without_events_has_an_empty_file },
		{ "a file that was cut ends the reading there", test_cut_part_ends_the_reading },
		{ "a damaged file ends the reading there", test_damaged_part_ends_the_reading },
		{ "a directory whose perf was killed is read as truncated",
		  test_perf_that_was_killed },
		{ "a file that is missing is named", test_missing_parts_are_named },
		{ "a file too many is refused", test_further_parts_are_refused },
		{ "a file that is there twice is refused", test_parts_are_distinct },
		{ "links, pipes and directories are no files of a recording",
		  test_parts_are_regular_files },
		{ "who names a file in a directory is told to name the directory",
		  test_directory_is_to_be_named },
		{ "memory does not grow with the files", test_memory_does_not_grow_with_the_files },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (guint i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strconcat("/perf-parts/", tests[i].sentence, NULL);

		g_test_add(path, struct directory, NULL, set_up, tests[i].function, tear_down);
	}
	return g_test_run();
}
