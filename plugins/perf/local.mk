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
