# SPDX-License-Identifier: MIT
#
# The perf.data reader: programs over recordings that they write themselves, and a shell test that
# records with perf and compares with what perf says.

check_LTLIBRARIES += libitp-recording.la
libitp_recording_la_SOURCES = \
	tests/perf/events-text.c \
	tests/perf/events-text.h \
	tests/perf/recording.c \
	tests/perf/recording.h
libitp_recording_la_LIBADD = libitp-perf-data.la libitp-symbol.la libitp-infer.la

check_PROGRAMS += tests/perf/test-perf-reader
TESTS += tests/perf/test-perf-reader
tests_perf_test_perf_reader_SOURCES = tests/perf/test-perf-reader.c
tests_perf_test_perf_reader_LDADD = libitp-recording.la libitp-perf-data.la libitp-symbol.la \
	libitp-infer.la $(GLIB_LIBS)

check_PROGRAMS += tests/perf/test-perf-symbols
TESTS += tests/perf/test-perf-symbols
tests_perf_test_perf_symbols_SOURCES = tests/perf/test-perf-symbols.c
tests_perf_test_perf_symbols_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_perf_symbols_LDADD = libitp-recording.la libitp-symbol.la libitp-infer.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)

# Not tests themselves, but what test-perf-script.sh runs and records.
check_PROGRAMS += tests/perf/dump-stacks tests/perf/workload
tests_perf_dump_stacks_SOURCES = tests/perf/dump-stacks.c
tests_perf_dump_stacks_LDADD = libitp-perf-data.la libitp-symbol.la libitp-infer.la $(GLIB_LIBS)
tests_perf_workload_SOURCES = tests/perf/workload.c
tests_perf_workload_CFLAGS = $(AM_CFLAGS) -O1 -fno-omit-frame-pointer \
	-fno-optimize-sibling-calls -fno-inline -pthread
tests_perf_workload_LDADD = -lpthread

dist_check_SCRIPTS += tests/perf/test-perf-script.sh
TESTS += tests/perf/test-perf-script.sh
