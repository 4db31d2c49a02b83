/* SPDX-License-Identifier: MIT */
/*
 * Prints every stack of a recording in a form that `perf script` output can be brought into.
 *
 * "TID SECONDS.NANOSECONDS FRAME FRAME …", leaf first, frames as "NAME@MODULE", or with -a as
 * "ADDRESS:NAME@MODULE"; TID is the thread that the stack was taken in. With -f functions that a
 * stack lacks are put in, as "+NAME@MODULE".
 */
#include "common/perf-data/reader.h"

#include <stdio.h>

static void print_event(const struct itp_stack_event *event,
			const struct itp_function_table *functions, bool with_addresses)
{
	int64_t tid = event->kind == ITP_EVENT_WAKEUP ? event->argument : event->tid;

	printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, tid,
	       event->time_ns / 1000000000, event->time_ns % 1000000000);
	for (size_t i = event->frame_count; i-- > 0;) {
		const struct itp_function *function =
			itp_function_table_get(functions, event->frames[i].function);

		putchar(' ');
		if (event->frames[i].is_filled) {
			putchar('+');
		} else if (with_addresses) {
			printf("%" G_GINT64_MODIFIER "x:", event->frames[i].address);
		}
		printf("%s@%s", function->name, function->module);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	bool is_filled = argc == 3 && g_str_equal(argv[1], "-f");
	const struct itp_perf_options options = { .in_memory = true, .fills = is_filled };
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	bool with_addresses = argc == 3 && g_str_equal(argv[1], "-a");
	struct itp_perf_reader *reader =
		argc == 2 || with_addresses || is_filled ?
			itp_perf_reader_new(argv[argc - 1], &options, functions, &error) :
			NULL;
	struct itp_stack_event event;
	int got = error;

	while (reader && (got = itp_perf_reader_next(reader, &event)) == 1) {
		if (event.frame_count > 0) {
			print_event(&event, functions, with_addresses);
		}
	}
	if (!reader || got != 0) {
		fprintf(stderr, "%s\n", itp_error_text((enum itp_error)got));
	}
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	return !reader || got != 0;
}
