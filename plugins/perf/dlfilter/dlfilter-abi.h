/* SPDX-License-Identifier: MIT */
/*
 * Interface between perf and a dlfilter, as perf-dlfilter(1) documents it since perf 5.14.
 *
 * Declared here, because not every distribution has perf's header where programs are built. All
 * structures of perf tell their size, and later versions only append: a member may be used when it
 * lies inside of that size.
 */
#ifndef ITP_PERF_DLFILTER_DLFILTER_ABI_H
#define ITP_PERF_DLFILTER_DLFILTER_ABI_H

#include <stdint.h>

struct perf_event_attr;

struct perf_dlfilter_sample {
	uint32_t size;
	uint16_t ins_lat;
	uint16_t p_stage_cyc;
	uint64_t ip;
	int32_t pid;
	int32_t tid;
	uint64_t time;
	uint64_t addr;
	uint64_t id;
	uint64_t stream_id;
	uint64_t period;
	uint64_t weight;
	uint64_t transaction;
	uint64_t insn_cnt;
	uint64_t cyc_cnt;
	int32_t cpu;
	uint32_t flags;
	uint64_t data_src;
	uint64_t phys_addr;
	uint64_t data_page_size;
	uint64_t code_page_size;
	uint64_t cgroup;
	uint8_t cpumode;
	uint8_t addr_correlates_sym;
	uint16_t misc;
	uint32_t raw_size;
	const void *raw_data;
	uint64_t brstack_nr;
	const void *brstack;
	uint64_t raw_callchain_nr;
	/* Leaf first, with markers. */
	const uint64_t *raw_callchain;
	/* Name of the event. Further members follow since perf 6.0. */
	const char *event;
};

/* perf's knowledge of an address. Without the members that came after 5.14: perf then keeps no
 * reference for us. */
struct perf_dlfilter_al {
	uint32_t size;
	/* From the beginning of the symbol. */
	uint32_t symoff;
	const char *sym;
	/* In the file of the mapping. */
	uint64_t addr;
	uint64_t sym_start;
	uint64_t sym_end;
	const char *dso;
	uint8_t sym_binding;
	uint8_t is_64_bit;
	uint8_t is_kernel_ip;
	uint32_t buildid_size;
	uint8_t *buildid;
	/* The rest is set by resolve_ip() only. */
	uint8_t filtered;
	const char *comm;
};

/* Functions of perf. */
struct perf_dlfilter_fns {
	const struct perf_dlfilter_al *(*resolve_ip)(void *context);
	const struct perf_dlfilter_al *(*resolve_addr)(void *context);
	char **(*args)(void *context, int *count);
	/* 0 when something is known; `al->size` must be set. */
	int32_t (*resolve_address)(void *context, uint64_t address, struct perf_dlfilter_al *al);
	const uint8_t *(*insn)(void *context, uint32_t *length);
	const char *(*srcline)(void *context, uint32_t *line);
	struct perf_event_attr *(*attr)(void *context);
	int32_t (*object_code)(void *context, uint64_t ip, void *buffer, uint32_t length);
	void *(*reserved[120])(void *);
};

/* Symbols that perf looks for. It fills in the first when it loads the filter. */
extern struct perf_dlfilter_fns perf_dlfilter_fns;
int start(void **data, void *context);
int stop(void *data, void *context);
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *context);
const char *filter_description(const char **long_description);

#endif
