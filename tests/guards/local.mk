# SPDX-License-Identifier: MIT
#
# Do guards tell of what is slow? Run by hand.

dist_noinst_SCRIPTS += tests/guards/run
EXTRA_DIST += tests/guards/fresh.py tests/guards/scenarios.py
