/* SPDX-License-Identifier: MIT */
/*
 * From an address to its module and function, in a process image or in the kernel.
 *
 *   symbolizer.c       look-ups, through two caches
 *   address-space.c    mappings of a process image
 *   module.c           a mapped file and its functions
 *     symbol-files.c     the file of a module, and the separate file with its names
 *     mapped-file.c      the file that a process of this machine has mapped
 *     elf-symbols.c      functions of an ELF file; go-symbols.c: of a stripped Go program
 *     inlines.c          functions compiled into their callers, by debug data: debug-data.c
 *     symbol-table.c     symbols sorted by address, and readable names
 *     jit-map.c          functions made by a process, from its map for perf
 *     jit-dump.c         functions made by a process, from its dump for perf inject
 *   kernel.c           the recorded kernel, and functions of its system calls
 *     kernel-image.c     its symbols by kallsyms, and the file with its code
 *     kernel-programs.c  code that comes and goes in it, such as BPF programs
 */
