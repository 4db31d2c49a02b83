# SPDX-License-Identifier: MIT
#
# sink.introperf.rank

noinst_LTLIBRARIES += libitp-sink-rank.la

libitp_sink_rank_la_SOURCES = \
	sinks/rank/rank.c \
	sinks/rank/rank.h
libitp_sink_rank_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
