# SPDX-License-Identifier: MIT
# Files for other programs.

noinst_LTLIBRARIES += libitp-export.la
libitp_export_la_SOURCES = \
	common/render/export/callgrind.c \
	common/render/export/chrome.c \
	common/render/export/export.c \
	common/render/export/export.h \
	common/render/export/firefox.c \
	common/render/export/firefox-samples.h \
	common/render/export/firefox-samples.c \
	common/render/export/input.h \
	common/render/export/flame.c \
	common/render/export/folded.c \
	common/render/export/json-names.c \
	common/render/export/json-names.h \
	common/render/export/pprof.c \
	common/render/export/speedscope.c \
	common/render/export/timeline.c \
	common/render/export/timeline.h \
	common/render/export/writers.h
libitp_export_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(PROTOBUF_C_CFLAGS) $(ZLIB_CFLAGS)
libitp_export_la_LIBADD = libitp-pprof.la $(PROTOBUF_C_LIBS) $(ZLIB_LIBS)

# Files made by protoc-c need not pass our warnings.
noinst_LTLIBRARIES += libitp-pprof.la
nodist_libitp_pprof_la_SOURCES = \
	common/render/export/profile.pb-c.c \
	common/render/export/profile.pb-c.h
libitp_pprof_la_SOURCES =
libitp_pprof_la_CFLAGS = -std=gnu11 $(SANITIZER_CFLAGS) $(PROTOBUF_C_CFLAGS)

EXTRA_DIST += common/render/export/profile.proto
BUILT_SOURCES += common/render/export/profile.pb-c.c common/render/export/profile.pb-c.h
CLEANFILES += common/render/export/profile.pb-c.c common/render/export/profile.pb-c.h
common/render/export/profile.pb-c.c: common/render/export/profile.proto
	$(AM_V_GEN)$(MKDIR_P) common/render/export && \
		$(PROTOC_C) --proto_path=$(top_srcdir) --c_out=. common/render/export/profile.proto
common/render/export/profile.pb-c.h: common/render/export/profile.pb-c.c
