# SPDX-License-Identifier: MIT
#
# One ELF file as it lies on disk, opened as a stranger's. What its parts mean is left to
# common/unwind and common/symbol.

noinst_LTLIBRARIES += libitp-elf.la

libitp_elf_la_SOURCES = \
	common/elf/build-id.c \
	common/elf/build-id.h \
	common/elf/bytes.h \
	common/elf/elf.h \
	common/elf/file-map.c \
	common/elf/file-map.h \
	common/elf/image.c \
	common/elf/image.h \
	common/elf/section.c \
	common/elf/section.h
libitp_elf_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(LZMA_CFLAGS)
libitp_elf_la_LIBADD = $(ELFUTILS_LIBS) $(LZMA_LIBS) $(GLIB_LIBS)
