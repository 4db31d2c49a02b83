# SPDX-License-Identifier: MIT
#
# The lines of a function, and what each cost, in one recording or two, as text and as JSON lines.

noinst_LTLIBRARIES += libitp-render-source.la

libitp_render_source_la_SOURCES = \
	common/render/source/json.c \
	common/render/source/jsonl.c \
	common/render/source/listing.c \
	common/render/source/listing.h \
	common/render/source/pair.c \
	common/render/source/rows.c \
	common/render/source/source.h \
	common/render/source/text.c
libitp_render_source_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
