# SPDX-License-Identifier: MIT
#
# sink.introperf.mine

noinst_LTLIBRARIES += libitp-sink-mine.la

libitp_sink_mine_la_SOURCES = \
	sinks/mine/mine.c \
	sinks/mine/mine.h \
	sinks/mine/told-searches.c \
	sinks/mine/told-searches.h
libitp_sink_mine_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
