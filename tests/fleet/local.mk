# SPDX-License-Identifier: MIT
#
# Fleets of recordings whose causes are known: run by hand, see tests/fleet/run. How they are judged
# is a test.

EXTRA_DIST += \
	tests/fleet/causes-2.c \
	tests/fleet/causes-3.c \
	tests/fleet/causes-4.c \
	tests/fleet/causes-5.c \
	tests/fleet/causes.c \
	tests/fleet/fleet.c \
	tests/fleet/fleet.h \
	tests/fleet/fleets.py \
	tests/fleet/fresh.c \
	tests/fleet/judging.py \
	tests/fleet/page.py \
	tests/fleet/recording.py \
	tests/fleet/test_judging.py
dist_noinst_SCRIPTS += tests/fleet/run

dist_check_SCRIPTS += tests/fleet/test-judging.sh
TESTS += tests/fleet/test-judging.sh
