/* SPDX-License-Identifier: MIT */
/*
 * Records that come later than the rounds of perf promise: which are put where their times belong,
 * which are not, and that both are counted.
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */

#include "tests/perf/usual.h"

#include "common/perf-data/rounds.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define START "START 10/10 app "
/* What is held back where a file cannot be looked through: see order.h. */
#define HELD_RECORDS (256u * 1024)
#define HELD_BYTES (64u * 1024 * 1024)
#define HELD_NS UINT64_C(500000000)

static void syscalls_at(struct recording *recording, guint64 first, guint64 count)
{
	for (guint64 time = first; time < first + count; time++) {
		syscall_at(recording, time);
	}
	recording_round(recording);
}

static void assert_counts(struct recording *recording, guint64 late, guint64 misplaced)
{
	const struct itp_perf_counts counts = counts_of(recording);

	g_assert_cmpuint(counts.late_records, ==, late);
	g_assert_cmpuint(counts.misplaced_records, ==, misplaced);
}

/* Three rounds too late, of which the first two are allowed. */
static struct recording *late_samples(void)
{
	struct recording *recording = usual_recording();

	syscalls_at(recording, 2003, 1);
	syscalls_at(recording, 2004, 1);
	syscalls_at(recording, 2006, 1);
	syscall_at(recording, 2002);
	syscall_at(recording, 2001);
	syscalls_at(recording, 2007, 1);
	return recording;
}

#define LATE_SAMPLES                                       \
	START "2001 -1\n"                                  \
	      "ENTER 10/10 app 2001 2001 syscall:2001 ?\n" \
	      "ENTER 10/10 app 2002 2002 syscall:2002 ?\n" \
	      "ENTER 10/10 app 2003 2003 syscall:2003 ?\n" \
	      "ENTER 10/10 app 2004 2004 syscall:2004 ?\n"

static void test_late_samples(void)
{
	g_autoptr(recording_auto) recording = late_samples();

	assert_events(recording, LATE_SAMPLES "ENTER 10/10 app 2006 2006 syscall:2006 ?\n"
					      "LATE -1/-1  2006 2\n"
					      "ENTER 10/10 app 2007 2007 syscall:2007 ?\n"
					      "end 0\n");
	assert_counts(recording, 2, 0);
}

static void test_late_samples_through_a_pipe(void)
{
	g_autoptr(recording_auto) recording = late_samples();
	g_autoptr(GByteArray) image = recording_pipe_image(recording);
	g_autofree char *path = recording_write_bytes((const char *)image->data, (gsize)image->len);
	g_autofree char *text = events_text(path, NULL);

	g_assert_cmpstr(text, ==,
			LATE_SAMPLES "ENTER 10/10 app 2006 2006 syscall:2006 ?\n"
				     "LATE -1/-1  2006 2\n"
				     "ENTER 10/10 app 2007 2007 syscall:2007 ?\n"
				     "end 0\n");
	unlink(path);
}

/* Nothing tells in a compressed file what is to come, so records are held back. */
static void test_late_samples_in_compressed_records(void)
{
	g_autoptr(recording_auto) recording = late_samples();

	recording_compress(recording, RECORDING_COMPRESSED, 40);
	assert_events(recording, START "2001 -1\n"
				       "ENTER 10/10 app 2001 2001 syscall:2001 ?\n"
				       "LATE -1/-1  2001 2\n"
				       "ENTER 10/10 app 2002 2002 syscall:2002 ?\n"
				       "ENTER 10/10 app 2003 2003 syscall:2003 ?\n"
				       "ENTER 10/10 app 2004 2004 syscall:2004 ?\n"
				       "ENTER 10/10 app 2006 2006 syscall:2006 ?\n"
				       "ENTER 10/10 app 2007 2007 syscall:2007 ?\n"
				       "end 0\n");
}

/* One round late is what perf promises, and a time that is there already is none that is late. */
static void test_what_is_not_late(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	syscalls_at(recording, 2003, 1);
	syscalls_at(recording, 2005, 1);
	syscalls_at(recording, 2003, 1);
	syscalls_at(recording, 2006, 1);
	syscalls_at(recording, 2005, 1);
	assert_counts(recording, 0, 0);
	syscalls_at(recording, 2005, 1);
	assert_counts(recording, 1, 0);
}

