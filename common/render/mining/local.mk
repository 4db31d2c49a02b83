# SPDX-License-Identifier: MIT
#
# What was found in many traces, as text and as JSON lines.

noinst_LTLIBRARIES += libitp-render-mining.la

libitp_render_mining_la_SOURCES = \
	common/render/mining/jsonl.c \
	common/render/mining/mining.h \
	common/render/mining/text.c
libitp_render_mining_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
