# SPDX-License-Identifier: MIT
#
# Programs over the core's interfaces, written with GLib's g_test, which prints TAP. Each is named
# like the module that it tests, and adds itself to both lists:
#
#   check_PROGRAMS += tests/unit/test-NAME
#   TESTS += tests/unit/test-NAME
#   tests_unit_test_NAME_SOURCES = tests/unit/test-NAME.c
#   tests_unit_test_NAME_LDADD = libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_LTLIBRARIES += libitp-test.la
libitp_test_la_SOURCES = tests/unit/latencies.h tests/unit/support.c tests/unit/support.h
libitp_test_la_LIBADD = libitp-infer.la libitp-known.la libitp-base.la

check_PROGRAMS += tests/unit/test-boundary
TESTS += tests/unit/test-boundary
tests_unit_test_boundary_SOURCES = tests/unit/test-boundary.c
tests_unit_test_boundary_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-broken
TESTS += tests/unit/test-broken
tests_unit_test_broken_SOURCES = tests/unit/test-broken.c
tests_unit_test_broken_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-browser
TESTS += tests/unit/test-browser
tests_unit_test_browser_SOURCES = tests/unit/test-browser.c
tests_unit_test_browser_LDADD = libitp-browser.la libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-calls
TESTS += tests/unit/test-calls
tests_unit_test_calls_SOURCES = tests/unit/test-calls.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_calls_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-context-tree
TESTS += tests/unit/test-context-tree
tests_unit_test_context_tree_SOURCES = tests/unit/test-context-tree.c
tests_unit_test_context_tree_LDADD = libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-continuity
TESTS += tests/unit/test-continuity
tests_unit_test_continuity_SOURCES = tests/unit/test-continuity.c
tests_unit_test_continuity_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-flow
TESTS += tests/unit/test-flow
tests_unit_test_flow_SOURCES = tests/unit/test-flow.c
tests_unit_test_flow_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-container
TESTS += tests/unit/test-container
tests_unit_test_container_SOURCES = tests/unit/test-container.c
tests_unit_test_container_LDADD = libitp-stacks.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-often
TESTS += tests/unit/test-often
tests_unit_test_often_SOURCES = tests/unit/test-often.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_often_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-hash
TESTS += tests/unit/test-hash
tests_unit_test_hash_SOURCES = tests/unit/test-hash.c
tests_unit_test_hash_LDADD = libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-infer
TESTS += tests/unit/test-infer
tests_unit_test_infer_SOURCES = tests/unit/test-infer.c
tests_unit_test_infer_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-latencies
TESTS += tests/unit/test-latencies
tests_unit_test_latencies_SOURCES = tests/unit/test-latencies.c
tests_unit_test_latencies_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-unit-sums
TESTS += tests/unit/test-unit-sums
tests_unit_test_unit_sums_SOURCES = tests/unit/test-unit-sums.c
tests_unit_test_unit_sums_LDADD = libitp-compare.la libitp-view.la libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-machine
TESTS += tests/unit/test-machine
tests_unit_test_machine_SOURCES = tests/unit/test-machine.c
tests_unit_test_machine_LDADD = libitp-rank.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-names
TESTS += tests/unit/test-names
tests_unit_test_names_SOURCES = tests/unit/test-names.c
tests_unit_test_names_LDADD = libitp-view.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-short-names
TESTS += tests/unit/test-short-names
tests_unit_test_short_names_SOURCES = tests/unit/test-short-names.c
tests_unit_test_short_names_LDADD = libitp-view.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-patterns
TESTS += tests/unit/test-patterns
tests_unit_test_patterns_SOURCES = tests/unit/test-patterns.c
tests_unit_test_patterns_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-profile
TESTS += tests/unit/test-profile
tests_unit_test_profile_SOURCES = tests/unit/test-profile.c
tests_unit_test_profile_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-kept
TESTS += tests/unit/test-kept
tests_unit_test_kept_SOURCES = tests/unit/test-kept.c
tests_unit_test_kept_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-limit
TESTS += tests/unit/test-limit
tests_unit_test_limit_SOURCES = tests/unit/test-limit.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_limit_LDADD = libitp-engine.la libitp-render.la libitp-view.la libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-spread
TESTS += tests/unit/test-spread
tests_unit_test_spread_SOURCES = tests/unit/test-spread.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_spread_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-verdict
TESTS += tests/unit/test-verdict
tests_unit_test_verdict_SOURCES = tests/unit/test-verdict.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_verdict_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-amount
TESTS += tests/unit/test-amount
tests_unit_test_amount_SOURCES = tests/unit/test-amount.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_amount_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-culprit
TESTS += tests/unit/test-culprit
tests_unit_test_culprit_SOURCES = tests/unit/test-culprit.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_culprit_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-doubts
TESTS += tests/unit/test-doubts
tests_unit_test_doubts_SOURCES = tests/unit/test-doubts.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_doubts_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-evidence
TESTS += tests/unit/test-evidence
tests_unit_test_evidence_SOURCES = tests/unit/test-evidence.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_evidence_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-path
TESTS += tests/unit/test-path
tests_unit_test_path_SOURCES = tests/unit/test-path.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_path_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-never-taken
TESTS += tests/unit/test-never-taken
tests_unit_test_never_taken_SOURCES = tests/unit/test-never-taken.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_never_taken_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-certain
TESTS += tests/unit/test-certain
tests_unit_test_certain_SOURCES = tests/unit/test-certain.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_certain_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-machine-speed
TESTS += tests/unit/test-machine-speed
tests_unit_test_machine_speed_SOURCES = tests/unit/test-machine-speed.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_machine_speed_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-chance
TESTS += tests/unit/test-chance
tests_unit_test_chance_SOURCES = tests/unit/test-chance.c
tests_unit_test_chance_LDADD = libitp-rank.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-overhead
TESTS += tests/unit/test-overhead
tests_unit_test_overhead_SOURCES = tests/unit/test-overhead.c
tests_unit_test_overhead_LDADD = libitp-record.la libitp-render.la libitp-view.la libitp-rank.la libitp-terminal.la \
	libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-progress
