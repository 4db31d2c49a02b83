# SPDX-License-Identifier: MIT
#
# Who held whom up: the lives of threads, and what a symptom depends on.

noinst_LTLIBRARIES += libitp-wait.la

libitp_wait_la_SOURCES = \
	common/wait/chain.c \
	common/wait/chain.h \
	common/wait/critical-path.c \
	common/wait/critical-path.h \
	common/wait/graph.c \
	common/wait/graph.h \
	common/wait/history.c \
	common/wait/history.h \
	common/wait/interest.c \
	common/wait/interest.h \
	common/wait/symptom.c \
	common/wait/symptom.h
libitp_wait_la_LIBADD = $(GLIB_LIBS)
