# SPDX-License-Identifier: MIT
#
# source.introperf.perf

noinst_LTLIBRARIES += libitp-source-perf.la

libitp_source_perf_la_SOURCES = \
	sources/perf/inputs.c \
	sources/perf/inputs.h \
	sources/perf/iterator.c \
	sources/perf/perf.h \
	sources/perf/source.c \
	sources/perf/source.h \
	sources/perf/warnings.c \
	sources/perf/warnings.h
libitp_source_perf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
