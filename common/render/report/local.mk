# SPDX-License-Identifier: MIT
# Rankings to look at: HTML, SVG, DOT. Not part of libitp-render: whoever writes text only does
# not carry the page and D3 around.

noinst_LTLIBRARIES += libitp-report.la
libitp_report_la_SOURCES = \
	common/render/report/data.c \
	common/render/report/embedded.S \
	common/render/report/embedded.h \
	common/render/report/graph.c \
	common/render/report/heat-map.c \
	common/render/report/page.c \
	common/render/report/parts.h \
	common/render/report/report.c \
	common/render/report/report.h \
	common/render/report/tree-data.c \
	common/render/report/tree-data.h
libitp_report_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libitp_report_la_CCASFLAGS = -I$(srcdir)/common/render/report -I$(D3_DIR)
libitp_report_la_LIBADD = $(JANSSON_LIBS)

report_page_files = \
	common/render/report/page.html \
	common/render/report/page.css \
	common/render/report/format.js \
	common/render/report/data.js \
	common/render/report/state.js \
	common/render/report/draw.js \
	common/render/report/heat-map.js \
	common/render/report/tree.js \
	common/render/report/flame.js \
	common/render/report/timeline.js \
	common/render/report/details.js \
	common/render/report/search.js \
	common/render/report/main.js
EXTRA_DIST += $(report_page_files)
# In a variable, or automake would take this for the whole rule.
report_embedded = common/render/report/libitp_report_la-embedded.lo
$(report_embedded): $(report_page_files) $(D3_FILE)
