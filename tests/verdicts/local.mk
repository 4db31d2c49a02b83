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
	tests/verdicts/slower/align.c \
	tests/verdicts/slower/compress.c \
	tests/verdicts/slower/image.c \
	tests/verdicts/slower/interpret.c \
	tests/verdicts/slower/life.c \
	tests/verdicts/slower/match.c \
	tests/verdicts/slower/parse.c \
	tests/verdicts/slower/power.c \
	tests/verdicts/slower/serve.c \
	tests/verdicts/slower/slower.c \
	tests/verdicts/slower/slower.h \
	tests/verdicts/slower/store.c \
	tests/verdicts/test_bench.py
dist_noinst_SCRIPTS += tests/verdicts/run

dist_check_SCRIPTS += tests/verdicts/test-bench.sh
TESTS += tests/verdicts/test-bench.sh
