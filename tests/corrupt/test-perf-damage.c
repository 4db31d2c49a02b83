/* SPDX-License-Identifier: MIT */
/*
 * Damaged recordings: cut at every byte, and with bytes changed at random (the seed is fixed).
 *
 * Each must be read to an end, clean or an error, with events in the order of time, and in
 * little time. Run under AddressSanitizer this also checks every access. Arguments name real
 * recordings to be damaged in the same ways, at fewer places.
 */
#include "common/perf-data/reader.h"
#include "tests/perf/recording.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define FLIPPED_FILES 4000
#define MAX_FLIPS 8
#define REAL_CUTS 400
#define TIME_LIMIT_SECONDS 600

/* Kernel symbols are not what is tested, and reading them takes its time. */
static const struct itp_perf_options options = { .kallsyms = "/dev/null" };

struct outcome {
	int state;
	guint64 events;
	gboolean was_cut;
};

static void check_event(const struct itp_stack_event *event, gint64 *last_time,
			const struct itp_function_table *functions)
{
	g_assert_cmpint(event->time_ns, >=, *last_time);
	g_assert_cmpint(event->kind, <, ITP_EVENT_KIND_COUNT);
	g_assert_cmpuint(event->frame_count, <=, ITP_MAX_STACK_DEPTH);
	g_assert_nonnull(event->comm);
	g_assert_true(g_utf8_validate(event->comm, -1, NULL));
	for (gsize i = 0; i < event->frame_count; i++) {
		g_assert_cmpuint(event->frames[i].function, <, itp_function_table_size(functions));
	}
	*last_time = event->time_ns;
}

static struct outcome read_damaged(const void *bytes, gsize size)
{
	g_autofree char *path = recording_write_bytes(bytes, size);
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	struct itp_perf_reader *reader = itp_perf_reader_new(path, &options, functions, &error);
	struct outcome outcome = { .state = error };
	struct itp_stack_event event;
	gint64 last_time = 0;

	g_unlink(path);
	while (reader && (outcome.state = itp_perf_reader_next(reader, &event)) == 1) {
		check_event(&event, &last_time, functions);
		outcome.events++;
		outcome.was_cut = event.kind == ITP_EVENT_LOSS && event.argument == ITP_LOSS_CUT;
	}
	if (reader) {
		g_assert_true(outcome.was_cut == (outcome.state != 0));
		g_assert_cmpuint(itp_perf_reader_offset(reader), <=, size);
	}
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	return outcome;
}

/* A little of everything. */
static struct recording *sample_recording(void)
{
	struct recording *recording = recording_new();
	const guint64 chain[] = { (guint64)-128, UINT64_C(0xffffffff81000010),
				  (guint64)-512, 0x400010,
				  0x400020,      0 };
	const guint64 deferred[] = { (guint64)-128, UINT64_C(0xffffffff81000010), (guint64)-640, 7,
				     0 };
	const struct recording_stamp before = { 10, 10, 0 };

	recording_add_usual(recording);
	recording_defer(recording);
	recording_add_string(recording, 3, "machine");
	recording_add_string(recording, 6, "x86_64");
	recording_comm(recording, &before, "app", FALSE);
	recording_mmap(recording, &before, 0x400000, 0x1000, "/nowhere/app");
	for (guint64 time = 100; time < 1000; time += 100) {
		const struct recording_stamp now = { 10, 10, time };

		recording_syscall(recording, &now, FALSE, 1, chain);
		recording_syscall(recording, &now, TRUE, 1, chain);
		recording_switch_sample(recording, &now, 1, 11, chain);
		recording_wakeup(recording, &now, 11, "app", chain);
		recording_tick(recording, &now, chain);
		recording_tick(recording, &now, deferred);
		recording_deferred(recording, &now, 7, chain + 3);
		recording_fork(recording, &now, 11, 11);
		recording_comm(recording, &(struct recording_stamp){ 11, 11, time }, "new", TRUE);
		recording_mmap(recording, &now, 0x500000 + time, 0x2000, "/nowhere/lib.so");
		recording_switch(recording, &now, 0);
		recording_lost(recording, &now, 3);
		recording_exit(recording, &(struct recording_stamp){ 11, 11, time + 1 });
		recording_round(recording);
	}
	return recording;
}

static GByteArray *sample_image(void)
{
	g_autoptr(recording_auto) recording = sample_recording();

	return recording_image(recording);
}

static GByteArray *packed_image(void)
{
	g_autoptr(recording_auto) recording = sample_recording();

	recording_compress(recording, RECORDING_COMPRESSED, 1000);
	return recording_image(recording);
}

static GByteArray *pipe_image(void)
{
	g_autoptr(recording_auto) recording = sample_recording();

	return recording_pipe_image(recording);
}

