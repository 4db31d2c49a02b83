/* SPDX-License-Identifier: MIT */
/*
 * Who ran on each CPU lately, so that whoever waited for one can be told who had it.
 *
 * Only what switches tell is known: of processes that are not recorded themselves, only to whom the
 * recorded threads lost their CPU, who is taken to have it until one of them is back.
 * Of each CPU the last runs are kept, so a wait may be longer than what is known of it.
 */
#ifndef ITP_INFER_CPU_RUNS_H
#define ITP_INFER_CPU_RUNS_H

#include <stdint.h>

struct itp_cpu_runs;

struct itp_cpu_runs *itp_cpu_runs_new(void);
void itp_cpu_runs_free(struct itp_cpu_runs *runs);

/* A thread of `process` (its root's function) gets the CPU; whoever had it has it no more. A `cpu`
 * that is not known, or too large, is ignored, as everywhere here. */
void itp_cpu_runs_begin(struct itp_cpu_runs *runs, int32_t cpu, uint32_t process, int64_t time_ns);
void itp_cpu_runs_end(struct itp_cpu_runs *runs, int32_t cpu, int64_t time_ns);

/* Switches may be missing from before now: nobody is known to have, or to have had, any CPU. */
void itp_cpu_runs_lose(struct itp_cpu_runs *runs);

typedef void (*itp_cpu_run_func)(uint32_t process, int64_t run_ns, void *data);

/* Tells how long who had the CPU between the two times, the last one first. */
void itp_cpu_runs_tell(const struct itp_cpu_runs *runs, int32_t cpu, int64_t begin_ns,
		       int64_t end_ns, itp_cpu_run_func tell, void *data);

#endif
