# SPDX-License-Identifier: MIT
#
# Whether tests see thresholds move: run by hand, see tests/thresholds/run.

EXTRA_DIST += tests/thresholds/bounds
dist_noinst_SCRIPTS += tests/thresholds/run
