# SPDX-License-Identifier: MIT
#
# How often verdicts are right: run by hand, see tests/verdicts/run. The bench itself is a test.

EXTRA_DIST += \
	tests/verdicts/bench/__init__.py \
	tests/verdicts/bench/fresh.py \
	tests/verdicts/bench/programs.py \
	tests/verdicts/bench/report.py \
	tests/verdicts/bench/runs.py \
	tests/verdicts/bench/verdicts.py \
	tests/verdicts/injected.c \
	tests/verdicts/model.md \
	tests/verdicts/slowed.c \
	tests/verdicts/slower.c \
	tests/verdicts/test_bench.py
dist_noinst_SCRIPTS += tests/verdicts/run

dist_check_SCRIPTS += tests/verdicts/test-bench.sh
TESTS += tests/verdicts/test-bench.sh
