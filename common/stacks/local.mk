# SPDX-License-Identifier: MIT

noinst_LTLIBRARIES += libitp-stacks.la
libitp_stacks_la_SOURCES = \
	common/stacks/callchain.c \
	common/stacks/callchain.h \
	common/stacks/event-queue.c \
	common/stacks/event-queue.h \
	common/stacks/task.c \
	common/stacks/task.h \
	common/stacks/user-stack.c \
	common/stacks/user-stack.h
libitp_stacks_la_LIBADD = $(GLIB_LIBS)
