# SPDX-License-Identifier: MIT
#
# Speed and memory, and whether two builds say the same; run by hand, not by `make check`.

dist_noinst_SCRIPTS += tests/bench/outputs tests/bench/overhead tests/bench/page tests/bench/run
EXTRA_DIST += tests/bench/count.py
