# SPDX-License-Identifier: MIT
#
# The shared library, as programs see it: its numbers, what it refuses, what it exports, and the
# example in the documentation.

check_PROGRAMS += tests/library/test-library
TESTS += tests/library/test-library
tests_library_test_library_SOURCES = tests/library/test-library.c
tests_library_test_library_LDADD = libintroperf.la $(GLIB_LIBS)

dist_check_SCRIPTS += tests/library/test-example.sh
TESTS += tests/library/test-example.sh
