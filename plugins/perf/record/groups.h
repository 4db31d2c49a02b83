/* SPDX-License-Identifier: MIT */
/*
 * Control groups of recorded processes, which tell their containers: read from /proc as a recording
 * and as a program begins, since container runtimes move a process before it begins its program. A
 * process that is moved later keeps its first group.
 */
#ifndef ITP_PERF_RECORD_GROUPS_H
#define ITP_PERF_RECORD_GROUPS_H

#include <stdbool.h>

#include "plugins/perf/record/existing.h"

struct itp_recorder_groups;

struct itp_recorder_groups *itp_recorder_groups_new(void);
void itp_recorder_groups_free(struct itp_recorder_groups *groups);

/* A process is in a group from a time on, which is 0 for one from before the recording. */
struct itp_recorder_group {
	int32_t pid;
	uint64_t time_ns;
	uint64_t number;
};

/* Takes a sideband record of a recorded process. True when its process is in another group from
 * now on; a fork is in its parent's. The PERF_RECORD_CGROUP of a new group, with time 0, is handed
 * out before. */
bool itp_recorder_groups_push(struct itp_recorder_groups *groups,
			      const struct perf_event_header *record, itp_recorder_tell *tell,
			      void *data, struct itp_recorder_group *ret_group);

#endif
