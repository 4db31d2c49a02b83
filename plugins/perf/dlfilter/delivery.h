/* SPDX-License-Identifier: MIT */
/*
 * Samples from perf, one by one, up to the ranking: shared by a dlfilter and a script. Samples
 * become stack events as records do in source.introperf.perf.
 *
 * Neither is told of mappings, of forks, of program starts and of the ends of threads. Program
 * starts and ends are seen in the samples of their system call and their last switch, and where
 * code lies is asked for. Whatever perf calls, or is called by, is left to the hosts.
 */
#ifndef ITP_PERF_DLFILTER_DELIVERY_H
#define ITP_PERF_DLFILTER_DELIVERY_H

#include "common/engine/conclude.h"
#include "common/perf-data/translator.h"
#include "plugins/perf/dlfilter/code-pages.h"
#include "plugins/perf/dlfilter/dlargs.h"
#include "plugins/perf/dlfilter/early-events.h"

/* Host of a delivery. */
struct itp_delivery_host {
	/* Callback of code-pages.h. */
	itp_code_ask ask;
	/* Tells the user. */
	void (*say)(const char *text);
	/* How its users ask for the first path from nearby. Weak. */
	const char *next;
};

struct itp_delivery {
	/* Weak. */
	const struct itp_delivery_host *host;
	struct itp_dlargs dlargs;
	/* All owned by this. */
	struct itp_result *result;
	/* Recordings named by `base`. */
	struct itp_recordings *recordings;
	struct itp_function_table *functions;
	struct itp_analysis *analysis;
	/* Events from before the first switch. */
	struct itp_early_events early;
	/* From samples to events. For whoever knows more about threads and their memory. */
	struct itp_translator translator;
	/* Only its attributes. */
	struct itp_perf_file file;
	struct itp_code_pages *pages;
	/* Interrupt, while watching. */
	struct itp_interrupt interrupt;
	bool is_watching;
	/* Time of the last sample, and how many were older than the one before them. */
	uint64_t last_time;
	uint64_t late_samples;
	bool has_chains;
};

/* `texts` are the arguments, and all that can be wrong with them is found here. `host` must outlive
 * the delivery. */
bool itp_delivery_init(struct itp_delivery *delivery, const struct itp_delivery_host *host,
		       char *const *texts, int count, GError **error);
/* Releases a delivery, also one that failed, or is zeroed. */
void itp_delivery_release(struct itp_delivery *delivery);

/* From the first sample on, Ctrl-C is noted: perf sets a handler of its own after the start. */
void itp_delivery_watch(struct itp_delivery *delivery);

/* Adds an event, perf's `name`, behind the others; `attr` is its struct perf_event_attr. Returns
 * its index, or a negative itp_error. */
int itp_delivery_add_event(struct itp_delivery *delivery, const struct itp_bytes *attr,
			   const char *name);

/* perf's knowledge of the kernel: its build id ("" without), and that its function `symbol`, which
 * may be NULL, begins at `start`. To be told before the first sample of it. Returns 0, or the flaw
 * of the image named by the parameters. */
int itp_delivery_set_kernel(struct itp_delivery *delivery, const char *build_id, const char *symbol,
			    uint64_t start);

/* Thread of a sample, under perf's name for it, which may be NULL. NULL for the idle ones. */
struct itp_task *itp_delivery_task(struct itp_delivery *delivery, int32_t pid, int32_t tid,
				   const char *comm);

/* Time of a sample. perf sorts samples as far as it can; a late one counts as of its predecessor's
 * time. */
uint64_t itp_delivery_time(struct itp_delivery *delivery, uint64_t time_ns);

/* To be called before the code of the sample's stack is looked for: the program may be another.
 * `task` is NULL for the idle threads. Returns 0 or a negative itp_error. */
int itp_delivery_begin(struct itp_delivery *delivery, const struct itp_perf_sample *sample,
		       struct itp_task *task);
/* Handles the sample, behind the calls above. */
int itp_delivery_push(struct itp_delivery *delivery, uint16_t misc,
		      const struct itp_perf_sample *sample, struct itp_task *task);

/* System call whose begin or end the sample is; NULL when it cannot be told. Weak. */
const char *itp_delivery_syscall(const struct itp_delivery *delivery,
				 const struct itp_perf_sample *sample);

/* A thread leaves a CPU, or is on one again. Returns 0 or a negative itp_error. */
int itp_delivery_switch(struct itp_delivery *delivery, const struct itp_perf_stamp *stamp,
			bool is_out, bool is_preempted);

/* Ends the input and writes the result. `is_cut`: not all was read. */
enum itp_outcome itp_delivery_conclude(struct itp_delivery *delivery, bool is_cut, GError **error);

#endif
