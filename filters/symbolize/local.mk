# SPDX-License-Identifier: MIT
#
# filter.introperf.symbolize

noinst_LTLIBRARIES += libitp-filter-symbolize.la

libitp_filter_symbolize_la_SOURCES = \
	filters/symbolize/blob-copy.c \
	filters/symbolize/blob-copy.h \
	filters/symbolize/field-copy.c \
	filters/symbolize/field-copy.h \
	filters/symbolize/message-copy.c \
	filters/symbolize/symbol-fields.c \
	filters/symbolize/symbol-fields.h \
	filters/symbolize/symbolize.c \
	filters/symbolize/symbolize.h \
	filters/symbolize/trace-copy.c \
	filters/symbolize/trace-copy.h
libitp_filter_symbolize_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
