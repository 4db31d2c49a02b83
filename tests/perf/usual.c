/* SPDX-License-Identifier: MIT */
/*
 * See usual.h.
 */
#include "tests/perf/usual.h"

#include <glib/gstdio.h>

struct recording *usual_recording(void)
{
	struct recording *recording = recording_new();
	const struct recording_stamp before = { .pid = 10, .tid = 10 };

	recording_add_usual(recording);
	recording_comm(recording, &before, "app", FALSE);
	recording_mmap(recording, &before, APP, 0x1000, "/nowhere/app");
	return recording;
}

void syscall_at(struct recording *recording, guint64 time)
{
	const guint64 no_chain[] = { 0 };

	recording_syscall(recording, &(struct recording_stamp){ 10, 10, time }, FALSE, (gint64)time,
			  no_chain);
}

void assert_events(struct recording *recording, const char *expected)
{
	g_autofree char *text = events_text(recording_write(recording), NULL);

	g_assert_cmpstr(text, ==, expected);
}

void assert_error(struct recording *recording, enum itp_error expected)
{
	g_autofree char *line = g_strdup_printf("end %d\n", expected);

	assert_events(recording, line);
}

void assert_file_error(const void *bytes, gsize size, enum itp_error expected)
{
	g_autofree char *path = recording_write_bytes(bytes, size);
	g_autofree char *text = events_text(path, NULL);
	g_autofree char *line = g_strdup_printf("end %d\n", expected);

	g_unlink(path);
	g_assert_cmpstr(text, ==, line);
}

struct itp_perf_counts counts_of(struct recording *recording)
{
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error;
	struct itp_perf_reader *reader =
		itp_perf_reader_new(recording_write(recording), &options, functions, &error);
	struct itp_perf_counts counts;
	struct itp_stack_event event;

	while (itp_perf_reader_next(reader, &event) == 1) {
	}
	counts = *itp_perf_reader_counts(reader);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	return counts;
}
