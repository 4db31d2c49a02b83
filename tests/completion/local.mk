# SPDX-License-Identifier: MIT
#
# Functions that stacks by frame pointers lack.

check_PROGRAMS += tests/completion/ask
tests_completion_ask_SOURCES = tests/completion/ask.c \
	tests/flow/points.c tests/flow/points.h
tests_completion_ask_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_completion_ask_LDADD = libitp-completion.la libitp-control-flow.la $(symbol_libraries) \
	libitp-infer.la libitp-known.la libitp-base.la $(ELFUTILS_LIBS) $(GLIB_LIBS)
dist_check_SCRIPTS += tests/completion/test-completion.sh tests/completion/test-recording.sh
TESTS += tests/completion/test-completion.sh tests/completion/test-recording.sh
dist_check_DATA += tests/completion/cases.S tests/completion/cases.txt
# By hand: tests/completion/run.
dist_noinst_SCRIPTS += tests/completion/run
EXTRA_DIST += \
	tests/completion/compare.py \
	tests/completion/follow.py \
	tests/completion/programs.sh \
	tests/completion/report.py
