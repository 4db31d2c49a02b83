# SPDX-License-Identifier: MIT
#
# perf-introperf, which `perf introperf` runs when it is in PATH.

bin_PROGRAMS += perf-introperf
perf_introperf_SOURCES = \
	plugins/perf/graph.c \
	plugins/perf/graph.h \
	plugins/perf/graph-error.c \
	plugins/perf/graph-error.h \
	plugins/perf/inputs.c \
	plugins/perf/inputs.h \
	plugins/perf/introperf.h \
	plugins/perf/main.c \
	plugins/perf/options.c \
	plugins/perf/options.h \
	plugins/perf/perf-run.c \
	plugins/perf/perf-run.h \
	plugins/perf/plugins.c \
	plugins/perf/plugins.h \
	plugins/perf/quality.c \
	plugins/perf/quality.h \
	plugins/perf/rank.c \
	plugins/perf/recipe.c \
	plugins/perf/recipe.h \
	plugins/perf/record.c \
	plugins/perf/target.c \
	plugins/perf/target.h
perf_introperf_CPPFLAGS = $(AM_CPPFLAGS) -DITP_PLUGIN_DIR='"$(plugindir)"'
perf_introperf_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(ELFUTILS_CFLAGS)
perf_introperf_LDADD = \
	libitp-render.la \
	libitp-perf-data.la \
	libitp-symbol.la \
	libitp-infer.la \
	$(BABELTRACE_LIBS) $(GLIB_LIBS)

completiondir = $(datadir)/bash-completion/completions
dist_completion_DATA = plugins/perf/perf-introperf.bash
# What runs inside perf: a dlfilter. Only the symbols that perf looks for leave it.

dlfilter_LTLIBRARIES = introperf.la

introperf_la_SOURCES = \
	plugins/perf/analysis.c \
	plugins/perf/analysis.h \
	plugins/perf/code-pages.c \
	plugins/perf/code-pages.h \
	plugins/perf/dlargs.c \
	plugins/perf/dlargs.h \
	plugins/perf/dlfilter-abi.h \
	plugins/perf/dlfilter.c \
	plugins/perf/profile-filter.c \
	plugins/perf/profile-filter.h \
	plugins/perf/report.c \
	plugins/perf/report.h
introperf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
introperf_la_LDFLAGS = \
	-module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^(start|stop|filter_event|filter_description|perf_dlfilter_fns)$$'
introperf_la_LIBADD = $(everything)
