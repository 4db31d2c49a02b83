# SPDX-License-Identifier: MIT
#
# From copied stacks to return addresses, by the rules of the files that are mapped.

noinst_LTLIBRARIES += libitp-unwind.la

libitp_unwind_la_SOURCES = \
	common/unwind/call-site.c \
	common/unwind/call-site.h \
	common/unwind/cfi-entry.c \
	common/unwind/cfi-entry.h \
	common/unwind/cfi-expression.c \
	common/unwind/cfi-expression.h \
	common/unwind/cfi-program.c \
	common/unwind/cfi-program.h \
	common/unwind/cfi-row.h \
	common/unwind/cfi-signal.c \
	common/unwind/cfi-signal.h \
	common/unwind/cfi.c \
	common/unwind/cfi.h \
	common/unwind/frame-pointers.c \
	common/unwind/frame-pointers.h \
	common/unwind/registers.c \
	common/unwind/registers.h \
	common/unwind/step.h \
	common/unwind/step-table.c \
	common/unwind/step-table.h \
	common/unwind/unwind-vdso.c \
	common/unwind/unwind.c \
	common/unwind/unwind.h
libitp_unwind_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
libitp_unwind_la_LIBADD = $(ELFUTILS_LIBS) $(GLIB_LIBS)
