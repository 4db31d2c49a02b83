# SPDX-License-Identifier: MIT
# Common parts of the renderers of a ranking.

noinst_LTLIBRARIES += libitp-render.la
libitp_render_la_SOURCES = \
	common/render/cells.c \
	common/render/cells.h \
	common/render/context-sums.c \
	common/render/context-sums.h \
	common/render/entries.h \
	common/render/json.c \
	common/render/json.h \
	common/render/markdown-words.c \
	common/render/markdown-words.h \
	common/render/render.h \
	common/render/table.c \
	common/render/table.h \
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
