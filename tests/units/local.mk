# SPDX-License-Identifier: MIT
#
# Servers whose requests are counted: run by hand, see tests/units/run.

EXTRA_DIST += tests/units/chains.py tests/units/client.py tests/units/follow.py \
	tests/units/fresh.py tests/units/fresh_kinds.py tests/units/kernel.py tests/units/kinds.py \
	tests/units/loads.py tests/units/newest.py tests/units/perfguard.py tests/units/pool.c \
	tests/units/recording.py tests/units/servers.py tests/units/test_truth.py tests/units/times.py tests/units/variance.py
dist_noinst_SCRIPTS += tests/units/run tests/units/through

dist_check_SCRIPTS += tests/units/test-truth.sh
TESTS += tests/units/test-truth.sh
