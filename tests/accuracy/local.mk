# SPDX-License-Identifier: MIT
#
# The accuracy bench: run by hand, see tests/accuracy/README.md. Its sink is built with the tests,
# and its matcher is one of them.

check_LTLIBRARIES += tests/accuracy/babeltrace-plugin-accuracy.la
tests_accuracy_babeltrace_plugin_accuracy_la_SOURCES = tests/accuracy/columns.c
tests_accuracy_babeltrace_plugin_accuracy_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
# With an rpath libtool makes a module of what is not installed.
tests_accuracy_babeltrace_plugin_accuracy_la_LDFLAGS = \
	-module -avoid-version -shared -no-undefined -rpath /nowhere \
	-export-symbols-regex '^__bt_get_'
tests_accuracy_babeltrace_plugin_accuracy_la_LIBADD = $(BABELTRACE_LIBS) $(GLIB_LIBS)

EXTRA_DIST += \
	tests/accuracy/README.md \
	tests/accuracy/bench/__init__.py \
	tests/accuracy/bench/analyse.py \
	tests/accuracy/bench/calls.py \
	tests/accuracy/bench/causes.py \
	tests/accuracy/bench/elf.py \
	tests/accuracy/bench/graph.py \
	tests/accuracy/bench/hooks.py \
	tests/accuracy/bench/inputs.py \
	tests/accuracy/bench/match.py \
	tests/accuracy/bench/metrics.py \
	tests/accuracy/bench/own.py \
	tests/accuracy/bench/paper.py \
	tests/accuracy/bench/plot.py \
	tests/accuracy/bench/programs.py \
	tests/accuracy/bench/record.py \
	tests/accuracy/bench/recording.py \
	tests/accuracy/bench/report.py \
	tests/accuracy/bench/thin.py \
	tests/accuracy/bench/truth.py \
	tests/accuracy/bench/weight.py \
	tests/accuracy/small/coroutines.c \
	tests/accuracy/small/exceptions.cc \
	tests/accuracy/small/handler.c \
	tests/accuracy/small/hook.c \
	tests/accuracy/small/jumps.c \
	tests/accuracy/small/processes.c \
	tests/accuracy/small/recursion.c \
	tests/accuracy/small/signals.c \
	tests/accuracy/small/threads.c \
	tests/accuracy/small/work.h \
	tests/accuracy/test_bench.py
dist_noinst_SCRIPTS += tests/accuracy/run

dist_check_SCRIPTS += tests/accuracy/test-bench.sh tests/accuracy/test-graph.sh
TESTS += tests/accuracy/test-bench.sh tests/accuracy/test-graph.sh
