/* SPDX-License-Identifier: MIT */
/*
 * How fast the machine was: what is added to a finished recording is read from it, and leaves all
 * else as it was.
 */
#include "common/perf-data/feature.h"
#include "common/perf-data/speeds.h"
#include "tests/perf/usual.h"

#include <string.h>
#include <unistd.h>

#define HOSTNAME_BIT 3
#define METER 7

static const struct itp_speed measured[] = { { .time_ns = 90, .computed_ns = 15000 },
					     { .time_ns = 110, .computed_ns = 16000 } };

static struct recording *recording_of_call(void)
{
	struct recording *recording = usual_recording();

	recording_add_string(recording, HOSTNAME_BIT, "somewhere");
	syscall_at(recording, 100);
	return recording;
}

static int add(const char *path)
{
	return itp_perf_speeds_append(path, METER, measured, G_N_ELEMENTS(measured));
}

static char *hostname_of(const char *path)
{
	struct itp_perf_file file;
	char *hostname;

	g_assert_cmpint(itp_perf_file_init(&file, path), ==, 0);
	itp_perf_features_check(&file);
	g_assert_cmpint(file.damage, ==, 0);
	hostname = itp_perf_feature_string(&file, ITP_FEATURE_HOSTNAME);
	itp_perf_file_release(&file);
	return hostname;
}

static void test_it_is_told_behind_all_events(void)
{
	g_autoptr(recording_auto) recording = recording_of_call();
	const char *path = recording_write(recording);
	g_autofree char *before = events_text(path, NULL);
	g_autofree char *expected = NULL;
	g_autofree char *after = NULL;
	const char *end = strstr(before, "end 0\n");

	g_assert_nonnull(end);
	g_assert_cmpint(add(path), ==, 0);
	expected = g_strdup_printf("%.*sSPEED -1/-1  100 7 15000\nSPEED -1/-1  100 7 16000\n%s",
				   (int)(end - before), before, end);
	after = events_text(path, NULL);
	g_assert_cmpstr(after, ==, expected);
}

static void test_other_features_stay(void)
{
	g_autoptr(recording_auto) recording = recording_of_call();
	const char *path = recording_write(recording);
	g_autofree char *hostname = NULL;

	g_assert_cmpint(add(path), ==, 0);
	hostname = hostname_of(path);
	g_assert_cmpstr(hostname, ==, "somewhere");
}

/* Whose contents are `bytes`: it stays so. */
static void assert_refused(const GByteArray *bytes)
{
	g_autofree char *path = recording_write_bytes(bytes->data, bytes->len);
	g_autofree char *after = NULL;
	gsize size = 0;

	g_assert_cmpint(add(path), ==, ITP_ERROR_CORRUPT);
	g_assert_true(g_file_get_contents(path, &after, &size, NULL));
	g_assert_cmpuint(size, ==, bytes->len);
	g_assert_true(memcmp(after, bytes->data, size) == 0);
	unlink(path);
}

static void test_what_is_no_finished_recording_stays(void)
{
	const guint64 none = 0;
	g_autoptr(recording_auto) recording = recording_of_call();
	g_autoptr(GByteArray) image = recording_image(recording);
	g_autoptr(GByteArray) pipe = recording_pipe_image(recording);
	g_autoptr(GByteArray) killed = recording_image(recording);
	g_autoptr(GByteArray) empty = g_byte_array_new();

	/* As long as perf records, the header tells no size of the records. */
	memcpy(killed->data + 48, &none, sizeof(none));
	assert_refused(killed);
	assert_refused(pipe);
	assert_refused(empty);
	g_byte_array_set_size(image, image->len - 1);
	assert_refused(image);
}

static void test_it_is_added_once(void)
{
	g_autoptr(recording_auto) recording = recording_of_call();
	const char *path = recording_write(recording);

	g_assert_cmpint(add(path), ==, 0);
	g_assert_cmpint(add(path), ==, ITP_ERROR_CORRUPT);
	g_assert_cmpint(add("/nowhere/perf.data"), ==, ITP_ERROR_IO);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-speeds/it is told behind all events",
			test_it_is_told_behind_all_events);
	g_test_add_func("/perf-speeds/other features stay", test_other_features_stay);
	g_test_add_func("/perf-speeds/what is no finished recording stays",
			test_what_is_no_finished_recording_stays);
	g_test_add_func("/perf-speeds/it is added once", test_it_is_added_once);
	return g_test_run();
}
