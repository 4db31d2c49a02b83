# SPDX-License-Identifier: MIT
#
# Real sessions of LTTng.

check_PROGRAMS += tests/lttng/calls
tests_lttng_calls_SOURCES = tests/lttng/calls.c
tests_lttng_calls_CFLAGS = -std=gnu11 -O0 -g -pthread -finstrument-functions

check_PROGRAMS += tests/lttng/serve
tests_lttng_serve_SOURCES = tests/lttng/serve.c
tests_lttng_serve_CFLAGS = -std=gnu11 -O0 -g -pthread -finstrument-functions

dist_noinst_SCRIPTS += tests/lttng/count-calls.py tests/lttng/live-ust.sh tests/lttng/record-ust.sh
EXTRA_DIST += tests/lttng/busy.c tests/lttng/plugin.c tests/lttng/processes.c tests/lttng/through.c \
	tests/lttng/throws.cc tests/lttng/ust.sh

lttng_tests = \
	tests/lttng/test-live-ust.sh \
	tests/lttng/test-sample.sh \
	tests/lttng/test-ust.sh \
	tests/lttng/test-ust-files.sh \
	tests/lttng/test-ust-processes.sh
dist_check_SCRIPTS += $(lttng_tests)
TESTS += $(lttng_tests)
