/* SPDX-License-Identifier: MIT */
/*
 * Open frames that are the same function instances in a thread's next stack (paper, Algorithm 2;
 * design, rules 1, 2, 3 and 5), the certain part of them, and calls that show in any case. The
 * calls of all other open frames have ended: when, and what that means, is left to continuity.h.
 * thread.c brings both together for each stack.
 */
#ifndef ITP_INFER_MATCH_H
#define ITP_INFER_MATCH_H

#include "common/infer/continuity.h"

/* Code behind the open frame at `depth`: an inlined function's is in the function around it. The
 * result has this function, and the place in it. */
struct itp_frame itp_open_stack_code(const struct itp_open_stack *stack, uint32_t depth);

/* Depth of the frame with the code of that at `depth` of `frames`, struct itp_frame. */
static inline uint32_t itp_frames_around_inlined(const GArray *frames, uint32_t depth)
{
	while (depth > 0 &&
	       itp_frame_calls_inlined(&g_array_index(frames, struct itp_frame, depth - 1))) {
		depth--;
	}
	return depth;
}

/* Number of frames at the root that continue in `frames` (struct itp_frame, [0] the process
 * root): rule 1, and rule 2 unless the rules are the paper's. */
uint32_t itp_open_stack_prefix(const struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, const GArray *frames);

/* Rule 3: how many of the first `keep` frames go on, given what their code can do. A frame that
 * cannot have stayed on the stack is new, and then its caller has called again, unless something
 * between the two is not shown. Frames before `floor` are not asked about. */
uint32_t itp_open_stack_stayed(const struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, const GArray *frames,
			       uint32_t keep, uint32_t floor);

/* Number of the first `keep` frames that are the same calls for certain: nobody between them and
 * the root can have come back to the call in which it waits, or not without an event. Frames up to
 * `floor` (at least 1) are. */
uint32_t itp_open_stack_sure(const struct itp_open_stack *stack,
			     const struct itp_continuity_rules *rules, const GArray *frames,
			     uint32_t keep, uint32_t floor);

/* Rule 5: fit of a stack with missing frames at its root onto the open frames. Returns the depth
 * (at least 1) at which `frames`[1] belongs so that most frames continue, 0 for none. */
uint32_t itp_open_stack_fit(const struct itp_open_stack *stack,
			    const struct itp_continuity_rules *rules, const GArray *frames);

/* The frame at `leaf` has just made a system call: finds the functions up to it that cannot be
 * called without one. */
void itp_open_stack_show_calls(struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, uint32_t leaf);

#endif
