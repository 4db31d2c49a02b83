# SPDX-License-Identifier: MIT
#
# What the source lines of a function cost.

noinst_LTLIBRARIES += libitp-source-lines.la

libitp_source_lines_la_SOURCES = \
	common/source/costs.c \
	common/source/costs.h \
	common/source/instructions.c \
	common/source/instructions.h \
	common/source/lines.c \
	common/source/lines.h \
	common/source/page.c \
	common/source/page.h \
	common/source/pair.c \
	common/source/pair.h \
	common/source/source.h
libitp_source_lines_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(CAPSTONE_CFLAGS)
libitp_source_lines_la_LIBADD = $(symbol_libraries) $(ELFUTILS_LIBS) $(CAPSTONE_LIBS) $(GLIB_LIBS) -lm
