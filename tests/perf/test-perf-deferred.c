/* SPDX-License-Identifier: MIT */
/*
 * User parts of stacks that come later than their samples, as Linux 6.19 records them. Layouts are
 * those of include/uapi/linux/perf_event.h: chains end with a marker and a cookie,
 * PERF_RECORD_CALLCHAIN_DEFERRED is cookie, number, addresses and the trailer.
 */
#include "tests/perf/usual.h"

#include <glib/gstdio.h>
#include <string.h>

#define DEFERRED ((guint64)-640)
#define COOKIE UINT64_C(0xb00000006)

/* What a sample shows that was taken in the kernel, with or without its user part. */
#define IN_KERNEL "[kernel]+0xffffffff81000000"
#define IN_BOTH "app+0x101f>app+0x1010>" IN_KERNEL

static const guint64 sample_chain[] = { KERNEL, KERNEL_CODE + 1, DEFERRED, COOKIE, 0 };
static const guint64 user_part[] = { APP + 0x10, APP + 0x20, 0 };

static struct recording *deferred_recording(void)
{
	struct recording *recording = usual_recording();

	recording_defer(recording);
	return recording;
}

static void enter_at(struct recording *recording, gint32 tid, guint64 time)
{
	recording_syscall(recording, &(struct recording_stamp){ 10, tid, time }, FALSE, 0,
			  sample_chain);
}

static void part_at(struct recording *recording, gint32 tid, guint64 time)
{
	recording_deferred(recording, &(struct recording_stamp){ 10, tid, time }, COOKIE,
			   user_part);
}

static void assert_missing(struct recording *recording, guint64 expected)
{
	g_assert_cmpuint(counts_of(recording).missing_user_parts, ==, expected);
	g_assert_cmpuint(counts_of(recording).skipped_records, ==, 0);
}

static void test_merge(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();

	enter_at(recording, 10, 100);
	recording_fork(recording, &(struct recording_stamp){ 10, 10, 150 }, 10, 11);
	part_at(recording, 10, 200);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 0 syscall:read " IN_BOTH "\n"
				 "START 10/11 app 150 10\n"
				 "end 0\n");
	assert_missing(recording, 0);
}

static void test_several_samples(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();
	const struct recording_stamp out = { 10, 10, 110 };
	const struct recording_stamp leave = { 10, 10, 190 };

	recording_fork(recording, &(struct recording_stamp){ 10, 10, 90 }, 10, 11);
	enter_at(recording, 10, 100);
	recording_switch_sample(recording, &out, 1, 0, sample_chain);
	recording_syscall(recording, &leave, TRUE, 0, sample_chain);
	part_at(recording, 10, 200);
	/* Several events may each put out the record. */
	part_at(recording, 10, 200);
	/* Never without the thread, though cookies are hardly used twice. */
	enter_at(recording, 11, 120);
	assert_events(recording, "START 10/11 app 90 10\n"
				 "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 0 syscall:read " IN_BOTH "\n"
				 "OUT 10/10 app 110 1 " IN_BOTH "\n"
				 "ENTER 10/11 app 120 0 syscall:read ?" IN_KERNEL "\n"
				 "EXIT 10/10 app 190 0 syscall:read " IN_BOTH "\n"
				 "end 0\n");
	assert_missing(recording, 1);
}

static void test_in_user_mode(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();
	const guint64 chain[] = { DEFERRED, COOKIE, 0 };
	const guint64 marked[] = { USER, APP + 0x10, 0 };

	recording_tick(recording, &(struct recording_stamp){ 10, 10, 100 }, chain);
	/* As the first versions of the record had it. */
	recording_deferred(recording, &(struct recording_stamp){ 10, 10, 101 }, COOKIE, marked);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 app+0x1010\n"
				 "end 0\n");
}

/* A thread that sleeps while others fill the rounds. */
static struct recording *long_sleep(void)
{
	struct recording *recording = deferred_recording();

	enter_at(recording, 10, 100);
	for (guint64 time = 101; time < 1000; time++) {
		recording_switch(recording, &(struct recording_stamp){ 20, 20, time }, 0);
		if (time % 10 == 0) {
			recording_round(recording);
		}
	}
	part_at(recording, 10, 1000);
	return recording;
}

static void assert_sleep(const char *path)
{
	g_autofree char *text = events_text(path, NULL);

	g_assert_true(g_str_has_prefix(text, "START 10/10 app 100 -1\n"
					     "ENTER 10/10 app 100 0 syscall:read " IN_BOTH "\n"
					     "START 20/20 :20 101 -1\n"
					     "IN 20/20 :20 101 0\n"));
	g_assert_true(g_str_has_suffix(text, "IN 20/20 :20 999 0\nend 0\n"));
}

static void test_long_sleep(void)
{
	g_autoptr(recording_auto) recording = long_sleep();

	assert_sleep(recording_write(recording));
}

static void test_other_layouts(void)
{
	g_autoptr(recording_auto) recording = long_sleep();
	g_autoptr(GByteArray) pipe = recording_pipe_image(recording);
	g_autofree char *path = recording_write_bytes(pipe->data, pipe->len);

	assert_sleep(path);
	g_unlink(path);
	recording_compress(recording, RECORDING_COMPRESSED, 1000);
	assert_sleep(recording_write(recording));
}

