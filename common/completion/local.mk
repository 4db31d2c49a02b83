# SPDX-License-Identifier: MIT
#
# Functions that stacks by frame pointers lack.

noinst_LTLIBRARIES += libitp-completion.la
libitp_completion_la_SOURCES = \
	common/completion/callers.c \
	common/completion/callers.h \
	common/completion/completion.c \
	common/completion/completion.h \
	common/completion/files.c \
	common/completion/files.h \
	common/completion/hole.c \
	common/completion/hole.h
libitp_completion_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(CAPSTONE_CFLAGS)
