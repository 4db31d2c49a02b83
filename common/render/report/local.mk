# SPDX-License-Identifier: MIT
#
# Rankings to look at: HTML, SVG, DOT. The files of the page are embedded by common/render/html.

noinst_LTLIBRARIES += libitp-report.la
libitp_report_la_SOURCES = \
	common/render/report/data.c \
	common/render/report/graph.c \
	common/render/report/heat-map.c \
	common/render/report/lives-data.c \
	common/render/report/packed.c \
	common/render/report/packed.h \
	common/render/report/parts.c \
	common/render/report/parts.h \
	common/render/report/report.c \
	common/render/report/report.h \
	common/render/report/stats-data.c \
	common/render/report/tree-data.c \
	common/render/report/tree-data.h \
	common/render/report/units-data.c
libitp_report_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS)
libitp_report_la_LIBADD = $(JANSSON_LIBS) $(ZLIB_LIBS)
