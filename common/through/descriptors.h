/* SPDX-License-Identifier: MIT */
/*
 * Sides of connections behind the descriptors of a process.
 *
 * A side is an open file of the kernel: a socket, an end of a pipe, a file. Several descriptors may
 * stand for a side: duplicates, and those of processes made by fork(). A side older than the
 * recording, or made without telling its descriptor, as by pipe(), is known from its first use on.
 * A process that has made such sides is known to own them itself, without its ancestors.
 */
#ifndef ITP_THROUGH_DESCRIPTORS_H
#define ITP_THROUGH_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

/* No side, or an unknown one. */
#define ITP_SIDE_NONE UINT32_MAX

/* Most sides told apart; later ones are none. */
#define ITP_SIDES_MOST (1u << 22)

struct itp_descriptors;

struct itp_descriptors *itp_descriptors_new(void);
void itp_descriptors_free(struct itp_descriptors *descriptors);

/* Side of `descriptor` in process `pid`: a new one at first use. ITP_SIDE_NONE when it is no
 * descriptor, or there are too many sides. */
uint32_t itp_descriptors_get(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor);

/* New side, for which the descriptor stands from now on. */
uint32_t itp_descriptors_open(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor);

/* The process has made two sides with unknown descriptors. */
void itp_descriptors_make_two(struct itp_descriptors *descriptors, int32_t pid);

/* From now on `other` stands for `descriptor`'s side. */
void itp_descriptors_duplicate(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor,
			       int64_t other);

/* Closes a descriptor; returns its side if no other descriptor is left, or ITP_SIDE_NONE. */
uint32_t itp_descriptors_close(struct itp_descriptors *descriptors, int32_t pid,
			       int64_t descriptor);

/* `pid` has been made by `parent`, and has its descriptors. */
void itp_descriptors_fork(struct itp_descriptors *descriptors, int32_t parent, int32_t pid);

/* Descriptors of `pid` from one to another, both included. struct GArray of int64_t, in order; free
 * with g_array_unref(). */
struct _GArray *itp_descriptors_between(const struct itp_descriptors *descriptors, int32_t pid,
					int64_t first, int64_t last);

#endif
