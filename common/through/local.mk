# SPDX-License-Identifier: MIT
#
# Requests through threads and processes.

noinst_LTLIBRARIES += libitp-through.la

libitp_through_la_SOURCES = \
	common/through/brokers.c \
	common/through/brokers.h \
	common/through/descriptors.c \
	common/through/descriptors.h \
	common/through/fit.c \
	common/through/gather.c \
	common/through/hops.c \
	common/through/hops.h \
	common/through/hop.h \
	common/through/jobs.c \
	common/through/naming.c \
	common/through/naming.h \
	common/through/connections.c \
	common/through/connections.h \
	common/through/pairs.h \
	common/through/queues.c \
	common/through/routes.c \
	common/through/routes.h \
	common/through/search.c \
	common/through/search.h \
	common/through/through.c \
	common/through/through.h \
	common/through/traffic.c \
	common/through/traffic.h \
	common/through/turns.c \
	common/through/work.c \
	common/through/work.h \
	common/through/workers.c
libitp_through_la_LIBADD = $(GLIB_LIBS)
