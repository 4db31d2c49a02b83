/* SPDX-License-Identifier: MIT */
/*
 * Build ids, which tell two builds of a program apart: lower-case hexadecimal strings; "" stands
 * for an unknown id.
 */
#ifndef ITP_ELF_BUILD_ID_H
#define ITP_ELF_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most bytes of a build id: 20 are usual (SHA-1); linkers can be told to write longer ones. */
#define ITP_BUILD_ID_MAX_BYTES 64

/* Owned by the caller (g_free). "" when `size` is 0 or more than the maximum. */
char *itp_build_id_text(const uint8_t *bytes, size_t size);

/* The build id in the ELF notes of `size` bytes at `notes`, NULL when there is none. Owned by
 * the caller. */
char *itp_build_id_from_notes(const uint8_t *notes, size_t size);

/* Build id of the running kernel, NULL when it tells none. Owned by the caller. */
char *itp_build_id_running_kernel(void);

/* True when two ids can belong to a single build: they are equal, or either is unknown. perf pads
 * short ids with zeros, so a difference of trailing zeros does not count. */
bool itp_build_id_may_equal(const char *left, const char *right);

#endif
