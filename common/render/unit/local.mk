# SPDX-License-Identifier: MIT
#
# The types of units of a recording, as text and as JSON lines.

noinst_LTLIBRARIES += libitp-render-unit.la

libitp_render_unit_la_SOURCES = \
	common/render/unit/jsonl.c \
	common/render/unit/text.c \
	common/render/unit/unit.h
libitp_render_unit_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