TESTS += tests/unit/test-progress
tests_unit_test_progress_SOURCES = tests/unit/test-progress.c
tests_unit_test_progress_LDADD = libitp-terminal.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-properties
TESTS += tests/unit/test-properties
tests_unit_test_properties_SOURCES = tests/unit/test-properties.c
tests_unit_test_properties_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-ranking
TESTS += tests/unit/test-ranking
tests_unit_test_ranking_SOURCES = tests/unit/test-ranking.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_ranking_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-entries
TESTS += tests/unit/test-entries
tests_unit_test_entries_SOURCES = tests/unit/test-entries.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_entries_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-contention
TESTS += tests/unit/test-contention
tests_unit_test_contention_SOURCES = tests/unit/test-contention.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_contention_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-effects
TESTS += tests/unit/test-effects
tests_unit_test_effects_SOURCES = tests/unit/test-effects.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_effects_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-redistribution
TESTS += tests/unit/test-redistribution
tests_unit_test_redistribution_SOURCES = tests/unit/test-redistribution.c tests/unit/redistribution.c \
	tests/unit/redistribution.h
tests_unit_test_redistribution_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-redistribution-random
TESTS += tests/unit/test-redistribution-random
tests_unit_test_redistribution_random_SOURCES = tests/unit/test-redistribution-random.c \
	tests/unit/redistribution.c tests/unit/redistribution.h
