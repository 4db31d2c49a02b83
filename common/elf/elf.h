/* SPDX-License-Identifier: MIT */
/*
 * A single ELF file as it lies on disk.
 *
 *   image.c     the file, its segments and addresses
 *   section.c   sections by name, also compressed ones, and files packed into one
 *   build-id.c  build ids, from notes and as text
 *   file-map.c  a file as memory, which may shrink while it is read
 *
 * Unwind tables are left to common/unwind, names to common/symbol.
 */
