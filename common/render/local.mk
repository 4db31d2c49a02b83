# SPDX-License-Identifier: MIT
# Ranked results as text, CSV and JSON lines.

noinst_LTLIBRARIES += libitp-render.la
libitp_render_la_SOURCES = \
	common/render/csv.c \
	common/render/formats.h \
	common/render/jsonl.c \
	common/render/labels.c \
	common/render/labels.h \
	common/render/path-line.c \
	common/render/path-line.h \
	common/render/path-table.c \
	common/render/path-table.h \
	common/render/render.c \
	common/render/render.h \
	common/render/table.c \
	common/render/table.h \
	common/render/text.c \
	common/render/units.c \
	common/render/units.h \
	common/render/variants.c \
	common/render/variants.h \
	common/render/workload.c \
	common/render/workload.h
libitp_render_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libitp_render_la_LIBADD = $(JANSSON_LIBS)
