# SPDX-License-Identifier: MIT
#
# Requests through threads and processes, as text and as JSON lines.

noinst_LTLIBRARIES += libitp-render-through.la

libitp_render_through_la_SOURCES = \
	common/render/through/jsonl.c \
	common/render/through/line.c \
	common/render/through/text.c \
	common/render/through/through.c \
	common/render/through/through.h \
	common/render/through/timeline.c
libitp_render_through_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
