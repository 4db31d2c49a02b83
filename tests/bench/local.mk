# SPDX-License-Identifier: MIT
#
# Speed and memory, and whether two builds say the same; run by hand, not by `make check`.

dist_noinst_SCRIPTS += tests/bench/guard tests/bench/guard-windows \
	tests/bench/outputs tests/bench/overhead tests/bench/page tests/bench/pointing \
	tests/bench/run
EXTRA_DIST += tests/bench/count.py tests/bench/guarded.py tests/bench/servers.py

# Cost of mining many stacks.
check_PROGRAMS += tests/bench/mine-stacks
tests_bench_mine_stacks_SOURCES = tests/bench/mine-stacks.c
tests_bench_mine_stacks_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

# Cost of mining deep stacks.
check_PROGRAMS += tests/bench/mine-deep
tests_bench_mine_deep_SOURCES = tests/bench/mine-deep.c
tests_bench_mine_deep_LDADD = libitp-mine.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm

# Cost of finding many units, and whether memory grows with them.
check_PROGRAMS += tests/bench/units-soak
tests_bench_units_soak_SOURCES = tests/bench/units-soak.c
tests_bench_units_soak_LDADD = libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm
