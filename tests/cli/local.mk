# SPDX-License-Identifier: MIT
#
# The tools as a user meets them, and the sources as a reader does.

EXTRA_DIST += tests/lib/kernel.sh tests/lib/python.leaks tests/lib/tap.sh tests/lib/tap.py tests/lib/names.py \
	tests/lib/profile-text.py tests/lib/rewrite.py \
	tests/data/README.md tests/data/saved-by-graph.tar.xz tests/data/shop.tar.xz
dist_noinst_SCRIPTS += tests/data/record tests/lib/repeat

dist_check_SCRIPTS += tests/cli/test-scripts.sh tests/cli/test-source-files.sh \
	tests/cli/test-source-layers.sh tests/cli/test-source-style.sh tests/cli/test-source-thresholds.sh
TESTS += tests/cli/test-scripts.sh tests/cli/test-source-files.sh \
	tests/cli/test-source-layers.sh tests/cli/test-source-style.sh tests/cli/test-source-thresholds.sh

# Graphs of Babeltrace components.
EXTRA_DIST += tests/cli/graph.sh tests/cli/perf-introperf.sh \
	tests/cli/bt_plugin_foreign.py \
	tests/cli/bt_plugin_kinds.py \
	tests/cli/bt_plugin_live.py tests/cli/in-terminal.py \
	tests/cli/bt_plugin_lttng.py tests/cli/reading.py tests/cli/refused-traces.py tests/cli/deep-server.c \
	tests/cli/deep-writes.c tests/cli/many-requests.c tests/cli/unit-server.c tests/cli/through-chain.c tests/cli/python-calls.py tests/cli/lines.cc tests/cli/inlined.cc \
	tests/cli/without-switches.py

# Meanings of results' words, as on a page.
check_PROGRAMS += tests/cli/words
tests_cli_words_SOURCES = tests/cli/words.c
tests_cli_words_LDADD = libitp-render.la libitp-view.la libitp-rank.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

# Preloaded into a program that is to be ended at the worst time.
check_LTLIBRARIES += tests/cli/interrupting.la
tests_cli_interrupting_la_SOURCES = tests/cli/interrupting.c
tests_cli_interrupting_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere

# Preloaded into perf, for which a thread ends at the worst time.
check_LTLIBRARIES += tests/cli/ending.la
tests_cli_ending_la_SOURCES = tests/cli/ending.c
tests_cli_ending_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_cli_ending_la_LIBADD = -ldl

# Preloaded with the sanitizers (configure.ac).
check_LTLIBRARIES += tests/cli/staying.la
tests_cli_staying_la_SOURCES = tests/cli/staying.c
tests_cli_staying_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere

graph_tests = \
	tests/cli/test-annotate.sh \
	tests/cli/test-bad-input.sh \
	tests/cli/test-by-container.sh \
	tests/cli/test-by-process.sh \
	tests/cli/test-by-wait.sh \
	tests/cli/test-by-work.sh \
	tests/cli/test-compare.sh \
	tests/cli/test-familiar.sh \
	tests/cli/test-foreign-damage.sh \
	tests/cli/test-foreign-stacks.sh \
	tests/cli/test-foreign-traces.sh \
	tests/cli/test-held-up.sh \
	tests/cli/test-idle.sh \
	tests/cli/test-inlined.sh \
	tests/cli/test-interrupted.sh \
	tests/cli/test-kernel.sh \
	tests/cli/test-late-records.sh \
	tests/cli/test-live.sh \
	tests/cli/test-machine-speed.sh \
	tests/cli/test-mcp.sh \
	tests/cli/test-messages.sh \
	tests/cli/test-mine.sh \
	tests/cli/test-mine-nested.sh \
	tests/cli/test-output.sh \
	tests/cli/test-pairs.sh \
	tests/cli/test-parameters.sh \
	tests/cli/test-perf-introperf.sh \
	tests/cli/test-perf-introperf-record.sh \
	tests/cli/test-plugin.sh \
	tests/cli/test-profile-file.sh \
	tests/cli/test-profiles.sh \
	tests/cli/test-rank-compare.sh \
	tests/cli/test-rank-view.sh \
	tests/cli/test-reading.sh \
	tests/cli/test-refused-traces.sh \
	tests/cli/test-record-bpf.sh \
	tests/cli/test-record-kernel-stacks.sh \
	tests/cli/test-record-python.sh \
	tests/cli/test-record-ends.sh \
	tests/cli/test-record-hung.sh \
	tests/cli/test-record-wait-for.sh \
	tests/cli/test-record-count.sh \
	tests/cli/test-record-overhead.sh \
	tests/cli/test-shipped.sh \
	tests/cli/test-symbolize.sh \
	tests/cli/test-terminal.sh \
	tests/cli/test-texts.sh \
	tests/cli/test-tui.sh \
	tests/cli/test-through.sh \
	tests/cli/test-time-range.sh \
	tests/cli/test-top.sh \
	tests/cli/test-top-bpf.sh \
	tests/cli/test-timeline.sh \
	tests/cli/test-guard.sh \
	tests/cli/test-unit-messages.sh \
	tests/cli/test-units.sh \
	tests/cli/test-warnings.sh tests/cli/test-whole-machine.sh
dist_check_SCRIPTS += $(graph_tests)
TESTS += $(graph_tests)

dist_check_DATA += \
	tests/data/expected/comparison.csv \
	tests/data/expected/comparison.jsonl \
	tests/data/expected/comparison.txt \
	tests/data/expected/paper.txt \
	tests/data/expected/path.csv \
	tests/data/expected/path.jsonl \
	tests/data/expected/path.txt \
	tests/data/expected/single.txt \
	tests/data/expected/verbose.txt
