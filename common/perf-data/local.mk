# SPDX-License-Identifier: MIT

noinst_LTLIBRARIES += libitp-perf-data.la
libitp_perf_data_la_SOURCES = \
	common/perf-data/attributes.c \
	common/perf-data/directory.c \
	common/perf-data/directory.h \
	common/perf-data/chains.c \
	common/perf-data/deferred.c \
	common/perf-data/deferred.h \
	common/perf-data/events.c \
	common/perf-data/feature.c \
	common/perf-data/feature.h \
	common/perf-data/opening.c \
	common/perf-data/file.h \
	common/perf-data/growing.c \
	common/perf-data/growing.h \
	common/perf-data/mapping.c \
	common/perf-data/mapping.h \
	common/perf-data/memory.c \
	common/perf-data/merge.c \
	common/perf-data/merge.h \
	common/perf-data/order.c \
	common/perf-data/order.h \
	common/perf-data/perf-data.h \
	common/perf-data/pipe-layout.c \
	common/perf-data/pipe-layout.h \
	common/perf-data/reader.c \
	common/perf-data/reader.h \
	common/perf-data/reader-values.h \
	common/perf-data/record-bounds.c \
	common/perf-data/record-types.h \
	common/perf-data/records.c \
	common/perf-data/records.h \
	common/perf-data/rounds.c \
	common/perf-data/rounds.h \
	common/perf-data/sample.c \
	common/perf-data/sample.h \
	common/perf-data/speeds.c \
	common/perf-data/speeds.h \
	common/perf-data/tracepoint.c \
	common/perf-data/tracepoint.h \
	common/perf-data/translate.c \
	common/perf-data/translator.h \
	common/perf-data/translator.c
libitp_perf_data_la_CFLAGS = $(AM_CFLAGS) $(TRACEEVENT_CFLAGS) $(ZSTD_CFLAGS)
libitp_perf_data_la_LIBADD = $(TRACEEVENT_LIBS) $(ZSTD_LIBS) $(GLIB_LIBS)
