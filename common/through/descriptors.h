/* SPDX-License-Identifier: MIT */
/*
 * Which side of a connection a descriptor of a process stands for.
 *
 * A side is what the kernel calls an open file: a socket, an end of a pipe, a file. Several
 * descriptors may stand for one side: those that were duplicated, and those of processes that were
 * made by fork(). A side that was there before the recording, or whose making does not tell its
 * descriptor, as pipe() does not, is known from its first use on. That it was made by the process
 * itself, and is none that an ancestor has, too, is known where that has made some.
 */
#ifndef ITP_THROUGH_DESCRIPTORS_H
#define ITP_THROUGH_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

/* No side, or none that is known. */
#define ITP_SIDE_NONE UINT32_MAX

/* So many sides are told apart; what is opened behind them is none. */
#define ITP_SIDES_MOST (1u << 22)

struct itp_descriptors;

struct itp_descriptors *itp_descriptors_new(void);
void itp_descriptors_free(struct itp_descriptors *descriptors);

/* How many sides there are, which have numbers below that. */
uint32_t itp_descriptors_sides(const struct itp_descriptors *descriptors);

/* The side of `descriptor` in process `pid`: a new one when it was not used before. ITP_SIDE_NONE
 * when it is no descriptor, or there are too many sides. */
uint32_t itp_descriptors_get(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor);

/* A new side, which the descriptor stands for from now on. */
uint32_t itp_descriptors_open(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor);

/* The process has made two sides, of which it is not known which descriptors stand for them. */
void itp_descriptors_make_two(struct itp_descriptors *descriptors, int32_t pid);

/* From now on `other` stands for the same as `descriptor` does. */
void itp_descriptors_duplicate(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor,
			       int64_t other);

/* The side for which no descriptor is left by that, or ITP_SIDE_NONE. */
uint32_t itp_descriptors_close(struct itp_descriptors *descriptors, int32_t pid,
			       int64_t descriptor);

/* `pid` has been made by `parent`, and has its descriptors. */
void itp_descriptors_fork(struct itp_descriptors *descriptors, int32_t parent, int32_t pid);

/* Those of `pid` that lie between the two, which are included. struct GArray of int64_t, in order;
 * free with g_array_unref(). */
struct _GArray *itp_descriptors_between(const struct itp_descriptors *descriptors, int32_t pid,
					int64_t first, int64_t last);

#endif