/* The new program of a process and its code are told rounds after its samples. */
static void test_late_task_records(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 chain[] = { USER, APP + 0x800010, 0 };

	for (guint64 time = 120; time < 125; time++) {
		recording_tick(recording, &(struct recording_stamp){ 20, 20, time }, chain);
		recording_round(recording);
	}
	recording_fork(recording, &(struct recording_stamp){ 10, 10, 100 }, 20, 20);
	recording_comm(recording, &(struct recording_stamp){ 20, 20, 110 }, "child", TRUE);
	recording_mmap(recording, &(struct recording_stamp){ 20, 20, 111 }, APP + 0x800000, 0x1000,
		       "/nowhere/child");
	recording_exit(recording, &(struct recording_stamp){ 20, 20, 122 });
	assert_events(recording, "START 20/20 app 100 10\n"
				 "EXEC 20/20 child 110 0\n"
				 "SAMPLE 20/20 child 120 1 child+0x1010\n"
				 "SAMPLE 20/20 child 121 1 child+0x1010\n"
				 "SAMPLE 20/20 child 122 1 child+0x1010\n"
				 "END 20/20 child 122 0\n"
				 "LATE -1/-1  124 4\n"
				 "end 0\n");
}

/* What lies behind the damage is not looked for. */
static void test_late_records_behind_damage(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	syscalls_at(recording, 2003, 1);
	syscalls_at(recording, 2004, 1);
	syscalls_at(recording, 2006, 1);
	recording_raw(recording, PERF_RECORD_SAMPLE, 0, "", 0);
	syscalls_at(recording, 2001, 1);
	assert_events(recording, START "2003 -1\n"
				       "ENTER 10/10 app 2003 2003 syscall:2003 ?\n"
				       "ENTER 10/10 app 2004 2004 syscall:2004 ?\n"
				       "ENTER 10/10 app 2006 2006 syscall:2006 ?\n"
				       "LOSS -1/-1  2006 -2\n"
				       "end -14\n");
	assert_counts(recording, 0, 0);
}

/* ---- Limits ---- */

static struct recording *many_late_records(guint64 late)
{
	struct recording *recording = recording_new();
	const struct recording_stamp stamp = { 10, 10, 1 };

	recording_add_attr(recording, PERF_TYPE_SOFTWARE, 0, RECORDING_SAMPLE_TYPE);
	for (guint64 time = 2; time < 5; time++) {
		recording_comm(recording, &(struct recording_stamp){ 10, 10, time }, "a", FALSE);
		recording_round(recording);
	}
	for (guint64 i = 0; i < late; i++) {
		recording_comm(recording, &stamp, "a", FALSE);
	}
	return recording;
}

static void test_limit_of_late_records(void)
{
	g_autoptr(recording_auto) recording = many_late_records(ITP_MAX_LATE_RECORDS + 2);

	g_assert_cmpuint(ITP_MAX_LATE_RECORDS, ==, 1024 * 1024);
	assert_counts(recording, ITP_MAX_LATE_RECORDS, 2);
}

/* A late record behind so many that are held back, or so many bytes. */
static struct recording *held_records(guint64 count, gsize bytes, guint64 round)
{
	struct recording *recording = recording_new();
	g_autofree char *name = g_strnfill(bytes, 'a');

	recording_add_attr(recording, PERF_TYPE_SOFTWARE, 0, RECORDING_SAMPLE_TYPE);
	for (guint64 i = 0; i < count; i++) {
		recording_comm(recording, &(struct recording_stamp){ 10, 10, 10 + i }, name, FALSE);
		if ((i + 1) % round == 0) {
			recording_round(recording);
		}
	}
	recording_comm(recording, &(struct recording_stamp){ 10, 10, 1 }, "a", FALSE);
	recording_compress(recording, RECORDING_COMPRESSED, 60000);
	return recording;
}

static void test_limit_of_held_records(void)
{
	g_autoptr(recording_auto) fewer = held_records(HELD_RECORDS - 1024, 1, 1024);
	g_autoptr(recording_auto) more = held_records(HELD_RECORDS, 1, 1024);

	assert_counts(fewer, 1, 0);
	assert_counts(more, 0, 1);
}

