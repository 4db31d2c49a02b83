# SPDX-License-Identifier: MIT
#
# Who held whom up: the lives of threads, and what a symptom depends on.

noinst_LTLIBRARIES += libitp-wait.la

libitp_wait_la_SOURCES = \
	common/wait/actors.c \
	common/wait/actors.h \
	common/wait/chain.c \
	common/wait/chain.h \
	common/wait/critical-path.c \
	common/wait/critical-path.h \
	common/wait/division.c \
	common/wait/division.h \
	common/wait/face.c \
	common/wait/face.h \
	common/wait/graph.c \
	common/wait/graph.h \
	common/wait/held-sums.c \
	common/wait/held-places.h \
	common/wait/held-sums.h \
	common/wait/history.c \
	common/wait/history.h \
	common/wait/interest.c \
	common/wait/interest.h \
	common/wait/knots.c \
	common/wait/knots.h \
	common/wait/link.h \
	common/wait/nested.c \
	common/wait/nested.h \
	common/wait/redistribution.c \
	common/wait/redistribution.h \
	common/wait/symptom.c \
	common/wait/symptom.h \
	common/wait/vertices.c \
	common/wait/vertices.h \
	common/wait/wait.h
libitp_wait_la_LIBADD = $(GLIB_LIBS)
