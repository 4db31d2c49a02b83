# SPDX-License-Identifier: MIT
#
# The core for programs that have stacks of their own: a shared library in C. Only what its map
# names leaves it. Of common/engine it has the analysis alone, and so needs GLib alone.

include_HEADERS += library/introperf.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = library/introperf.pc

lib_LTLIBRARIES += libintroperf.la
libintroperf_la_SOURCES = \
	common/engine/analysis.c \
	common/engine/analysis.h \
	library/functions.c \
	library/begin.c \
	library/introperf.h \
	library/library.h \
	library/ranking.c \
	library/run.c
# Revision, age and number of the interface: see libtool's "Updating version info".
libintroperf_la_LDFLAGS = -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(srcdir)/library/introperf.map
libintroperf_la_DEPENDENCIES = \
	libitp-rank.la libitp-through.la libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la library/introperf.map
libintroperf_la_LIBADD = libitp-rank.la libitp-through.la libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS) -lm
EXTRA_DIST += library/introperf.map
