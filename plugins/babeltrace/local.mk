# SPDX-License-Identifier: MIT
#
# The Babeltrace plugin: all of it linked into one module. Only the symbols that Babeltrace looks for
# leave it.

# Libraries of a module for either host.
everything = \
	libitp-filter-infer.la \
	libitp-filter-wait.la \
	libitp-filter-unit.la \
	libitp-filter-normalize.la \
	libitp-filter-symbolize.la \
	libitp-sink-rank.la \
	libitp-sink-profiles.la \
	libitp-source-perf.la \
	libitp-messages.la \
	libitp-engine.la \
	libitp-report.la \
	libitp-html.la \
	libitp-terminal.la \
	libitp-render-formats.la \
	libitp-render-records.la \
	libitp-render-text.la \
	libitp-render.la \
	libitp-perf-data.la \
	libitp-stacks.la \
	libitp-completion.la \
	libitp-control-flow.la \
	$(symbol_libraries) \
	libitp-through.la \
	libitp-profile-file.la \
	libitp-schema.la \
	libitp-compare.la \
	libitp-view.la \
	libitp-rank.la \
	libitp-unit.la \
	libitp-infer.la libitp-known.la libitp-base.la \
	$(BABELTRACE_LIBS) $(GLIB_LIBS)

plugin_LTLIBRARIES += babeltrace-plugin-introperf.la

babeltrace_plugin_introperf_la_SOURCES = plugins/babeltrace/plugin.c
babeltrace_plugin_introperf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
babeltrace_plugin_introperf_la_LDFLAGS = \
	-module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^__bt_get_'
babeltrace_plugin_introperf_la_LIBADD = \
	libitp-sink-export.la libitp-export-job.la libitp-export.la \
	libitp-sink-report.la \
	libitp-sink-mine.la libitp-mining-job.la libitp-render-mining.la libitp-mine.la \
	$(everything) $(JANSSON_LIBS)

# Graphs in other hosts; those for exports and for mining only where these are asked for.

noinst_LTLIBRARIES += libitp-graphs.la
libitp_graphs_la_SOURCES = \
	plugins/babeltrace/graphs/chain.c \
	plugins/babeltrace/graphs/chain.h \
	plugins/babeltrace/graphs/classes.c \
	plugins/babeltrace/graphs/graph.c \
	plugins/babeltrace/graphs/graph.h \
	plugins/babeltrace/graphs/graphs.c \
	plugins/babeltrace/graphs/graphs.h \
	plugins/babeltrace/graphs/trace-look.c \
	plugins/babeltrace/graphs/trace-look.h \
	plugins/babeltrace/graphs/traces.c \
	plugins/babeltrace/graphs/traces.h \
	plugins/babeltrace/graphs/trial.c \
	plugins/babeltrace/graphs/trial.h
libitp_graphs_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)

noinst_LTLIBRARIES += libitp-exporting.la
libitp_exporting_la_SOURCES = \
	plugins/babeltrace/graphs/exporting.c \
	plugins/babeltrace/graphs/exporting.h \
	plugins/babeltrace/graphs/mined-traces.c \
	plugins/babeltrace/graphs/mined-traces.h
libitp_exporting_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
