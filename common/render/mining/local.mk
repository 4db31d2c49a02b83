# SPDX-License-Identifier: MIT
#
# Findings in many traces, as text, as JSON lines and as a page.

noinst_LTLIBRARIES += libitp-render-mining.la

libitp_render_mining_la_SOURCES = \
	common/render/mining/html.c \
	common/render/mining/jsonl.c \
	common/render/mining/mining.h \
	common/render/mining/text.c
libitp_render_mining_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