static void test_limit_of_held_bytes(void)
{
	/* A twentieth less, and no less; what a block of the unpacker begins with counts twice. */
	const gsize bytes = 4096;
	const guint64 enough = HELD_BYTES / bytes;
	g_autoptr(recording_auto) fewer = held_records(enough - enough / 20, bytes, 10);
	g_autoptr(recording_auto) more = held_records(enough, bytes, 10);

	assert_counts(fewer, 1, 0);
	assert_counts(more, 0, 1);
}

/* Half of what is held is given up when there is too much, the older one. */
static void test_newer_half_is_held_on(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	for (guint64 i = 0; i < HELD_RECORDS / 1024; i++) {
		syscalls_at(recording, 1000 + 1024 * i, 1024);
	}
	syscalls_at(recording, 1000 + HELD_RECORDS / 2 - 10, 1);
	syscalls_at(recording, 1000 + HELD_RECORDS / 2 + 10, 1);
	recording_compress(recording, RECORDING_COMPRESSED, 60000);
	assert_counts(recording, 1, 1);
}

/* ---- While it is written ---- */

/* Reads a recording that grows, of which all is there. */
static struct itp_perf_counts counts_of_growing(struct recording *recording)
{
	g_autoptr(GByteArray) image = recording_pipe_image(recording);
	const struct itp_perf_options options = { .grows = true };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_perf_counts counts;
	struct itp_stack_event event;
	struct itp_perf_reader *reader;
	enum itp_error error;
	int ends[2];
	int got;

	g_assert_cmpint(pipe(ends), ==, 0);
	g_assert_cmpint(write(ends[1], image->data, image->len), ==, (gssize)image->len);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	reader = itp_perf_reader_new("-", &options, functions, &error);
	g_assert_nonnull(reader);
	do {
		got = itp_perf_reader_next(reader, &event);
	} while (got == 1 || got == ITP_ERROR_AGAIN);
	g_assert_cmpint(got, ==, 0);
	counts = *itp_perf_reader_counts(reader);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	return counts;
}

static struct recording *late_by(guint64 late_ns)
{
	struct recording *recording = usual_recording();

	syscalls_at(recording, HELD_NS, 1);
	syscalls_at(recording, 3 * HELD_NS, 1);
	syscalls_at(recording, 4 * HELD_NS, 1);
	syscalls_at(recording, 5 * HELD_NS, 1);
	syscalls_at(recording, 6 * HELD_NS, 1);
	syscalls_at(recording, 6 * HELD_NS + 1, 1);
	syscalls_at(recording, 6 * HELD_NS + 2 - late_ns, 1);
	return recording;
}

static void test_growing_recording_is_held_back_for_some_time(void)
{
	g_autoptr(recording_auto) early = late_by(HELD_NS);
	g_autoptr(recording_auto) late = late_by(HELD_NS + 2);

	g_assert_cmpuint(counts_of_growing(early).late_records, ==, 1);
	g_assert_cmpuint(counts_of_growing(early).misplaced_records, ==, 0);
	g_assert_cmpuint(counts_of_growing(late).late_records, ==, 0);
	g_assert_cmpuint(counts_of_growing(late).misplaced_records, ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-order/late samples are put where they belong", test_late_samples);
	g_test_add_func("/perf-order/out of a pipe, too", test_late_samples_through_a_pipe);
	g_test_add_func("/perf-order/out of compressed records, too",
			test_late_samples_in_compressed_records);
	g_test_add_func("/perf-order/two rounds are no lateness", test_what_is_not_late);
	g_test_add_func("/perf-order/late task records come before what they concern",
			test_late_task_records);
	g_test_add_func("/perf-order/damage ends the looking for late records",
			test_late_records_behind_damage);
	g_test_add_func("/perf-order/more than a million late records are not put in order",
			test_limit_of_late_records);
	g_test_add_func("/perf-order/so many compressed records are held back",
			test_limit_of_held_records);
	g_test_add_func("/perf-order/so many bytes of them are held back",
			test_limit_of_held_bytes);
	g_test_add_func("/perf-order/the newer half is held on", test_newer_half_is_held_on);
	g_test_add_func("/perf-order/half a second of a growing recording is held back",
			test_growing_recording_is_held_back_for_some_time);
	return g_test_run();
}
