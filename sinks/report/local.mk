# SPDX-License-Identifier: MIT
#
# sink.introperf.report

noinst_LTLIBRARIES += libitp-sink-report.la

libitp_sink_report_la_SOURCES = \
	sinks/report/report.c \
	sinks/report/report.h
libitp_sink_report_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
