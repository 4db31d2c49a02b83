# SPDX-License-Identifier: MIT
#
# What is known by name: system calls, functions of kernels and runtimes, modules, processes. Tables
# and questions to them; those who ask decide.

noinst_LTLIBRARIES += libitp-known.la

libitp_known_la_SOURCES = \
	common/known/known.h \
	common/known/modules.c \
	common/known/modules.h
libitp_known_la_LIBADD = $(GLIB_LIBS)
