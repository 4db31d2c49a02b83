# SPDX-License-Identifier: MIT
#
# filter.introperf.infer

noinst_LTLIBRARIES += libitp-filter-infer.la

libitp_filter_infer_la_SOURCES = \
	filters/infer/call-trace.c \
	filters/infer/call-trace.h \
	filters/infer/calls.c \
	filters/infer/calls.h \
	filters/infer/infer.c \
	filters/infer/infer.h \
	filters/infer/output.c \
	filters/infer/output.h \
	filters/infer/params.c \
	filters/infer/params.h
libitp_filter_infer_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
