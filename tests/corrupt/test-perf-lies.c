/* SPDX-License-Identifier: MIT */
/*
 * Recordings whose header, sections or records say what is not so, each in one deliberate way.
 *
 * Each must end in the error that fits, after what could be read. What a record's fields say is
 * in tests/perf/test-perf-records.c.
 */
#include "tests/perf/usual.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define TIME_LIMIT_SECONDS 600

/* Where fields of the header are. */
#define HEADER_SIZE 8
#define ATTR_SIZE 16
#define ATTRS_OFFSET 24
#define ATTRS_SIZE 32
#define DATA_OFFSET 40
#define DATA_SIZE 48
#define FEATURE_BITS 72
#define HEADER_END 104

/* One attribute and the section that its ids are in. */
#define ENTRY_BYTES (sizeof(struct perf_event_attr) + 2 * sizeof(guint64))

/* How the usual recording of one system call reads. */
#define WHOLE "START 10/10 app 1 -1\nENTER 10/10 app 1 1 syscall:write ?\n"
#define CUT_AT(time) "LOSS -1/-1  " time " -2\n"
/* Without the formats of tracepoints the call is just a stack. */
#define NO_FORMATS "START 10/10 app 1 -1\nSAMPLE 10/10 app 1 0 ?\n" CUT_AT("1")
#define CORRUPT "end -14\n"
#define TRUNCATED "end -13\n"

static guint64 get(const GByteArray *image, gsize place)
{
	guint64 value;

	memcpy(&value, image->data + place, sizeof(value));
	return value;
}

static void set(GByteArray *image, gsize place, guint64 value)
{
	g_assert_cmpuint(place + sizeof(value), <=, image->len);
	memcpy(image->data + place, &value, sizeof(value));
}

static GByteArray *usual_image(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	recording_add_string(recording, 3, "machine");
	syscall_at(recording, 1);
	return recording_image(recording);
}

static gsize attrs_of(const GByteArray *image)
{
	return (gsize)get(image, ATTRS_OFFSET);
}

/* The table of feature sections: formats of tracepoints, then the name of the machine. */
static gsize table_of(const GByteArray *image)
{
	return (gsize)(get(image, DATA_OFFSET) + get(image, DATA_SIZE));
}

static void assert_image(const GByteArray *image, const char *expected)
{
	g_autofree char *path = recording_write_bytes(image->data, image->len);
	g_autofree char *text = events_text(path, NULL);

	g_unlink(path);
	g_assert_cmpstr(text, ==, expected);
}

/* The usual image with one number changed. */
static void assert_changed(gsize place, guint64 value, const char *expected)
{
	g_autoptr(GByteArray) image = usual_image();

	set(image, place, value);
	assert_image(image, expected);
}

static void test_header(void)
{
	const guint64 sizes[] = { 0, 8, 17, 71, 73, 103, 105, UINT64_MAX };

	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		assert_changed(HEADER_SIZE, sizes[i], CORRUPT);
	}
}

static void test_attr_sizes(void)
{
	const guint64 sizes[] = { 0, 1, 79, ENTRY_BYTES - 1, ENTRY_BYTES + 8, UINT64_MAX };

	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		assert_changed(ATTR_SIZE, sizes[i], CORRUPT);
	}
}

static void test_attrs_section(void)
{
	assert_changed(ATTRS_SIZE, 0, CORRUPT);
	assert_changed(ATTRS_SIZE, ENTRY_BYTES - 1, CORRUPT);
	assert_changed(ATTRS_SIZE, UINT64_MAX, CORRUPT);
	assert_changed(ATTRS_OFFSET, UINT64_MAX, CORRUPT);
	assert_changed(ATTRS_OFFSET, UINT64_MAX - ENTRY_BYTES, CORRUPT);
	assert_changed(ATTRS_OFFSET, 1 << 20, TRUNCATED);
	assert_changed(ATTRS_SIZE, ENTRY_BYTES << 20, TRUNCATED);
}

