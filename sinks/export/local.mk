# SPDX-License-Identifier: MIT
#
# sink.introperf.export

noinst_LTLIBRARIES += libitp-sink-export.la

libitp_sink_export_la_SOURCES = \
	sinks/export/calls.c \
	sinks/export/calls.h \
	sinks/export/export.c \
	sinks/export/export.h
libitp_sink_export_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
