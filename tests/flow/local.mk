# SPDX-License-Identifier: MIT
#
# Control flow: small functions with answers worked out by hand, and real programs, whose every step
# is compared with the answers (see README.md).

EXTRA_DIST += tests/flow/README.md
dist_noinst_SCRIPTS += tests/flow/calls-against-ftrace.py tests/flow/real-programs.sh
dist_check_DATA += tests/flow/throws.cc

check_PROGRAMS += tests/flow/census
tests_flow_census_SOURCES = tests/flow/census.c
tests_flow_census_LDADD = libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

check_PROGRAMS += tests/flow/steps
tests_flow_steps_SOURCES = \
	tests/flow/steps-frames.c \
	tests/flow/steps-frames.h \
	tests/flow/steps.c
tests_flow_steps_CFLAGS = $(AM_CFLAGS) -D_GNU_SOURCE $(CAPSTONE_CFLAGS)
tests_flow_steps_LDADD = libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(CAPSTONE_LIBS) $(GLIB_LIBS)

check_PROGRAMS += tests/flow/ask
tests_flow_ask_SOURCES = tests/flow/ask.c tests/flow/points.c tests/flow/points.h
tests_flow_ask_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_flow_ask_LDADD = libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)
dist_check_SCRIPTS += tests/flow/test-flow-cases.sh tests/flow/test-flow-kernel.sh
TESTS += tests/flow/test-flow-cases.sh tests/flow/test-flow-kernel.sh
dist_check_DATA += \
	tests/flow/flow.sh \
	tests/flow/cases-kernel.S \
	tests/flow/cases-kernel-any.txt \
	tests/flow/cases-kernel-memory.txt \
	tests/flow/cases-kernel.txt \
	tests/flow/cases.S \
	tests/flow/cases-arm64.S \
	tests/flow/cases-arm64.txt \
	tests/flow/cases.txt \
	tests/flow/cases-fixed.txt \
	tests/flow/cases-stripped.txt

check_PROGRAMS += tests/flow/test-flow-damage
TESTS += tests/flow/test-flow-damage
tests_flow_test_flow_damage_SOURCES = tests/flow/test-flow-damage.c
tests_flow_test_flow_damage_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_flow_test_flow_damage_LDADD = libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)

check_PROGRAMS += tests/flow/test-address-set
TESTS += tests/flow/test-address-set
tests_flow_test_address_set_SOURCES = tests/flow/test-address-set.c
tests_flow_test_address_set_LDADD = libitp-control-flow.la $(GLIB_LIBS)

check_PROGRAMS += tests/flow/test-flow-answers
TESTS += tests/flow/test-flow-answers
tests_flow_test_flow_answers_SOURCES = tests/flow/test-flow-answers.c
tests_flow_test_flow_answers_LDADD = libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(GLIB_LIBS)

check_PROGRAMS += tests/flow/test-stack-depth
TESTS += tests/flow/test-stack-depth
tests_flow_test_stack_depth_SOURCES = tests/flow/test-stack-depth.c
tests_flow_test_stack_depth_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
tests_flow_test_stack_depth_LDADD = libitp-control-flow.la $(symbol_libraries) libitp-infer.la libitp-known.la libitp-base.la \
	$(ELFUTILS_LIBS) $(GLIB_LIBS)
