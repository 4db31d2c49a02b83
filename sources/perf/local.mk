# SPDX-License-Identifier: MIT
#
# source.introperf.perf

noinst_LTLIBRARIES += libitp-source-perf.la

libitp_source_perf_la_SOURCES = \
	sources/perf/iterator.c \
	sources/perf/perf.h \
	sources/perf/source.c \
	sources/perf/source.h \
	sources/perf/trace.c \
	sources/perf/trace.h
libitp_source_perf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
