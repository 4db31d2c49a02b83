# SPDX-License-Identifier: MIT

noinst_LTLIBRARIES += libitp-stacks.la
libitp_stacks_la_SOURCES = \
	common/stacks/callchain.c \
	common/stacks/callchain.h \
	common/stacks/container.c \
	common/stacks/container.h \
	common/stacks/stacks.h \
	common/stacks/task.c \
	common/stacks/task.h
libitp_stacks_la_LIBADD = $(GLIB_LIBS)
