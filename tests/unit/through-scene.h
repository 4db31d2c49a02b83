/* SPDX-License-Identifier: MIT */
/*
 * A scene of threads and processes, for the tests of common/through. It is written line by line, a
 * deed of a thread in each:
 *
 *   "10 read 3 100 = 40"   thread 10 has made the system call, with two words, and its result
 *   "10 read 3 100 ..."    it has begun it;  "10 = 40": it has ended it
 *   "10 wakes 20"          it wakes thread 20
 *   "10 sleeps"            it leaves the CPU, in the system call that it has begun
 *   "10 makes 30"          it makes process 30
 *   "10 ends"              it has ended
 *   "lost"                 events are missing
 *
 * Threads 10 to 19 are of process 10, and so on, which are called "p10" and so on. Each line is a
 * microsecond behind the one before.
 */
#ifndef ITP_TESTS_UNIT_THROUGH_SCENE_H
#define ITP_TESTS_UNIT_THROUGH_SCENE_H

#include "common/through/through.h"

/* Time from a line to the next, in nanoseconds. */
#define STEP_NS 1000

struct through_scene {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_history *history;
	struct itp_through *through;
	struct itp_recall recall;
	int64_t time_ns;
};

void through_scene_init(struct through_scene *scene);
void through_scene_release(struct through_scene *scene);
void through_scene_play(struct through_scene *scene, const char *const *lines);

/* "p10.10 p20.20<0 p30.30<1; p10.11 open": processes, threads and parents, requests apart. To be
 * freed. */
char *through_scene_told(const struct itp_through *through);

/* Plays a scene of its own, and compares its requests. */
void through_scene_assert(const char *const *lines, const char *expected);

#define ASSERT_TOLD(expected, ...) \
	through_scene_assert((const char *const[]){ __VA_ARGS__, NULL }, expected)

#endif
