# SPDX-License-Identifier: MIT
#
# The one place that turns messages, also those of other tracers, into core records and back, and
# the frame that filters share.

noinst_LTLIBRARIES += libitp-messages.la

libitp_messages_la_SOURCES = \
	messages/clock.c \
	messages/clock.h \
	messages/decode.c \
	messages/encode.c \
	messages/failure.c \
	messages/failure.h \
	messages/filter-router.c \
	messages/filter-router.h \
	messages/filter-trace.c \
	messages/filter-trace.h \
	messages/filter.c \
	messages/filter.h \
	messages/filter-ops.h \
	messages/foreign-field.c \
	messages/foreign-field.h \
	messages/foreign-layout.c \
	messages/foreign-layout.h \
	messages/foreign-maps.c \
	messages/foreign-maps.h \
	messages/foreign-memory.c \
	messages/foreign-memory.h \
	messages/foreign-names.c \
	messages/foreign-names.h \
	messages/foreign-stack.c \
	messages/foreign-stack.h \
	messages/foreign.c \
	messages/foreign.h \
	messages/told-contexts.c \
	messages/told-contexts.h \
	messages/unplaced.h \
	messages/message.c \
	messages/message.h \
	messages/messages.h \
	messages/identity.c \
	messages/identity.h \
	messages/mip.c \
	messages/mip.h \
	messages/output.c \
	messages/packet.c \
	messages/packet.h \
	messages/param-maps.c \
	messages/param-maps.h \
	messages/refusal.c \
	messages/refusal.h \
	messages/coding.h \
	messages/upstream.c \
	messages/upstream.h
libitp_messages_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
