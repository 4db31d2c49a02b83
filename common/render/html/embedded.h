/* SPDX-License-Identifier: MIT */
/*
 * Files of the HTML pages inside the program: embedded.S puts them there, html.c finds them by
 * name. Each is FILE(SYMBOL, NAME), from itp_page_SYMBOL to itp_page_SYMBOL_end.
 */
#ifndef ITP_RENDER_HTML_EMBEDDED_H
#define ITP_RENDER_HTML_EMBEDDED_H

#define ITP_PAGE_FILES(FILE)             \
	FILE(page_html, "page.html")     \
	FILE(mining_html, "mining.html") \
	FILE(mining_css, "mining.css")   \
	FILE(mining, "mining.js")        \
	FILE(page_css, "page.css")       \
	FILE(format, "format.js")        \
	FILE(packed, "packed.js")        \
	FILE(stats, "stats.js")          \
	FILE(nodes, "nodes.js")          \
	FILE(data, "data.js")            \
	FILE(paths, "paths.js")          \
	FILE(state, "state.js")          \
	FILE(draw, "draw.js")            \
	FILE(words, "words.js")          \
	FILE(heat_map, "heat-map.js")    \
	FILE(kinds, "kinds.js")          \
	FILE(bars, "bars.js")            \
	FILE(arrows, "arrows.js")        \
	FILE(outline, "outline.js")      \
	FILE(tree, "tree.js")            \
	FILE(flame, "flame.js")          \
	FILE(lives, "lives.js")          \
	FILE(requests, "requests.js")    \
	FILE(timeline, "timeline.js")    \
	FILE(source, "source.js")        \
	FILE(details, "details.js")      \
	FILE(search, "search.js")        \
	FILE(main, "main.js")            \
	FILE(d3, "d3.min.js")

#endif
