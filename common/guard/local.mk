# SPDX-License-Identifier: MIT
#
# Guards: the file, what stacks are, what is to be watched, what type a unit is of.

noinst_LTLIBRARIES += libitp-guard.la

libitp_guard_la_SOURCES = \
	common/guard/attention.c \
	common/guard/attention.h \
	common/guard/excess.c \
	common/guard/excess.h \
	common/guard/file.c \
	common/guard/guard.h \
	common/guard/inference.h \
	common/guard/keys.c \
	common/guard/learning.c \
	common/guard/learning.h \
	common/guard/matching.c \
	common/guard/matching.h \
	common/guard/probes.c \
	common/guard/probes.h \
	common/guard/shift.c \
	common/guard/shift.h \
	common/guard/training.c \
	common/guard/training.h \
	common/guard/usual.c \
	common/guard/usual.h
libitp_guard_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libitp_guard_la_LIBADD = $(GLIB_LIBS) $(JANSSON_LIBS) -lm
