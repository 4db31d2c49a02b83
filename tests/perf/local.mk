# SPDX-License-Identifier: MIT
#
# The perf.data reader: programs over recordings that they write themselves, and a shell test that
# records with perf and compares with what perf says.

EXTRA_DIST += tests/perf/README.md tests/perf/libraries.sh tests/perf/record.sh

check_LTLIBRARIES += libitp-recording.la
libitp_recording_la_SOURCES = \
	tests/perf/events-text.c \
	tests/perf/events-text.h \
	tests/perf/recording.c \
	tests/perf/recording.h \
	tests/perf/usual.c \
	tests/perf/usual.h
libitp_recording_la_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS)
libitp_recording_la_LIBADD = libitp-perf-data.la libitp-stacks.la libitp-completion.la libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la $(ZSTD_LIBS)

check_PROGRAMS += tests/perf/test-perf-reader
TESTS += tests/perf/test-perf-reader
tests_perf_test_perf_reader_SOURCES = tests/perf/test-perf-reader.c
tests_perf_test_perf_reader_LDADD = libitp-recording.la libitp-perf-data.la libitp-stacks.la libitp-completion.la libitp-control-flow.la $(symbol_libraries) \
	libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/perf/test-perf-records
TESTS += tests/perf/test-perf-records
tests_perf_test_perf_records_SOURCES = tests/perf/test-perf-records.c
tests_perf_test_perf_records_LDADD = $(tests_perf_test_perf_reader_LDADD)

check_PROGRAMS += tests/perf/test-perf-order
TESTS += tests/perf/test-perf-order
tests_perf_test_perf_order_SOURCES = tests/perf/test-perf-order.c
tests_perf_test_perf_order_LDADD = $(tests_perf_test_perf_reader_LDADD)

check_PROGRAMS += tests/perf/test-perf-speeds
TESTS += tests/perf/test-perf-speeds
tests_perf_test_perf_speeds_SOURCES = tests/perf/test-perf-speeds.c
tests_perf_test_perf_speeds_LDADD = $(tests_perf_test_perf_reader_LDADD)

check_PROGRAMS += tests/perf/test-perf-deferred
TESTS += tests/perf/test-perf-deferred
tests_perf_test_perf_deferred_SOURCES = tests/perf/test-perf-deferred.c
tests_perf_test_perf_deferred_LDADD = $(tests_perf_test_perf_reader_LDADD)

check_PROGRAMS += tests/perf/test-perf-parts
TESTS += tests/perf/test-perf-parts
tests_perf_test_perf_parts_SOURCES = tests/perf/test-perf-parts.c
tests_perf_test_perf_parts_LDADD = $(tests_perf_test_perf_reader_LDADD)

check_PROGRAMS += tests/perf/test-perf-symbols
TESTS += tests/perf/test-perf-symbols
tests_perf_test_perf_symbols_SOURCES = tests/perf/test-perf-symbols.c
tests_perf_test_perf_symbols_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_perf_symbols_LDADD = libitp-recording.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)

check_PROGRAMS += tests/perf/test-symbolizer
TESTS += tests/perf/test-symbolizer
tests_perf_test_symbolizer_SOURCES = tests/perf/test-symbolizer.c
tests_perf_test_symbolizer_LDADD = $(tests_perf_test_perf_reader_LDADD)

check_PROGRAMS += tests/perf/test-input-file
TESTS += tests/perf/test-input-file
tests_perf_test_input_file_SOURCES = tests/perf/test-input-file.c
tests_perf_test_input_file_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS)
tests_perf_test_input_file_LDADD = $(symbol_libraries) libitp-known.la libitp-base.la $(SECCOMP_LIBS) $(GLIB_LIBS)

# Looks up addresses for the shell tests of symbols.
check_PROGRAMS += tests/perf/symbolize
tests_perf_symbolize_SOURCES = tests/perf/symbolize.c
tests_perf_symbolize_LDADD = $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

dist_check_SCRIPTS += tests/perf/test-symbols-files.sh
TESTS += tests/perf/test-symbols-files.sh

dist_check_SCRIPTS += tests/perf/test-symbols-debuginfod.sh
TESTS += tests/perf/test-symbols-debuginfod.sh

check_PROGRAMS += tests/perf/swapper
tests_perf_swapper_SOURCES = tests/perf/swapper.c
tests_perf_swapper_CFLAGS = $(AM_CFLAGS) -D_GNU_SOURCE -O1 -fno-omit-frame-pointer \
	-fno-optimize-sibling-calls -fno-inline
