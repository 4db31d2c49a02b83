# SPDX-License-Identifier: MIT
#
# What is known by name: system calls, functions of kernels and runtimes, modules, processes. Tables
# and questions to them; those who ask decide.

noinst_LTLIBRARIES += libitp-known.la

libitp_known_la_SOURCES = \
	common/known/descriptor-calls.c \
	common/known/descriptor-calls.h \
	common/known/kernel-interrupts.c \
	common/known/kernel-interrupts.h \
	common/known/kernel-memory.c \
	common/known/kernel-memory.h \
	common/known/kernel-roles.c \
	common/known/kernel-roles.h \
	common/known/kernel-waits.c \
	common/known/kernel-waits.h \
	common/known/known.h \
	common/known/locks.c \
	common/known/locks.h \
	common/known/modules.c \
	common/known/modules.h \
	common/known/recorders.c \
	common/known/recorders.h \
	common/known/returns.c \
	common/known/returns.h \
	common/known/starts.c \
	common/known/starts.h \
	common/known/syscalls.c \
	common/known/syscalls.h \
	common/known/waiting-calls.c \
	common/known/waiting-calls.h \
	common/known/wake-reasons.c \
	common/known/wake-reasons.h
libitp_known_la_LIBADD = $(GLIB_LIBS)
