# SPDX-License-Identifier: MIT
#
# filter.introperf.unit

noinst_LTLIBRARIES += libitp-filter-unit.la

libitp_filter_unit_la_SOURCES = \
	filters/unit/unit.c \
	filters/unit/unit.h
libitp_filter_unit_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
