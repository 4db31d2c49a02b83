/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the reader begin and end with: a recording of one program, and the events
 * that are to come out of it.
 */
#ifndef ITP_TESTS_PERF_USUAL_H
#define ITP_TESTS_PERF_USUAL_H

#include "tests/perf/events-text.h"
#include "tests/perf/recording.h"

/* Markers of chains. */
#define KERNEL ((guint64)-128)
#define USER ((guint64)-512)
#define KERNEL_CODE UINT64_C(0xffffffff81000000)

/* Where the program is; its file's offset is 0x1000. */
#define APP UINT64_C(0x400000)

/* Process 10, "app", that was there before, mapped; the usual attributes. */
struct recording *usual_recording(void);

/* Thread 10 enters the system call of this number. */
void syscall_at(struct recording *recording, guint64 time);

/* Writes the recording and reads it. */
void assert_events(struct recording *recording, const char *expected);
/* It cannot be opened. */
void assert_error(struct recording *recording, enum itp_error expected);
void assert_file_error(const void *bytes, gsize size, enum itp_error expected);

/* What could not be done when all was read. */
struct itp_perf_counts counts_of(struct recording *recording);

#endif
