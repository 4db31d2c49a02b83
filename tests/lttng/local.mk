# SPDX-License-Identifier: MIT
#
# Real sessions of LTTng.

check_PROGRAMS += tests/lttng/calls
tests_lttng_calls_SOURCES = tests/lttng/calls.c
tests_lttng_calls_CFLAGS = -std=gnu11 -O0 -g -pthread -finstrument-functions

dist_noinst_SCRIPTS += tests/lttng/record-ust.sh
dist_check_SCRIPTS += tests/lttng/test-ust.sh
TESTS += tests/lttng/test-ust.sh
