# SPDX-License-Identifier: MIT
#
# Common parts of hosts in front of a terminal: its width and colours, pager, progress, and
# a screen of their own.

noinst_LTLIBRARIES += libitp-terminal.la

libitp_terminal_la_SOURCES = \
	terminal/pager.c \
	terminal/pager.h \
	terminal/progress.c \
	terminal/progress.h \
	terminal/screen.c \
	terminal/screen.h \
	terminal/terminal.c \
	terminal/terminal.h