static void assert_cut(const guint8 *image, gsize size)
{
	struct outcome outcome = read_damaged(image, size);

	if (size == 0) {
		g_assert_cmpint(outcome.state, ==, ITP_ERROR_EMPTY_FILE);
	} else if (size < 8) {
		g_assert_cmpint(outcome.state, ==, ITP_ERROR_NOT_PERF_DATA);
	} else {
		g_assert_cmpint(outcome.state, ==, ITP_ERROR_TRUNCATED);
	}
}

static void assert_all_cuts(const GByteArray *image)
{
	struct outcome whole = read_damaged(image->data, image->len);

	g_assert_cmpint(whole.state, ==, 0);
	g_assert_cmpuint(whole.events, >, 50);
	for (gsize size = 0; size < image->len; size++) {
		assert_cut(image->data, size);
	}
}

static void test_cuts(void)
{
	g_autoptr(GByteArray) plain = sample_image();
	g_autoptr(GByteArray) packed = packed_image();

	assert_all_cuts(plain);
	assert_all_cuts(packed);
}

static void flip(guint8 *bytes, gsize size, GRand *random)
{
	gint32 flips = g_rand_int_range(random, 1, MAX_FLIPS + 1);

	for (gint32 i = 0; i < flips; i++) {
		guint8 *byte = &bytes[g_rand_int_range(random, 8, (gint32)size)];

		/* Extreme values find more than random ones. */
		switch (g_rand_int_range(random, 0, 4)) {
		case 0:
			*byte = 0;
			break;
		case 1:
			*byte = 0xff;
			break;
		default:
			*byte = (guint8)g_rand_int(random);
		}
	}
}

/* What was cut between two records of a pipe cannot be told from a whole recording. */
static void test_pipe_cuts(void)
{
	g_autoptr(GByteArray) image = pipe_image();
	gsize whole = 0;

	for (gsize size = 8; size < image->len; size++) {
		struct outcome outcome = read_damaged(image->data, size);

		whole += outcome.state == 0;
		if (outcome.state != 0 && outcome.state != ITP_ERROR_NO_CALLCHAINS) {
			g_assert_cmpint(outcome.state, ==, ITP_ERROR_TRUNCATED);
		}
	}
	g_assert_cmpuint(whole, >, 0);
	g_assert_cmpuint(whole, <, 150);
}

static void flip_often(const GByteArray *image)
{
	GRand *random = g_rand_new_with_seed(1);

	for (gsize i = 0; i < FLIPPED_FILES; i++) {
		g_autofree guint8 *damaged = g_memdup2(image->data, image->len);

		flip(damaged, image->len, random);
		read_damaged(damaged, image->len);
	}
	g_rand_free(random);
}

static void test_flips(void)
{
	g_autoptr(GByteArray) plain = sample_image();
	g_autoptr(GByteArray) packed = packed_image();
	g_autoptr(GByteArray) pipe = pipe_image();

	flip_often(pipe);
	flip_often(plain);
	flip_often(packed);
}

/* The parts that everything else hangs on: header, ids, attributes. */
static void test_head_flips(void)
{
	g_autoptr(GByteArray) image = sample_image();
	guint64 data_begin;

	memcpy(&data_begin, image->data + 40, sizeof(data_begin));
	for (gsize place = 8; place < data_begin; place++) {
		const guint8 values[] = { 0, 1, 0x7f, 0x80, 0xff };

		for (gsize i = 0; i < sizeof(values); i++) {
			g_autofree guint8 *damaged = g_memdup2(image->data, image->len);

			damaged[place] = values[i];
			read_damaged(damaged, image->len);
		}
	}
}

static void test_real(gconstpointer path)
{
	g_autofree char *contents = NULL;
	GRand *random = g_rand_new_with_seed(2);
	gsize size;

	g_assert_true(g_file_get_contents(path, &contents, &size, NULL));
	for (gsize i = 0; i < REAL_CUTS; i++) {
		assert_cut((const guint8 *)contents, size / REAL_CUTS * i);
	}
	for (gsize i = 0; i < REAL_CUTS; i++) {
		g_autofree guint8 *damaged = g_memdup2(contents, size);

		flip(damaged, size, random);
		read_damaged(damaged, size);
	}
	g_rand_free(random);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	/* SIGALRM ends a program that hangs. */
	alarm(TIME_LIMIT_SECONDS);
	g_test_add_func("/perf-damage/a file cut at any byte is reported as cut", test_cuts);
	g_test_add_func("/perf-damage/a recording from a pipe cut in a record is reported as cut",
			test_pipe_cuts);
	g_test_add_func("/perf-damage/changed bytes do no harm", test_flips);
	g_test_add_func("/perf-damage/changed bytes in header and attributes do no harm",
			test_head_flips);
	for (int i = 1; i < argc; i++) {
		g_autofree char *name = g_strdup_printf("/perf-damage/real recording %d", i);

		g_test_add_data_func(name, argv[i], test_real);
	}
	return g_test_run();
}
