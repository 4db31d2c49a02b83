# SPDX-License-Identifier: MIT
#
# Common parts of all sinks of profiles.

noinst_LTLIBRARIES += libitp-sink-profiles.la

libitp_sink_profiles_la_SOURCES = \
	sinks/profiles/arrivals.c \
	sinks/profiles/arrivals.h \
	sinks/profiles/component.c \
	sinks/profiles/component.h \
	sinks/profiles/profiles.h \
	sinks/profiles/upstream.c \
	sinks/profiles/upstream.h
libitp_sink_profiles_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