tests_perf_swapper_LDADD = -ldl
dist_check_SCRIPTS += tests/perf/test-symbols-mappings.sh
TESTS += tests/perf/test-symbols-mappings.sh

dist_check_SCRIPTS += tests/perf/test-symbols-namespaces.sh
TESTS += tests/perf/test-symbols-namespaces.sh

check_PROGRAMS += tests/perf/jit-program
tests_perf_jit_program_SOURCES = tests/perf/jit-program.c
tests_perf_jit_program_CFLAGS = $(tests_perf_workload_CFLAGS)
dist_check_SCRIPTS += tests/perf/test-symbols-jit.sh
TESTS += tests/perf/test-symbols-jit.sh

check_PROGRAMS += tests/perf/test-jit-dump
TESTS += tests/perf/test-jit-dump
tests_perf_test_jit_dump_SOURCES = tests/perf/test-jit-dump.c
tests_perf_test_jit_dump_LDADD = libitp-recording.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

# Not tests themselves, but what test-perf-script.sh runs and records.
check_PROGRAMS += tests/perf/dump-stacks tests/perf/workload
tests_perf_dump_stacks_SOURCES = tests/perf/dump-stacks.c
tests_perf_dump_stacks_LDADD = libitp-perf-data.la libitp-stacks.la libitp-completion.la libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)
tests_perf_workload_SOURCES = tests/perf/workload.c
tests_perf_workload_CFLAGS = $(AM_CFLAGS) -O1 -fno-omit-frame-pointer \
	-fno-optimize-sibling-calls -fno-inline -pthread
tests_perf_workload_LDADD = -lpthread

dist_check_SCRIPTS += tests/perf/test-perf-script.sh
TESTS += tests/perf/test-perf-script.sh

# The unwinder: hand-made tables and stacks, and recordings compared with elfutils' libdwfl.
check_LTLIBRARIES += libitp-unwind-elf.la
libitp_unwind_elf_la_SOURCES = tests/perf/unwind-elf.c tests/perf/unwind-elf.h
libitp_unwind_elf_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
libitp_unwind_elf_la_LIBADD = $(symbol_libraries)

check_PROGRAMS += tests/perf/test-unwind tests/perf/test-unwind-rows
TESTS += tests/perf/test-unwind tests/perf/test-unwind-rows
tests_perf_test_unwind_SOURCES = tests/perf/test-unwind.c
tests_perf_test_unwind_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_unwind_LDADD = libitp-unwind-elf.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)
tests_perf_test_unwind_rows_SOURCES = tests/perf/test-unwind-rows.c
tests_perf_test_unwind_rows_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_unwind_rows_LDADD = $(tests_perf_test_unwind_LDADD)

check_PROGRAMS += tests/perf/test-elf-image
TESTS += tests/perf/test-elf-image
tests_perf_test_elf_image_SOURCES = tests/perf/test-elf-image.c
tests_perf_test_elf_image_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_elf_image_LDADD = $(tests_perf_test_unwind_LDADD)

check_PROGRAMS += tests/perf/test-step-table
TESTS += tests/perf/test-step-table
tests_perf_test_step_table_SOURCES = tests/perf/test-step-table.c
tests_perf_test_step_table_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_step_table_LDADD = $(tests_perf_test_unwind_LDADD)

check_PROGRAMS += tests/perf/test-unwind-compressed
TESTS += tests/perf/test-unwind-compressed
tests_perf_test_unwind_compressed_SOURCES = tests/perf/test-unwind-compressed.c
tests_perf_test_unwind_compressed_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_test_unwind_compressed_LDADD = $(tests_perf_test_unwind_LDADD)

check_PROGRAMS += tests/perf/unwind-compare
tests_perf_unwind_compare_SOURCES = \
	tests/perf/unwind-compare.c \
	tests/perf/unwind-libdwfl.c \
	tests/perf/unwind-libdwfl.h \
	tests/perf/unwind-recording.c \
	tests/perf/unwind-recording.h
tests_perf_unwind_compare_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_perf_unwind_compare_LDADD = libitp-perf-data.la libitp-stacks.la libitp-completion.la libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)

dist_check_SCRIPTS += tests/perf/unwind-recordings.sh
TESTS += tests/perf/unwind-recordings.sh
# What that compiles itself, and a comparison with perf for by hand.
dist_check_DATA += tests/perf/unwind-mapper.c tests/perf/unwind-program.cc
dist_noinst_SCRIPTS += tests/perf/symbols-against-perf.sh tests/perf/unwind-against-perf.sh

