# SPDX-License-Identifier: MIT
# Ranked results as text, and common parts of all renderers.

noinst_LTLIBRARIES += libitp-render.la
libitp_render_la_SOURCES = \
	common/render/cells.c \
	common/render/cells.h \
	common/render/context-sums.c \
	common/render/context-sums.h \
	common/render/entries.h \
	common/render/headline.c \
	common/render/held-table.c \
	common/render/json.c \
	common/render/json.h \
	common/render/markdown-words.c \
	common/render/markdown-words.h \
	common/render/page.c \
	common/render/page.h \
	common/render/path-calls.c \
	common/render/path-detail.c \
	common/render/path-line.c \
	common/render/path-notes.c \
	common/render/path-table.c \
	common/render/render.h \
	common/render/table.c \
	common/render/table.h \
	common/render/text-foot.c \
	common/render/text-summary.c \
	common/render/text.c \
	common/render/tree.c \
	common/render/units.c \
	common/render/units.h \
	common/render/unwatched.c \
	common/render/unwatched.h \
	common/render/words.c \
	common/render/words.h \
	common/render/workload.c \
	common/render/workload.h
libitp_render_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libitp_render_la_LIBADD = $(JANSSON_LIBS)
