# SPDX-License-Identifier: MIT
#
# filter.introperf.wait

noinst_LTLIBRARIES += libitp-filter-wait.la

libitp_filter_wait_la_SOURCES = \
	filters/wait/telling.c \
	filters/wait/telling.h \
	filters/wait/wait.c \
	filters/wait/wait.h
libitp_filter_wait_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
