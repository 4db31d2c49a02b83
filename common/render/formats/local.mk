# SPDX-License-Identifier: MIT
#
# The choice of a ranking's format, and formats made of others: JSON as one document, Markdown.

noinst_LTLIBRARIES += libitp-render-formats.la

libitp_render_formats_la_SOURCES = \
	common/render/formats/document.c \
	common/render/formats/composed.h \
	common/render/formats/formats.c \
	common/render/formats/formats.h \
	common/render/formats/markdown.c
libitp_render_formats_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