# A program without frame pointers, recorded with copies of its stacks.
check_PROGRAMS += tests/perf/sleeping-filter
tests_perf_sleeping_filter_SOURCES = tests/perf/sleeping-filter.c
tests_perf_sleeping_filter_CFLAGS = $(AM_CFLAGS) -O2 -fomit-frame-pointer

# A thread of which a page of the stack is never touched.
check_PROGRAMS += tests/perf/large-frame
tests_perf_large_frame_SOURCES = tests/perf/large-frame.c
tests_perf_large_frame_CFLAGS = $(AM_CFLAGS) -O2 -fomit-frame-pointer \
	-fno-stack-clash-protection -pthread
tests_perf_large_frame_LDADD = -lpthread

# A program whose first thread does nothing.
check_PROGRAMS += tests/perf/renaming
tests_perf_renaming_SOURCES = tests/perf/renaming.c
tests_perf_renaming_CFLAGS = $(AM_CFLAGS) -O1 -fno-omit-frame-pointer -pthread
tests_perf_renaming_LDADD = -lpthread

# A program that waits for work.
check_PROGRAMS += tests/perf/server
tests_perf_server_SOURCES = tests/perf/server.c
tests_perf_server_CFLAGS = $(AM_CFLAGS) -O2 -fno-omit-frame-pointer

EXTRA_DIST += tests/perf/goroutines.go tests/perf/go-and-c.go
dist_check_SCRIPTS += tests/perf/test-go-recording.sh
TESTS += tests/perf/test-go-recording.sh

dist_check_SCRIPTS += tests/perf/test-dwarf-recording.sh
TESTS += tests/perf/test-dwarf-recording.sh

dist_check_SCRIPTS += tests/perf/test-mixed-recording.sh
TESTS += tests/perf/test-mixed-recording.sh

dist_check_SCRIPTS += tests/perf/test-recording-layouts.sh
TESTS += tests/perf/test-recording-layouts.sh

dist_check_SCRIPTS += tests/perf/test-killed-recording.sh
TESTS += tests/perf/test-killed-recording.sh

dist_check_SCRIPTS += tests/perf/test-quota.sh
TESTS += tests/perf/test-quota.sh

dist_check_SCRIPTS += tests/perf/test-unwatched.sh
TESTS += tests/perf/test-unwatched.sh

dist_check_SCRIPTS += tests/perf/test-wakers.sh
TESTS += tests/perf/test-wakers.sh

dist_check_SCRIPTS += tests/perf/test-slowest.sh
TESTS += tests/perf/test-slowest.sh

# The same recording, with user parts that come later.
EXTRA_DIST += tests/perf/defer-recording.py
dist_check_SCRIPTS += tests/perf/test-deferred-recording.sh
TESTS += tests/perf/test-deferred-recording.sh

# Inside perf.
EXTRA_DIST += tests/perf/deliver-recording.py
check_PROGRAMS += tests/perf/test-dlfilter-abi
TESTS += tests/perf/test-dlfilter-abi
tests_perf_test_dlfilter_abi_SOURCES = tests/perf/test-dlfilter-abi.c
tests_perf_test_dlfilter_abi_LDADD = $(GLIB_LIBS) -ldl

dist_check_SCRIPTS += tests/perf/test-dlfilter.sh tests/perf/test-direct-core.sh
TESTS += tests/perf/test-dlfilter.sh tests/perf/test-direct-core.sh

check_PROGRAMS += tests/perf/test-script-engine
TESTS += tests/perf/test-script-engine
tests_perf_test_script_engine_SOURCES = tests/perf/test-script-engine.c
tests_perf_test_script_engine_CFLAGS = $(AM_CFLAGS) $(PYTHON_CFLAGS)
tests_perf_test_script_engine_LDADD = $(PYTHON_LIBS) $(GLIB_LIBS)

check_PROGRAMS += tests/perf/test-script-returns
TESTS += tests/perf/test-script-returns
tests_perf_test_script_returns_SOURCES = tests/perf/test-script-returns.c
tests_perf_test_script_returns_CFLAGS = $(AM_CFLAGS) -D_GNU_SOURCE $(ELFUTILS_CFLAGS)
tests_perf_test_script_returns_LDADD = libitp-script.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)

EXTRA_DIST += tests/perf/save-samples.py tests/perf/perf-module/perf.py
dist_check_SCRIPTS += tests/perf/test-script.sh
TESTS += tests/perf/test-script.sh
