# SPDX-License-Identifier: MIT

check_PROGRAMS += tests/corrupt/test-perf-damage
TESTS += tests/corrupt/test-perf-damage
tests_corrupt_test_perf_damage_SOURCES = tests/corrupt/test-perf-damage.c
tests_corrupt_test_perf_damage_LDADD = libitp-recording.la libitp-perf-data.la libitp-stacks.la libitp-completion.la libitp-control-flow.la $(symbol_libraries) \
	libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/corrupt/test-perf-lies
TESTS += tests/corrupt/test-perf-lies
tests_corrupt_test_perf_lies_SOURCES = tests/corrupt/test-perf-lies.c
tests_corrupt_test_perf_lies_LDADD = $(tests_corrupt_test_perf_damage_LDADD)

EXTRA_DIST += tests/corrupt/damage-profile.py tests/corrupt/damage-trace.py
dist_check_SCRIPTS += tests/corrupt/test-trace-damage.sh
TESTS += tests/corrupt/test-trace-damage.sh
dist_check_SCRIPTS += tests/corrupt/test-profile-damage.sh
TESTS += tests/corrupt/test-profile-damage.sh

# For LD_PRELOAD, so it must be a shared library; -rpath makes it one.
check_LTLIBRARIES += tests/corrupt/failing-memory.la
tests_corrupt_failing_memory_la_SOURCES = tests/corrupt/failing-memory.c
tests_corrupt_failing_memory_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_corrupt_failing_memory_la_LIBADD = -ldl
dist_check_SCRIPTS += tests/corrupt/test-failed-allocations.sh
TESTS += tests/corrupt/test-failed-allocations.sh

check_PROGRAMS += tests/corrupt/test-perf-changes
TESTS += tests/corrupt/test-perf-changes
tests_corrupt_test_perf_changes_SOURCES = tests/corrupt/test-perf-changes.c
tests_corrupt_test_perf_changes_LDADD = $(tests_corrupt_test_perf_damage_LDADD)

# Writes recordings that have much of something.
check_PROGRAMS += tests/corrupt/many
tests_corrupt_many_SOURCES = tests/corrupt/many.c
tests_corrupt_many_LDADD = $(tests_corrupt_test_perf_damage_LDADD)
dist_check_SCRIPTS += tests/corrupt/test-memory.sh
TESTS += tests/corrupt/test-memory.sh

check_PROGRAMS += tests/corrupt/test-message-lies
TESTS += tests/corrupt/test-message-lies
tests_corrupt_test_message_lies_SOURCES = tests/corrupt/test-message-lies.c
tests_corrupt_test_message_lies_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
tests_corrupt_test_message_lies_LDADD = $(everything)
