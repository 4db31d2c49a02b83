# SPDX-License-Identifier: MIT
# Manual pages, one for each component class and command, and one for what they share.

dist_man_MANS += \
	doc/man/babeltrace2-filter.introperf.infer.7 \
	doc/man/babeltrace2-filter.introperf.normalize.7 \
	doc/man/babeltrace2-filter.introperf.symbolize.7 \
	doc/man/babeltrace2-filter.introperf.unit.7 \
	doc/man/babeltrace2-filter.introperf.wait.7 \
	doc/man/babeltrace2-sink.introperf.export.7 \
	doc/man/babeltrace2-sink.introperf.mine.7 \
	doc/man/babeltrace2-sink.introperf.rank.7 \
	doc/man/babeltrace2-sink.introperf.report.7 \
	doc/man/babeltrace2-source.introperf.perf.7 \
	doc/man/introperf-dlfilter.7 \
	doc/man/introperf-guards.5 \
	doc/man/introperf-jsonl.5 \
	doc/man/introperf-profile.5 \
	doc/man/introperf-script.7 \
	doc/man/introperf-signatures.5 \
	doc/man/introperf.7 \
	doc/man/perf-introperf.1

dist_check_SCRIPTS += tests/cli/test-man-pages.sh
TESTS += tests/cli/test-man-pages.sh

dist_doc_DATA = doc/introperf-result.schema.json

# Followed by tests/recipes/test-recipes.sh.
EXTRA_DIST += \
	doc/recipes/README.md \
	doc/recipes/another-machine.md \
	doc/recipes/ci-gate.md \
	doc/recipes/it-hangs.md \
	doc/recipes/live.md \
	doc/recipes/lttng.md \
	doc/recipes/many-hosts.md \
	doc/recipes/one-slow-request.md \
	doc/recipes/only-waiting.md \
	doc/recipes/orders.c \
	doc/recipes/slow-after-an-upgrade.md \
	doc/recipes/stripped-binary.md

# Built and run by tests/library/test-example.sh.
EXTRA_DIST += doc/examples/rank-stacks.c

# Held against what is printed by tests/cli/test-reading.sh.
EXTRA_DIST += doc/reading.md

# Written by tests/accuracy/run.
EXTRA_DIST += doc/accuracy.md doc/accuracy.svg

# Written by hand, of runs that it names.
EXTRA_DIST += doc/comparison.md

# Written by tests/cases/run.
EXTRA_DIST += doc/cases.md

# Written by tests/completion/run.
EXTRA_DIST += doc/completion.md

# Written by tests/verdicts/run.
EXTRA_DIST += doc/verdicts.md

# Written by tests/bench/overhead.
EXTRA_DIST += doc/overhead.md doc/windows.md

# Written by tests/report/picture.
EXTRA_DIST += doc/report.png

# Written by tests/guards/run.
EXTRA_DIST += doc/guards.md

# Held against the sources by tests/cli/test-source-thresholds.sh.
EXTRA_DIST += doc/thresholds.md

# Written by tests/units/run.
EXTRA_DIST += doc/units.md

# Written by tests/fleet/run.
EXTRA_DIST += doc/mining.md
