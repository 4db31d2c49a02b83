# SPDX-License-Identifier: MIT
#
# filter.introperf.normalize

noinst_LTLIBRARIES += libitp-filter-normalize.la

libitp_filter_normalize_la_SOURCES = \
	filters/normalize/builder.c \
	filters/normalize/builder.h \
	filters/normalize/normalize.c \
	filters/normalize/normalize.h
libitp_filter_normalize_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