static void test_never(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();
	const guint64 no_cookie[] = { KERNEL, KERNEL_CODE + 1, DEFERRED, 0 };

	enter_at(recording, 10, 100);
	recording_syscall(recording, &(struct recording_stamp){ 10, 10, 110 }, FALSE, 0, no_cookie);
	recording_exit(recording, &(struct recording_stamp){ 10, 10, 120 });
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 0 syscall:read ?" IN_KERNEL "\n"
				 "ENTER 10/10 app 110 0 syscall:read ?" IN_KERNEL "\n"
				 "END 10/10 app 120 0\n"
				 "end 0\n");
	assert_missing(recording, 1);
}

static void test_exec(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();

	enter_at(recording, 10, 100);
	recording_comm(recording, &(struct recording_stamp){ 10, 10, 110 }, "new", TRUE);
	/* The new program at the same place. */
	recording_mmap(recording, &(struct recording_stamp){ 10, 10, 120 }, APP, 0x1000,
		       "/nowhere/new");
	recording_syscall(recording, &(struct recording_stamp){ 10, 10, 130 }, TRUE, 0,
			  sample_chain);
	part_at(recording, 10, 140);
	assert_events(recording,
		      "START 10/10 app 100 -1\n"
		      "ENTER 10/10 app 100 0 syscall:read ?" IN_KERNEL "\n"
		      "EXEC 10/10 new 110 0\n"
		      "EXIT 10/10 new 130 0 syscall:read new+0x101f>new+0x1010>" IN_KERNEL "\n"
		      "end 0\n");
	assert_missing(recording, 1);
}

static void test_mapping_between(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();

	enter_at(recording, 10, 100);
	recording_mmap(recording, &(struct recording_stamp){ 10, 10, 110 }, APP, 0x1000,
		       "/nowhere/other.so");
	part_at(recording, 10, 120);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 0 syscall:read " IN_BOTH "\n"
				 "end 0\n");
}

static char *events_of_depth(gsize depth)
{
	g_autoptr(recording_auto) recording = deferred_recording();
	g_autofree guint64 *part = g_new0(guint64, depth + 1);

	for (gsize i = 0; i < depth; i++) {
		part[i] = APP + 0x10;
	}
	enter_at(recording, 10, 100);
	recording_deferred(recording, &(struct recording_stamp){ 10, 10, 110 }, COOKIE, part);
	return events_text(recording_write(recording), NULL);
}

static void test_depth(void)
{
	/* 127 is the limit of what the sample itself holds. */
	g_autofree char *usual = events_of_depth(127);
	g_autofree char *whole = events_of_depth(509);
	g_autofree char *cut = events_of_depth(510);

	g_assert_nonnull(strstr(usual, "syscall:read app"));
	g_assert_nonnull(strstr(whole, "syscall:read app"));
	g_assert_nonnull(strstr(cut, "syscall:read ?app"));
}

static void test_lying_number(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();
	const guint64 body[] = { COOKIE, 3, APP, 10 | UINT64_C(10) << 32, 110, 0, RECORDING_ID(0) };

	enter_at(recording, 10, 100);
	recording_raw(recording, 22, PERF_RECORD_MISC_USER, body, sizeof(body));
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 0 syscall:read ?" IN_KERNEL "\n"
				 "LOSS -1/-1  110 -2\n"
				 "end -14\n");
}

/* Addresses that fit into one record, and more records than are kept. */
#define LONG_PART 8000
#define LONG_PARTS UINT64_C(1100)

static void test_limit(void)
{
	g_autoptr(recording_auto) recording = deferred_recording();
	g_autofree guint64 *part = g_new0(guint64, LONG_PART + 1);

	for (gsize i = 0; i < LONG_PART; i++) {
		part[i] = APP + 0x10;
	}
	for (guint64 cookie = 1; cookie <= LONG_PARTS; cookie++) {
		const guint64 chain[] = { DEFERRED, cookie, 0 };

		part[0] = APP + cookie;
		recording_tick(recording, &(struct recording_stamp){ 10, 10, cookie }, chain);
		recording_deferred(recording, &(struct recording_stamp){ 10, 10, cookie }, cookie,
				   part);
		recording_round(recording);
	}
	recording_compress(recording, RECORDING_COMPRESSED, 4 * 1024 * 1024);
	g_assert_cmpuint(recording->data->len, <, 1024 * 1024);
	/* 64 MiB of chains are kept. */
	assert_missing(recording, LONG_PARTS - 64 * 1024 * 1024 / (LONG_PART * sizeof(part[0])));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-deferred/a sample has the user part that comes after it",
			test_merge);
	g_test_add_func("/perf-deferred/a user part serves all samples of thread and cookie",
			test_several_samples);
	g_test_add_func("/perf-deferred/samples in user mode have theirs", test_in_user_mode);
	g_test_add_func("/perf-deferred/nothing waits for a user part that comes much later",
			test_long_sleep);
	g_test_add_func("/perf-deferred/compressed records and pipes read as plain files",
			test_other_layouts);
	g_test_add_func(
		"/perf-deferred/samples whose user part never comes are incomplete, counted",
		test_never);
	g_test_add_func("/perf-deferred/what comes after an exec is not of the samples before",
			test_exec);
	g_test_add_func("/perf-deferred/addresses are looked up as mapped at the sample",
			test_mapping_between);
	g_test_add_func("/perf-deferred/a user part as deep as the kernel goes is incomplete",
			test_depth);
	g_test_add_func("/perf-deferred/a user part longer than its record ends the reading",
			test_lying_number);
	g_test_add_func("/perf-deferred/what is kept has a limit", test_limit);
	return g_test_run();
}
