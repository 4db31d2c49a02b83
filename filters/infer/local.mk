# SPDX-License-Identifier: MIT
#
# filter.introperf.infer

noinst_LTLIBRARIES += libitp-filter-infer.la

libitp_filter_infer_la_SOURCES = \
	filters/infer/infer.c \
	filters/infer/infer.h
libitp_filter_infer_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
