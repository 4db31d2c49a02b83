# SPDX-License-Identifier: MIT
#
# The Babeltrace plugin: what its components share and the source, which other hosts use too, and
# all of it linked into one module. Only the symbols that Babeltrace looks for leave it.

noinst_LTLIBRARIES += libitp-babeltrace.la

libitp_babeltrace_la_SOURCES = \
	plugins/babeltrace/clock.c \
	plugins/babeltrace/clock.h \
	plugins/babeltrace/decode.c \
	plugins/babeltrace/encode.c \
	plugins/babeltrace/failure.c \
	plugins/babeltrace/failure.h \
	plugins/babeltrace/filter-router.c \
	plugins/babeltrace/filter-router.h \
	plugins/babeltrace/filter-trace.c \
	plugins/babeltrace/filter-trace.h \
	plugins/babeltrace/filter.c \
	plugins/babeltrace/filter.h \
	plugins/babeltrace/foreign-field.c \
	plugins/babeltrace/foreign-field.h \
	plugins/babeltrace/foreign-layout.c \
	plugins/babeltrace/foreign-layout.h \
	plugins/babeltrace/foreign-maps.c \
	plugins/babeltrace/foreign-maps.h \
	plugins/babeltrace/foreign-memory.c \
	plugins/babeltrace/foreign-memory.h \
	plugins/babeltrace/foreign-names.c \
	plugins/babeltrace/foreign-names.h \
	plugins/babeltrace/foreign-stack.c \
	plugins/babeltrace/foreign-stack.h \
	plugins/babeltrace/foreign.c \
	plugins/babeltrace/foreign.h \
	plugins/babeltrace/id-map.c \
	plugins/babeltrace/id-map.h \
	plugins/babeltrace/message.c \
	plugins/babeltrace/message.h \
	plugins/babeltrace/mip.c \
	plugins/babeltrace/mip.h \
	plugins/babeltrace/output.c \
	plugins/babeltrace/params.c \
	plugins/babeltrace/params.h \
	plugins/babeltrace/perf-input.c \
	plugins/babeltrace/perf-input.h \
	plugins/babeltrace/perf-inputs.c \
	plugins/babeltrace/perf-inputs.h \
	plugins/babeltrace/perf-iterator.c \
	plugins/babeltrace/perf-source.c \
	plugins/babeltrace/perf-source.h \
	plugins/babeltrace/perf-warnings.c \
	plugins/babeltrace/perf-warnings.h \
	plugins/babeltrace/period.c \
	plugins/babeltrace/period.h \
	plugins/babeltrace/profile-records.c \
	plugins/babeltrace/profile-records.h \
	plugins/babeltrace/schema.c \
	plugins/babeltrace/schema.h \
	plugins/babeltrace/symbol-params.c \
	plugins/babeltrace/symbol-params.h
libitp_babeltrace_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)

# What a module for one host or the other is linked from.
everything = \
	libitp-filter-infer.la \
	libitp-filter-normalize.la \
	libitp-filter-symbolize.la \
	libitp-sink-rank.la \
	libitp-sink-profiles.la \
	libitp-babeltrace.la \
	libitp-terminal.la \
	libitp-render.la \
	libitp-perf-data.la \
	libitp-completion.la \
	libitp-control-flow.la \
	$(symbol_libraries) \
	libitp-rank.la \
	libitp-infer.la libitp-base.la \
	$(BABELTRACE_LIBS) $(GLIB_LIBS)

plugin_LTLIBRARIES += babeltrace-plugin-introperf.la

babeltrace_plugin_introperf_la_SOURCES = plugins/babeltrace/plugin.c
babeltrace_plugin_introperf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
babeltrace_plugin_introperf_la_LDFLAGS = \
	-module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^__bt_get_'
babeltrace_plugin_introperf_la_LIBADD = \
	libitp-sink-export.la libitp-export.la \
	libitp-sink-report.la libitp-report.la \
	$(everything)