/* Fields of the first attribute: its own size, and where its ids are. */
static void test_attr(void)
{
	g_autoptr(GByteArray) image = usual_image();
	gsize attr = attrs_of(image);
	gsize ids = attr + sizeof(struct perf_event_attr);

	assert_changed(attr, UINT64_C(63) << 32, CORRUPT);
	assert_changed(attr, UINT64_C(0xffffffff) << 32, CORRUPT);
	assert_changed(ids, image->len + 1, CORRUPT);
	assert_changed(ids, UINT64_MAX, CORRUPT);
	assert_changed(ids + 8, image->len, CORRUPT);
	assert_changed(ids + 8, UINT64_MAX, CORRUPT);
}

static void test_data_section(void)
{
	assert_changed(DATA_OFFSET, 1 << 20, TRUNCATED);
	assert_changed(DATA_OFFSET, UINT64_MAX, TRUNCATED);
	/* The table of features is then met as a record. */
	assert_changed(DATA_SIZE, 1 << 20, NO_FORMATS CORRUPT);
	assert_changed(DATA_SIZE, UINT64_MAX, NO_FORMATS CORRUPT);
}

/* Sections in the place of others, and of themselves. */
static void test_overlaps(void)
{
	g_autoptr(GByteArray) image = usual_image();
	guint64 attrs = attrs_of(image);

	/* Attributes in the header have no call chains. */
	assert_changed(ATTRS_OFFSET, 0, CORRUPT);
	/* Records in the header and in the attributes. */
	assert_changed(DATA_OFFSET, 0, CUT_AT("0") CORRUPT);
	assert_changed(DATA_OFFSET, attrs, CUT_AT("0") CORRUPT);
	/* The ids of an attribute in the attribute itself: none of them is met. */
	assert_changed(attrs + sizeof(struct perf_event_attr), attrs, "end 0\n");
}

/* Entries of the table: the formats of tracepoints are the first, then a string. */
static void test_features(void)
{
	g_autoptr(GByteArray) image = usual_image();
	gsize table = table_of(image);
	const char *no_formats = NO_FORMATS TRUNCATED;

	assert_changed(table, image->len + 1, no_formats);
	assert_changed(table, UINT64_MAX, no_formats);
	assert_changed(table + 8, image->len, no_formats);
	assert_changed(table + 8, UINT64_MAX, no_formats);
	assert_changed(table + 24, UINT64_MAX, no_formats);
	/* More sections than the table can hold. */
	assert_changed(FEATURE_BITS, UINT64_MAX, no_formats);
}

static void test_cycles(void)
{
	g_autoptr(GByteArray) image = usual_image();
	gsize table = table_of(image);
	const char *no_formats = NO_FORMATS CORRUPT;

	/* Formats in the table of which they are an entry, in the header, in the records. */
	assert_changed(table, table, no_formats);
	assert_changed(table, 0, no_formats);
	assert_changed(table, get(image, DATA_OFFSET), no_formats);
	/* A name in the table that it is an entry of, which is no name. */
	assert_changed(table + 16, table, WHOLE "end 0\n");
	assert_changed(table + 16, 0, WHOLE "end 0\n");
}

static char *events_with_record(const void *record, gsize size)
{
	g_autoptr(recording_auto) recording = usual_recording();

	syscall_at(recording, 1);
	g_byte_array_append(recording->data, record, (guint)size);
	syscall_at(recording, 2);
	return events_text(recording_write(recording), NULL);
}

static void assert_record(guint32 type, guint16 size, guint64 first)
{
	struct {
		struct perf_event_header header;
		guint64 body[2];
	} record = { .header = { .type = type, .size = size }, .body = { first } };
	g_autofree char *text = events_with_record(&record, sizeof(record));

	g_assert_cmpstr(text, ==, WHOLE CUT_AT("1") CORRUPT);
}

static void test_records(void)
{
	assert_record(PERF_RECORD_SAMPLE, 0, 0);
	assert_record(PERF_RECORD_SAMPLE, 7, 0);
	assert_record(PERF_RECORD_SAMPLE, 8, 0);
	assert_record(PERF_RECORD_COMM, UINT16_MAX, 0);
	/* Data that follow a trace's record, and formats, which only pipes hold. */
	assert_record(71, 24, 1 << 20);
	assert_record(71, 24, UINT64_MAX - 16);
	assert_record(66, 24, 1 << 20);
	assert_record(66, 24, UINT32_MAX);
}

