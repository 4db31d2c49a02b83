# SPDX-License-Identifier: MIT
#
# From addresses to functions.

noinst_LTLIBRARIES += libitp-symbol.la

# Libraries for whoever links it.
symbol_libraries = libitp-symbol.la libitp-unwind.la libitp-elf.la

libitp_symbol_la_SOURCES = \
	common/symbol/address-space.c \
	common/symbol/address-space.h \
	common/symbol/debug-data.c \
	common/symbol/debug-data.h \
	common/symbol/elf-symbols.c \
	common/symbol/elf-symbols.h \
	common/symbol/go-symbols.c \
	common/symbol/go-symbols.h \
	common/symbol/inlines.c \
	common/symbol/inlines.h \
	common/symbol/jit-dump.c \
	common/symbol/jit-dump.h \
	common/symbol/jit-map.c \
	common/symbol/jit-map.h \
	common/symbol/kernel.c \
	common/symbol/kernel-image.c \
	common/symbol/kernel-image.h \
	common/symbol/kernel-programs.c \
	common/symbol/kernel-programs.h \
	common/symbol/kernel.h \
	common/symbol/mapped-file.c \
	common/symbol/mapped-file.h \
	common/symbol/module.c \
	common/symbol/module.h \
	common/symbol/symbol.h \
	common/symbol/symbol-files.c \
	common/symbol/symbol-files.h \
	common/symbol/symbol-table.c \
	common/symbol/symbol-table.h \
	common/symbol/symbolizer.c \
	common/symbol/symbolizer.h
libitp_symbol_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(LZMA_CFLAGS) $(SECCOMP_CFLAGS) \
	$(DEBUGINFOD_CFLAGS) $(GMODULE_CFLAGS)
libitp_symbol_la_LIBADD = $(ELFUTILS_LIBS) $(LZMA_LIBS) $(SECCOMP_LIBS) \
	$(GMODULE_LIBS) $(IBERTY_LIBS)