tests_unit_test_redistribution_random_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-gathered
TESTS += tests/unit/test-gathered
tests_unit_test_gathered_SOURCES = tests/unit/test-gathered.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_gathered_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-trunk
TESTS += tests/unit/test-trunk
tests_unit_test_trunk_SOURCES = tests/unit/test-trunk.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_trunk_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-waited-out
TESTS += tests/unit/test-waited-out
tests_unit_test_waited_out_SOURCES = tests/unit/test-waited-out.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_waited_out_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-started
TESTS += tests/unit/test-started
tests_unit_test_started_SOURCES = tests/unit/test-started.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_started_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-idle
TESTS += tests/unit/test-idle
tests_unit_test_idle_SOURCES = tests/unit/test-idle.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_idle_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-demand
TESTS += tests/unit/test-demand
tests_unit_test_demand_SOURCES = tests/unit/test-demand.c
tests_unit_test_demand_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-asked
TESTS += tests/unit/test-asked
tests_unit_test_asked_SOURCES = tests/unit/test-asked.c
tests_unit_test_asked_LDADD = libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-unwanted
TESTS += tests/unit/test-unwanted
tests_unit_test_unwanted_SOURCES = tests/unit/test-unwanted.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_unwanted_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-lasting
TESTS += tests/unit/test-lasting
tests_unit_test_lasting_SOURCES = tests/unit/test-lasting.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_lasting_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-pairs
TESTS += tests/unit/test-pairs
tests_unit_test_pairs_SOURCES = tests/unit/test-pairs.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_pairs_LDADD = libitp-view.la libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-clusters
TESTS += tests/unit/test-clusters
tests_unit_test_clusters_SOURCES = tests/unit/test-clusters.c \
	tests/unit/stacks-scene.c tests/unit/stacks-scene.h
tests_unit_test_clusters_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-stack-base
TESTS += tests/unit/test-stack-base
tests_unit_test_stack_base_SOURCES = tests/unit/test-stack-base.c \
	tests/unit/stacks-scene.c tests/unit/stacks-scene.h
