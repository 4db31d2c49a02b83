# SPDX-License-Identifier: MIT
#
# A newcomer's first ten minutes, by hand.

dist_noinst_SCRIPTS += tests/newcomer/run tests/newcomer/first-ten-minutes