/* Compressed records do not hold others. */
static void test_nested_compression(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	syscall_at(recording, 1);
	recording_compress(recording, RECORDING_COMPRESSED, 4096);
	recording_compress(recording, RECORDING_COMPRESSED, 4096);
	assert_events(recording, CUT_AT("0") CORRUPT);
}

/* A pipe of three system calls, the file of which lacks `cut` bytes at its end. The type and size
 * of the `damaged` one, counted from the last, are changed. */
static char *events_of_pipe(gsize damaged, guint32 type, guint16 size, gsize cut)
{
	g_autoptr(recording_auto) recording = usual_recording();
	GByteArray *image;
	g_autofree char *path = NULL;
	gsize sizes[3];
	gsize place;
	char *text;

	for (guint64 i = 0; i < G_N_ELEMENTS(sizes); i++) {
		sizes[i] = recording->data->len;
		syscall_at(recording, i + 1);
		sizes[i] = recording->data->len - sizes[i];
	}
	image = recording_pipe_image(recording);
	place = image->len;
	for (gsize i = 0; i <= damaged; i++) {
		place -= sizes[i];
	}
	memcpy(image->data + place, &type, sizeof(type));
	memcpy(image->data + place + 6, &size, sizeof(size));
	path = recording_write_bytes(image->data, image->len - cut);
	text = events_text(path, NULL);
	g_unlink(path);
	g_byte_array_free(image, TRUE);
	return text;
}

static void assert_pipe(gsize damaged, guint32 type, guint16 size, gsize cut, const char *expected)
{
	g_autofree char *text = events_of_pipe(damaged, type, size, cut);

	g_assert_true(g_str_has_suffix(text, expected));
}

/* No header tells how long the data are, but records that follow do. */
static void test_pipe_sizes(void)
{
	/* Cut inside of the last one. */
	assert_pipe(0, PERF_RECORD_SAMPLE, 1000, 0, TRUNCATED);
	assert_pipe(0, PERF_RECORD_SAMPLE, 1000, 8, TRUNCATED);
	assert_pipe(0, 82, 1001, 0, TRUNCATED);
	/* Others follow it. */
	assert_pipe(1, PERF_RECORD_SAMPLE, 1000, 0, CORRUPT);
	assert_pipe(2, PERF_RECORD_SAMPLE, UINT16_MAX & ~7, 0, CORRUPT);
	assert_pipe(1, 82, 1001, 0, CORRUPT);
	/* What no record says of itself. */
	assert_pipe(0, PERF_RECORD_SAMPLE, 7, 0, CORRUPT);
	assert_pipe(0, PERF_RECORD_SAMPLE, 1001, 0, CORRUPT);
	assert_pipe(0, 0, 1000, 0, CORRUPT);
	assert_pipe(0, 128, 1000, 0, CORRUPT);
	assert_pipe(1, 80, 1001, 0, CORRUPT);
	/* Nothing tells where the last one is cut too, or records may be inside of another. */
	assert_pipe(1, RECORDING_COMPRESSED, 1001, 0, TRUNCATED);
	assert_pipe(1, PERF_RECORD_SAMPLE, 1000, 8, TRUNCATED);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	/* SIGALRM ends a program that hangs. */
	alarm(TIME_LIMIT_SECONDS);
	g_test_add_func("/perf-lies/a header of no known size", test_header);
	g_test_add_func("/perf-lies/attributes of no possible size", test_attr_sizes);
	g_test_add_func("/perf-lies/a section of attributes outside of the file",
			test_attrs_section);
	g_test_add_func("/perf-lies/an attribute larger than its place, ids outside of the file",
			test_attr);
	g_test_add_func("/perf-lies/a section of records outside of the file", test_data_section);
	g_test_add_func("/perf-lies/sections that overlap", test_overlaps);
	g_test_add_func("/perf-lies/features outside of the file", test_features);
	g_test_add_func("/perf-lies/features that point to their own table, header or records",
			test_cycles);
	g_test_add_func("/perf-lies/records smaller or larger than there is", test_records);
	g_test_add_func("/perf-lies/records of pipes: cut, or of a wrong size", test_pipe_sizes);
	g_test_add_func("/perf-lies/compressed records in compressed ones",
			test_nested_compression);
	return g_test_run();
}