tests_unit_test_stack_base_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-inlines
TESTS += tests/unit/test-inlines
tests_unit_test_inlines_SOURCES = tests/unit/test-inlines.c
tests_unit_test_inlines_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_unit_test_inlines_LDADD = $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la $(ELFUTILS_LIBS) \
	$(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-innermost
TESTS += tests/unit/test-innermost
tests_unit_test_innermost_SOURCES = tests/unit/test-innermost.c \
	tests/unit/stacks-scene.c tests/unit/stacks-scene.h
tests_unit_test_innermost_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-mining
TESTS += tests/unit/test-mining
tests_unit_test_mining_SOURCES = tests/unit/test-mining.c
tests_unit_test_mining_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-comparable
TESTS += tests/unit/test-comparable
tests_unit_test_comparable_SOURCES = tests/unit/test-comparable.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_comparable_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-detail
TESTS += tests/unit/test-detail
tests_unit_test_detail_SOURCES = tests/unit/test-detail.c \
	tests/unit/comparison.c tests/unit/comparison.h
tests_unit_test_detail_LDADD = libitp-rank.la libitp-test.la $(GLIB_LIBS)

check_LTLIBRARIES += libitp-render-test.la
libitp_render_test_la_SOURCES = tests/unit/render-scene.c tests/unit/render-scene.h
libitp_render_test_la_LIBADD = libitp-render-formats.la libitp-render-records.la libitp-render-text.la libitp-render.la libitp-view.la libitp-rank.la libitp-infer.la libitp-known.la libitp-base.la -lm

check_PROGRAMS += tests/unit/test-render-csv
TESTS += tests/unit/test-render-csv
tests_unit_test_render_csv_SOURCES = tests/unit/test-render-csv.c
tests_unit_test_render_csv_LDADD = libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-render-detail
TESTS += tests/unit/test-render-detail
tests_unit_test_render_detail_SOURCES = tests/unit/test-render-detail.c
tests_unit_test_render_detail_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_render_detail_LDADD = libitp-render-test.la $(GLIB_LIBS) $(JANSSON_LIBS)

check_PROGRAMS += tests/unit/test-render-fields
TESTS += tests/unit/test-render-fields
tests_unit_test_render_fields_SOURCES = tests/unit/test-render-fields.c
tests_unit_test_render_fields_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_render_fields_LDADD = libitp-render-test.la $(GLIB_LIBS) $(JANSSON_LIBS)

check_PROGRAMS += tests/unit/test-render-jsonl
TESTS += tests/unit/test-render-jsonl
tests_unit_test_render_jsonl_SOURCES = tests/unit/test-render-jsonl.c
tests_unit_test_render_jsonl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_render_jsonl_LDADD = libitp-render-test.la $(GLIB_LIBS) $(JANSSON_LIBS)

check_PROGRAMS += tests/unit/test-render-style
TESTS += tests/unit/test-render-style
tests_unit_test_render_style_SOURCES = tests/unit/test-render-style.c
tests_unit_test_render_style_LDADD = libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-headline
TESTS += tests/unit/test-headline
tests_unit_test_headline_SOURCES = tests/unit/test-headline.c
tests_unit_test_headline_LDADD = libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-render-text
TESTS += tests/unit/test-render-text
tests_unit_test_render_text_SOURCES = tests/unit/test-render-text.c
tests_unit_test_render_text_LDADD = libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-render-tree
TESTS += tests/unit/test-render-tree
tests_unit_test_render_tree_SOURCES = tests/unit/test-render-tree.c
tests_unit_test_render_tree_LDADD = libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-render-units
TESTS += tests/unit/test-render-units
tests_unit_test_render_units_SOURCES = tests/unit/test-render-units.c
tests_unit_test_render_units_LDADD = libitp-render-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-source
TESTS += tests/unit/test-source
tests_unit_test_source_SOURCES = tests/unit/test-source.c
tests_unit_test_source_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_source_LDADD = libitp-render-source.la libitp-render.la libitp-source-lines.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(GLIB_LIBS)

dist_check_DATA += \
	tests/unit/render/brief-changes-80.txt \
	tests/unit/render/brief-comparison-80.txt \
	tests/unit/render/brief-incomplete-80.txt \
	tests/unit/render/brief-poor-80.txt \
	tests/unit/render/brief-single-80.txt \
	tests/unit/render/calls-paper-80.txt \
	tests/unit/render/changes-80.txt \
	tests/unit/render/changes-ascii-80.txt \
	tests/unit/render/changes-color-80.txt \
	tests/unit/render/changes.csv \
	tests/unit/render/changes.jsonl \
	tests/unit/render/comparison-140.txt \
	tests/unit/render/comparison-60.txt \
	tests/unit/render/comparison-80.txt \
	tests/unit/render/comparison.csv \
	tests/unit/render/comparison.jsonl \
	tests/unit/render/comparison.md \
	tests/unit/render/deep-80.txt \
	tests/unit/render/detail-140.txt \
	tests/unit/render/detail-60.txt \
	tests/unit/render/detail-80.txt \
	tests/unit/render/detail-single-80.txt \
	tests/unit/render/detail.csv \
	tests/unit/render/detail.jsonl \
	tests/unit/render/equal-names-80.txt \
	tests/unit/render/faster-80.txt \
	tests/unit/render/functions-80.txt \
	tests/unit/render/functions.csv \
	tests/unit/render/functions.jsonl \
	tests/unit/render/functions.md \
	tests/unit/render/hostile.md \
	tests/unit/render/incomplete-80.txt \
	tests/unit/render/incomplete.csv \
	tests/unit/render/incomplete.jsonl \
	tests/unit/render/modules-80.txt \
	tests/unit/render/modules.csv \
	tests/unit/render/processes-80.txt \
	tests/unit/render/processes-single-80.txt \
	tests/unit/render/processes.csv \
	tests/unit/render/processes.jsonl \
	tests/unit/render/modules.jsonl \
	tests/unit/render/nothing-80.txt \
	tests/unit/render/nothing.jsonl \
	tests/unit/render/per-call-80.txt \
	tests/unit/render/poor-80.txt \
	tests/unit/render/poor.csv \
	tests/unit/render/poor.jsonl \
	tests/unit/render/runs-80.txt \
	tests/unit/render/single-80.txt \
	tests/unit/render/single.csv \
	tests/unit/render/single.jsonl \
	tests/unit/render/tree-80.txt \
	tests/unit/render/tree-comparison-80.txt \
	tests/unit/render/unknown-calls-80.txt \
	tests/unit/render/unknown-calls-single-80.txt \
	tests/unit/render/variants-80.txt \
	tests/unit/render/waits-80.txt \
	tests/unit/render/waits-single-60.txt \
	tests/unit/render/waits.csv \
	tests/unit/render/waits.jsonl

check_PROGRAMS += tests/unit/test-screen
TESTS += tests/unit/test-screen
tests_unit_test_screen_SOURCES = tests/unit/test-screen.c
tests_unit_test_screen_LDADD = libitp-terminal.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-signatures
TESTS += tests/unit/test-signatures
tests_unit_test_signatures_SOURCES = tests/unit/test-signatures.c
tests_unit_test_signatures_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-slowest
TESTS += tests/unit/test-slowest
tests_unit_test_slowest_SOURCES = tests/unit/test-slowest.c
tests_unit_test_slowest_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-same-call
TESTS += tests/unit/test-same-call
tests_unit_test_same_call_SOURCES = tests/unit/test-same-call.c
tests_unit_test_same_call_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-strata
TESTS += tests/unit/test-strata
tests_unit_test_strata_SOURCES = tests/unit/test-strata.c tests/unit/gaps.c tests/unit/gaps.h
tests_unit_test_strata_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-habits
TESTS += tests/unit/test-habits
tests_unit_test_habits_SOURCES = tests/unit/test-habits.c tests/unit/gaps.c tests/unit/gaps.h
tests_unit_test_habits_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-activity
TESTS += tests/unit/test-activity
tests_unit_test_activity_SOURCES = tests/unit/test-activity.c
tests_unit_test_activity_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-nested
TESTS += tests/unit/test-nested
tests_unit_test_nested_SOURCES = tests/unit/test-nested.c
tests_unit_test_nested_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-symptoms
TESTS += tests/unit/test-symptoms
tests_unit_test_symptoms_SOURCES = tests/unit/test-symptoms.c
tests_unit_test_symptoms_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-unit-profiles
TESTS += tests/unit/test-unit-profiles
tests_unit_test_unit_profiles_SOURCES = tests/unit/test-unit-profiles.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_profiles_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-succession
TESTS += tests/unit/test-succession
tests_unit_test_succession_SOURCES = tests/unit/test-succession.c
tests_unit_test_succession_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-loops
TESTS += tests/unit/test-loops
tests_unit_test_loops_SOURCES = tests/unit/test-loops.c
tests_unit_test_loops_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-modes
TESTS += tests/unit/test-modes
tests_unit_test_modes_SOURCES = tests/unit/test-modes.c
tests_unit_test_modes_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-purposes
TESTS += tests/unit/test-purposes
tests_unit_test_purposes_SOURCES = tests/unit/test-purposes.c
tests_unit_test_purposes_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-telling
TESTS += tests/unit/test-telling
tests_unit_test_telling_SOURCES = tests/unit/test-telling.c
tests_unit_test_telling_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-unit-spread
TESTS += tests/unit/test-unit-spread
tests_unit_test_unit_spread_SOURCES = tests/unit/test-unit-spread.c
tests_unit_test_unit_spread_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-waits
TESTS += tests/unit/test-waits
tests_unit_test_waits_SOURCES = tests/unit/test-waits.c
tests_unit_test_waits_LDADD = libitp-unit.la libitp-test.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-chain
TESTS += tests/unit/test-chain
tests_unit_test_chain_SOURCES = tests/unit/test-chain.c
tests_unit_test_chain_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-knots
TESTS += tests/unit/test-knots
tests_unit_test_knots_SOURCES = tests/unit/test-knots.c
tests_unit_test_knots_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-event-check
TESTS += tests/unit/test-event-check
tests_unit_test_event_check_SOURCES = tests/unit/test-event-check.c
tests_unit_test_event_check_LDADD = libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-kindred
TESTS += tests/unit/test-kindred
tests_unit_test_kindred_SOURCES = tests/unit/test-kindred.c
tests_unit_test_kindred_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-throttle
TESTS += tests/unit/test-throttle
tests_unit_test_throttle_SOURCES = tests/unit/test-throttle.c
tests_unit_test_throttle_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-naming
TESTS += tests/unit/test-naming
tests_unit_test_naming_SOURCES = tests/unit/test-naming.c
tests_unit_test_naming_LDADD = libitp-through.la libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-gates
TESTS += tests/unit/test-gates
tests_unit_test_gates_SOURCES = tests/unit/test-gates.c
tests_unit_test_gates_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-unit-waits
TESTS += tests/unit/test-unit-waits
tests_unit_test_unit_waits_SOURCES = tests/unit/test-unit-waits.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_waits_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-unit-children
TESTS += tests/unit/test-unit-children
tests_unit_test_unit_children_SOURCES = tests/unit/test-unit-children.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_children_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-unit-rests
TESTS += tests/unit/test-unit-rests
tests_unit_test_unit_rests_SOURCES = tests/unit/test-unit-rests.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_rests_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-unit-arrivals
TESTS += tests/unit/test-unit-arrivals
tests_unit_test_unit_arrivals_SOURCES = tests/unit/test-unit-arrivals.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_arrivals_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-unit-answers
TESTS += tests/unit/test-unit-answers
tests_unit_test_unit_answers_SOURCES = tests/unit/test-unit-answers.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_answers_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-unit-screens
TESTS += tests/unit/test-unit-screens
tests_unit_test_unit_screens_SOURCES = tests/unit/test-unit-screens.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_screens_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-unit-overlap
TESTS += tests/unit/test-unit-overlap
tests_unit_test_unit_overlap_SOURCES = tests/unit/test-unit-overlap.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_overlap_LDADD = $(tests_unit_test_units_LDADD)


check_PROGRAMS += tests/unit/test-unit-sizes
TESTS += tests/unit/test-unit-sizes
tests_unit_test_unit_sizes_SOURCES = tests/unit/test-unit-sizes.c
tests_unit_test_unit_sizes_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-kinds
TESTS += tests/unit/test-kinds
tests_unit_test_kinds_SOURCES = tests/unit/test-kinds.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_kinds_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-kinds-messages
TESTS += tests/unit/test-kinds-messages
tests_unit_test_kinds_messages_SOURCES = tests/unit/test-kinds-messages.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_kinds_messages_LDADD = $(tests_unit_test_kinds_LDADD)

check_PROGRAMS += tests/unit/test-through
TESTS += tests/unit/test-through
tests_unit_test_through_SOURCES = tests/unit/test-through.c \
	tests/unit/through-scene.c tests/unit/through-scene.h
tests_unit_test_through_LDADD = libitp-through.la libitp-wait.la libitp-unit.la libitp-infer.la \
	libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-brokers
TESTS += tests/unit/test-brokers
tests_unit_test_brokers_SOURCES = tests/unit/test-brokers.c \
	tests/unit/through-scene.c tests/unit/through-scene.h
tests_unit_test_brokers_LDADD = $(tests_unit_test_through_LDADD)

check_PROGRAMS += tests/unit/test-units
TESTS += tests/unit/test-units
tests_unit_test_units_SOURCES = tests/unit/test-units.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_units_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-unit-types
TESTS += tests/unit/test-unit-types
tests_unit_test_unit_types_SOURCES = tests/unit/test-unit-types.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_unit_types_LDADD = $(tests_unit_test_units_LDADD)

check_PROGRAMS += tests/unit/test-wait-graph
TESTS += tests/unit/test-wait-graph
tests_unit_test_wait_graph_SOURCES = tests/unit/test-wait-graph.c
tests_unit_test_wait_graph_LDADD = libitp-wait.la libitp-unit.la libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-wakers
TESTS += tests/unit/test-wakers
tests_unit_test_wakers_SOURCES = tests/unit/test-wakers.c
tests_unit_test_wakers_LDADD = libitp-test.la $(GLIB_LIBS)
check_PROGRAMS += tests/unit/test-stretches
TESTS += tests/unit/test-stretches
tests_unit_test_stretches_SOURCES = tests/unit/test-stretches.c
tests_unit_test_stretches_LDADD = libitp-test.la $(GLIB_LIBS)
check_PROGRAMS += tests/unit/test-view
TESTS += tests/unit/test-view
tests_unit_test_view_SOURCES = tests/unit/test-view.c tests/unit/view-scene.c tests/unit/view-scene.h
tests_unit_test_view_LDADD = libitp-view.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-view-random
TESTS += tests/unit/test-view-random
tests_unit_test_view_random_SOURCES = tests/unit/test-view-random.c tests/unit/view-scene.c tests/unit/view-scene.h
tests_unit_test_view_random_LDADD = libitp-view.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-timeline
TESTS += tests/unit/test-timeline
tests_unit_test_timeline_SOURCES = tests/unit/test-timeline.c
tests_unit_test_timeline_LDADD = libitp-export.la libitp-render.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-alarms
TESTS += tests/unit/test-alarms
tests_unit_test_alarms_SOURCES = tests/unit/test-alarms.c
tests_unit_test_alarms_LDADD = libitp-mine.la libitp-wait.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

if HAVE_RECORDER
check_PROGRAMS += tests/unit/test-kernel-text
TESTS += tests/unit/test-kernel-text
tests_unit_test_kernel_text_SOURCES = tests/unit/test-kernel-text.c
tests_unit_test_kernel_text_LDADD = libitp-recorder.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-record-windows
TESTS += tests/unit/test-record-windows
tests_unit_test_record_windows_SOURCES = tests/unit/test-record-windows.c
tests_unit_test_record_windows_LDADD = libitp-recorder.la $(GLIB_LIBS) -lm
endif

check_PROGRAMS += tests/unit/test-windows
TESTS += tests/unit/test-windows
tests_unit_test_windows_SOURCES = tests/unit/test-windows.c
tests_unit_test_windows_LDADD = libitp-test.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-guard-attention
TESTS += tests/unit/test-guard-attention
tests_unit_test_guard_attention_SOURCES = tests/unit/test-guard-attention.c
tests_unit_test_guard_attention_LDADD = libitp-guard.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-guard-training
TESTS += tests/unit/test-guard-training
tests_unit_test_guard_training_SOURCES = tests/unit/test-guard-training.c \
	tests/unit/unit-program.c tests/unit/unit-program.h
tests_unit_test_guard_training_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_guard_training_LDADD = libitp-guard.la libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) $(JANSSON_LIBS) -lm

check_PROGRAMS += tests/unit/test-guard-learning
TESTS += tests/unit/test-guard-learning
tests_unit_test_guard_learning_SOURCES = tests/unit/test-guard-learning.c
tests_unit_test_guard_learning_LDADD = libitp-guard.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

check_PROGRAMS += tests/unit/test-guard-excess
TESTS += tests/unit/test-guard-excess
tests_unit_test_guard_excess_SOURCES = tests/unit/test-guard-excess.c
tests_unit_test_guard_excess_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_guard_excess_LDADD = libitp-guard.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) $(JANSSON_LIBS) -lm

check_PROGRAMS += tests/unit/test-guard
TESTS += tests/unit/test-guard
tests_unit_test_guard_SOURCES = tests/unit/test-guard.c
tests_unit_test_guard_LDADD = libitp-guard.la libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-profile-file
TESTS += tests/unit/test-profile-file
tests_unit_test_profile_file_SOURCES = tests/unit/test-profile-file.c
tests_unit_test_profile_file_LDADD = libitp-profile-file.la libitp-schema.la libitp-compare.la libitp-view.la \
	libitp-rank.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm
