# SPDX-License-Identifier: MIT
#
# Rankings for programs: CSV and JSON lines.

noinst_LTLIBRARIES += libitp-render-records.la

libitp_render_records_la_SOURCES = \
	common/render/records/csv.c \
	common/render/records/fields.c \
	common/render/records/fields.h \
	common/render/records/input-fields.c \
	common/render/records/json-detail.c \
	common/render/records/json-detail.h \
	common/render/records/json-held.c \
	common/render/records/json-held.h \
	common/render/records/jsonl.c \
	common/render/records/path-fields.c \
	common/render/records/records.h \
	common/render/records/row-fields.c
libitp_render_records_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
