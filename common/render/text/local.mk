# SPDX-License-Identifier: MIT
#
# Rankings for persons: text, whose parts are on other pages as well.

noinst_LTLIBRARIES += libitp-render-text.la

libitp_render_text_la_SOURCES = \
	common/render/text/headline.c \
	common/render/text/held-table.c \
	common/render/text/page.c \
	common/render/text/page.h \
	common/render/text/path-calls.c \
	common/render/text/path-detail.c \
	common/render/text/path-line.c \
	common/render/text/path-notes.c \
	common/render/text/path-table.c \
	common/render/text/text-foot.c \
	common/render/text/text-summary.c \
	common/render/text/text.c \
	common/render/text/text.h \
	common/render/text/tree.c
