# SPDX-License-Identifier: MIT
#
# sink.introperf.rank

noinst_LTLIBRARIES += libitp-sink-rank.la

libitp_sink_rank_la_SOURCES = \
	sinks/rank/base.c \
	sinks/rank/base.h \
	sinks/rank/compare.c \
	sinks/rank/compare.h \
	sinks/rank/limit.c \
	sinks/rank/limit.h \
	sinks/rank/rank.c \
	sinks/rank/rank.h \
	sinks/rank/sides.c \
	sinks/rank/sides.h \
	sinks/rank/sink.c \
	sinks/rank/sink.h \
	sinks/rank/view.c \
	sinks/rank/view.h \
	sinks/rank/workloads.c \
	sinks/rank/workloads.h \
	sinks/rank/write.c \
	sinks/rank/write.h
libitp_sink_rank_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
