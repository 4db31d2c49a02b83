# SPDX-License-Identifier: MIT
#
# Common ground of the core: functions, contexts, stack events; errors, files that strangers name,
# and what GLib lacks. Nothing here knows another folder.

noinst_LTLIBRARIES += libitp-base.la

libitp_base_la_SOURCES = \
	common/base/agglomeration.c \
	common/base/agglomeration.h \
	common/base/base.h \
	common/base/context-function.h \
	common/base/context-tree.c \
	common/base/context-tree.h \
	common/base/duration.c \
	common/base/duration.h \
	common/base/error.c \
	common/base/error.h \
	common/base/failure.c \
	common/base/failure.h \
	common/base/flow.h \
	common/base/function-table.c \
	common/base/function-table.h \
	common/base/hash.c \
	common/base/hash.h \
	common/base/input-file.c \
	common/base/input-file.h \
	common/base/labels.c \
	common/base/labels.h \
	common/base/memory.h \
	common/base/order.h \
	common/base/patterns.h \
	common/base/stack-event.h \
	common/base/student.c \
	common/base/student.h \
	common/base/sums.c \
	common/base/sums.h \
	common/base/temp-file.c \
	common/base/temp-file.h \
	common/base/watched.c \
	common/base/watched.h
libitp_base_la_LIBADD = $(GLIB_LIBS)
