/* SPDX-License-Identifier: MIT */
/*
 * Unevenness of the ticks of contexts within a run: a function that waits for memory takes longer
 * while others fill the caches, and what varies so within a run varies from run to run.
 *
 * Ticks of a recording are counted in blocks of as many ticks each, sixteen at most, in the order
 * in which they came. In each block a function has a part of the ticks of a caller. Where that part
 * differs from block to block by more than the number of ticks makes likely, the rest is the
 * function's unevenness. No work has to be known for it: function and caller did as much of it.
 *
 * The caller is the innermost in which others have as many ticks as the function, so that a phase
 * of the program is no unevenness of what is called in it alone. A function that calls itself is
 * one, with all that it takes below its outermost call, and each of its contexts has a part of its
 * unevenness. An example: 256 ticks in 16 blocks of 16, of which a function has 12 and 4 in turns.
 * It has 128 in all, give or take √128 = 11 by chance; its unevenness is 649, so that blocks make
 * it 25 more or less.
 *
 * Conclusions for a difference of two runs are left to common/rank.
 */
#ifndef ITP_INFER_TICK_BLOCKS_H
#define ITP_INFER_TICK_BLOCKS_H

#include "common/base/context-tree.h"

struct itp_tick_blocks;

/* `tree` is weak and must outlive the result. */
struct itp_tick_blocks *itp_tick_blocks_new(const struct itp_context_tree *tree);
void itp_tick_blocks_free(struct itp_tick_blocks *blocks);

/* The next tick found `node` innermost. */
void itp_tick_blocks_add(struct itp_tick_blocks *blocks, uint32_t node);

/* By node, of ticks since the last time: the variance, in ticks², that the number of a context's
 * ticks has beyond what their number explains, if blocks were independent of each other. 0 where
 * that is not proved, as of few ticks. Free with g_free(). */
uint64_t *itp_tick_blocks_take(struct itp_tick_blocks *blocks);

#endif
