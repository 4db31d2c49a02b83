# SPDX-License-Identifier: MIT
#
# Pages for a browser, and all files that they are made of. Not part of libitp-render: whoever writes
# text only does not carry the pages and D3 around.

noinst_LTLIBRARIES += libitp-html.la
libitp_html_la_SOURCES = \
	common/render/html/embedded.S \
	common/render/html/embedded.h \
	common/render/html/html.c \
	common/render/html/html.h
libitp_html_la_CCASFLAGS = -I$(srcdir)/common/render/html -I$(srcdir)/common/render/report \
	-I$(srcdir)/common/render/mining -I$(D3_DIR)

html_page_files = \
	common/render/html/page.css \
	common/render/html/format.js \
	common/render/mining/mining.html \
	common/render/mining/mining.css \
	common/render/mining/mining.js \
	common/render/report/page.html \
	common/render/report/packed.js \
	common/render/report/stats.js \
	common/render/report/nodes.js \
	common/render/report/data.js \
	common/render/report/paths.js \
	common/render/report/state.js \
	common/render/report/draw.js \
	common/render/report/heat-map.js \
	common/render/report/kinds.js \
	common/render/report/bars.js \
	common/render/report/arrows.js \
	common/render/report/outline.js \
	common/render/report/tree.js \
	common/render/report/flame.js \
	common/render/report/lives.js \
	common/render/report/requests.js \
	common/render/report/timeline.js \
	common/render/report/source.js \
	common/render/report/details.js \
	common/render/report/search.js \
	common/render/report/words.js \
	common/render/report/main.js
EXTRA_DIST += $(html_page_files)
# In a variable, or automake would take this for the whole rule.
html_embedded = common/render/html/libitp_html_la-embedded.lo
$(html_embedded): $(html_page_files) $(D3_FILE)
