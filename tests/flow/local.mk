# SPDX-License-Identifier: MIT
#
# Control flow: small functions with answers worked out by hand, and real programs, whose every step
# is compared with the answers (see README.md).

EXTRA_DIST += tests/flow/README.md

check_PROGRAMS += tests/flow/census
tests_flow_census_SOURCES = tests/flow/census.c
tests_flow_census_LDADD = libitp-symbol.la libitp-infer.la $(GLIB_LIBS)
