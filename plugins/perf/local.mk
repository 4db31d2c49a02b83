# SPDX-License-Identifier: MIT
#
# perf-introperf, which `perf introperf` runs when it is in PATH.

bin_PROGRAMS += perf-introperf
perf_introperf_SOURCES = \
	plugins/perf/command/budget.c \
	plugins/perf/command/budget.h \
	plugins/perf/command/calibration.c \
	plugins/perf/command/calibration.h \
	plugins/perf/command/graph.c \
	plugins/perf/command/graph.h \
	plugins/perf/command/graph-error.c \
	plugins/perf/command/graph-error.h \
	plugins/perf/command/held.c \
	plugins/perf/command/held.h \
	plugins/perf/command/inputs.c \
	plugins/perf/command/inputs.h \
	plugins/perf/command/introperf.h \
	plugins/perf/command/main.c \
	plugins/perf/command/options.c \
	plugins/perf/command/options.h \
	plugins/perf/command/overhead.c \
	plugins/perf/command/overhead.h \
	plugins/perf/command/perf-run.c \
	plugins/perf/command/perf-run.h \
	plugins/perf/command/plugins.c \
	plugins/perf/command/plugins.h \
	plugins/perf/command/quality.c \
	plugins/perf/command/quality.h \
	plugins/perf/command/rank.c \
	plugins/perf/command/rates.c \
	plugins/perf/command/rates.h \
	plugins/perf/command/recipe.c \
	plugins/perf/command/recipe.h \
	plugins/perf/command/record.c \
	plugins/perf/command/target.c \
	plugins/perf/command/target.h
perf_introperf_CPPFLAGS = $(AM_CPPFLAGS) -DITP_PLUGIN_DIR='"$(plugindir)"'
perf_introperf_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(ELFUTILS_CFLAGS)
perf_introperf_LDADD = \
	libitp-terminal.la \
	libitp-render.la \
	libitp-perf-data.la \
	libitp-symbol.la \
	libitp-infer.la \
	$(BABELTRACE_LIBS) $(GLIB_LIBS)

completiondir = $(datadir)/bash-completion/completions
dist_completion_DATA = plugins/perf/command/perf-introperf.bash
# What runs inside perf: a dlfilter. Only the symbols that perf looks for leave it.

dlfilter_LTLIBRARIES = introperf.la

introperf_la_SOURCES = \
	plugins/perf/dlfilter/analysis.c \
	plugins/perf/dlfilter/analysis.h \
	plugins/perf/dlfilter/code-pages.c \
	plugins/perf/dlfilter/code-pages.h \
	plugins/perf/dlfilter/dlargs.c \
	plugins/perf/dlfilter/dlargs.h \
	plugins/perf/dlfilter/dlfilter-abi.h \
	plugins/perf/dlfilter/dlfilter.c \
	plugins/perf/dlfilter/profile-filter.c \
	plugins/perf/dlfilter/profile-filter.h \
	plugins/perf/dlfilter/report.c \
	plugins/perf/dlfilter/report.h
introperf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
introperf_la_LDFLAGS = \
	-module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^(start|stop|filter_event|filter_description|perf_dlfilter_fns)$$'
introperf_la_LIBADD = $(everything)
