# SPDX-License-Identifier: MIT
# Rankings to look at: HTML, SVG, DOT. Not part of libitp-render: whoever writes text only does
# not carry the page and D3 around.

noinst_LTLIBRARIES += libitp-report.la
libitp_report_la_SOURCES = \
	common/render/report/data.c \
	common/render/report/graph.c \
	common/render/report/heat-map.c \
	common/render/report/page.c \
	common/render/report/parts.h \
	common/render/report/report.c \
	common/render/report/report.h \
	common/render/report/tree-data.c \
	common/render/report/tree-data.h
nodist_libitp_report_la_SOURCES = \
	common/render/report/page-files.c \
	common/render/report/page-files.h
libitp_report_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(GIO_CFLAGS)
libitp_report_la_LIBADD = $(JANSSON_LIBS) $(GIO_LIBS)

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
report_resource = common/render/report/page.gresource.xml
EXTRA_DIST += $(report_resource) $(report_page_files)

report_compile = $(AM_V_GEN)$(MKDIR_P) common/render/report && \
	$(GLIB_COMPILE_RESOURCES) --target=$@ --c-name=itp_report --internal \
		--sourcedir=$(srcdir)/common/render/report --sourcedir=$(D3_DIR) \
		$(srcdir)/$(report_resource)

common/render/report/page-files.c: $(report_resource) $(report_page_files) $(D3_FILE)
	$(report_compile) --generate-source
common/render/report/page-files.h: $(report_resource)
	$(report_compile) --generate-header
BUILT_SOURCES += common/render/report/page-files.h
# Also for whoever makes one target alone.
$(libitp_report_la_OBJECTS): common/render/report/page-files.h
CLEANFILES += common/render/report/page-files.c common/render/report/page-files.h
