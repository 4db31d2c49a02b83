# SPDX-License-Identifier: MIT
#
# What hosts share that may be in front of a terminal.

noinst_LTLIBRARIES += libitp-terminal.la
libitp_terminal_la_SOURCES = \
	plugins/terminal/pager.c \
	plugins/terminal/pager.h \
	plugins/terminal/progress.c \
	plugins/terminal/progress.h \
	plugins/terminal/screen.c \
	plugins/terminal/screen.h \
	plugins/terminal/terminal.c \
	plugins/terminal/terminal.h
