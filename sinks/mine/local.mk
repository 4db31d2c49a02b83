# SPDX-License-Identifier: MIT
#
# sink.introperf.mine

noinst_LTLIBRARIES += libitp-sink-mine.la

libitp_sink_mine_la_SOURCES = \
	sinks/mine/interests.c \
	sinks/mine/interests.h \
	sinks/mine/mine.c \
	sinks/mine/mine.h \
	sinks/mine/params.c \
	sinks/mine/params.h \
	sinks/mine/stacks.c \
	sinks/mine/stacks.h
libitp_sink_mine_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
