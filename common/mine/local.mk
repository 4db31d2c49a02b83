# SPDX-License-Identifier: MIT
#
# Patterns of stacks that explain the time of many traces.

noinst_LTLIBRARIES += libitp-mine.la

libitp_mine_la_SOURCES = \
	common/mine/alarms.c \
	common/mine/alarms.h \
	common/mine/clusters.c \
	common/mine/clusters.h \
	common/mine/counting.c \
	common/mine/counting.h \
	common/mine/endings.c \
	common/mine/forest.c \
	common/mine/forest.h \
	common/mine/functions.c \
	common/mine/functions.h \
	common/mine/innermost.c \
	common/mine/innermost.h \
	common/mine/inserting.c \
	common/mine/intake.c \
	common/mine/intake.h \
	common/mine/matching.c \
	common/mine/mine.h \
	common/mine/mining.c \
	common/mine/mining.h \
	common/mine/names.c \
	common/mine/names.h \
	common/mine/own-stacks.c \
	common/mine/pattern.h \
	common/mine/patterns.c \
	common/mine/patterns.h \
	common/mine/places.c \
	common/mine/promise.c \
	common/mine/prospects.c \
	common/mine/search-parts.h \
	common/mine/search.c \
	common/mine/search.h \
	common/mine/signatures.c \
	common/mine/signatures.h \
	common/mine/similarity.c \
	common/mine/similarity.h \
	common/mine/stack-base.c \
	common/mine/stack-base.h \
	common/mine/stack-set.c \
	common/mine/stack-set.h \
	common/mine/window.c \
	common/mine/window.h
libitp_mine_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libitp_mine_la_LIBADD = $(GLIB_LIBS) $(JANSSON_LIBS) -lm
