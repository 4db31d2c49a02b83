# SPDX-License-Identifier: MIT
#
# Speed and memory; run by hand, not by `make check`.

dist_noinst_SCRIPTS += tests/bench/overhead tests/bench/page tests/bench/run
EXTRA_DIST += tests/bench/count.py
