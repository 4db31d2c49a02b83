# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += libitp-symbol.la
libitp_symbol_la_SOURCES = \
	common/symbol/address-space.c \
	common/symbol/address-space.h \
	common/symbol/build-id.c \
	common/symbol/build-id.h \
	common/symbol/bytes.h \
	common/symbol/cfi-entry.c \
	common/symbol/cfi-entry.h \
	common/symbol/cfi-expression.c \
	common/symbol/cfi-expression.h \
	common/symbol/cfi-program.c \
	common/symbol/cfi-program.h \
	common/symbol/cfi-signal.c \
	common/symbol/cfi-signal.h \
	common/symbol/cfi.c \
	common/symbol/cfi.h \
	common/symbol/debuginfod.c \
	common/symbol/debuginfod.h \
	common/symbol/demangle.c \
	common/symbol/demangle.h \
	common/symbol/elf-image.c \
	common/symbol/elf-image.h \
	common/symbol/elf-section.c \
	common/symbol/elf-section.h \
	common/symbol/elf-symbols.c \
	common/symbol/elf-symbols.h \
	common/symbol/file-copy.c \
	common/symbol/file-copy.h \
	common/symbol/frame-pointers.c \
	common/symbol/frame-pointers.h \
	common/symbol/go-stacks.c \
	common/symbol/go-stacks.h \
	common/symbol/input-file.c \
	common/symbol/input-file.h \
	common/symbol/jit-dump.c \
	common/symbol/jit-dump.h \
	common/symbol/jit-map.c \
	common/symbol/jit-map.h \
	common/symbol/kallsyms.c \
	common/symbol/kallsyms.h \
	common/symbol/kernel.c \
	common/symbol/kernel-image.c \
	common/symbol/kernel-image.h \
	common/symbol/kernel.h \
	common/symbol/module.c \
	common/symbol/module.h \
	common/symbol/registers.c \
	common/symbol/registers.h \
	common/symbol/symbol-files.c \
	common/symbol/symbol-files.h \
	common/symbol/symbol-problem.h \
	common/symbol/symbol-table.c \
	common/symbol/symbol-table.h \
	common/symbol/symbolizer.c \
	common/symbol/symbolizer.h \
	common/symbol/syscall-names.c \
	common/symbol/syscall-names.h \
	common/symbol/trusted-file.c \
	common/symbol/trusted-file.h \
	common/symbol/unwind-vdso.c \
	common/symbol/unwind.c \
	common/symbol/unwind.h
libitp_symbol_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(LZMA_CFLAGS) $(SECCOMP_CFLAGS) \
	$(DEBUGINFOD_CFLAGS) $(GMODULE_CFLAGS)
libitp_symbol_la_LIBADD = $(ELFUTILS_LIBS) $(LZMA_LIBS) $(SECCOMP_LIBS) \
	$(GMODULE_LIBS) $(IBERTY_LIBS)
