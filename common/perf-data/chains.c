/* SPDX-License-Identifier: MIT */
/*
 * Chains of samples: most are the kernel's, and some are made here.
 *
 *   a probe without a stack       the function of the probe
 *   an empty chain                the instruction: `perf record --kernel-callchains` in user code
 *   calls remembered by the CPU   the user's part: `perf record --call-graph lbr`, of which the
 * kernel writes only the leaf
 */
#include "common/perf-data/translator.h"

#include <linux/perf_event.h>

static void join_entry(GArray *joined, uint64_t entry)
{
	const uint64_t stored = GUINT64_TO_LE(entry);

	g_array_append_val(joined, stored);
}

/* The recorded chain up to the leaf of its user's part. Chains without a user's part get one, for
 * the calls to come: the leaf of an empty chain is the CPU's instruction, if in user code. */
static void add_recorded(GArray *joined, const struct itp_perf_sample *sample)
{
	struct itp_bytes rest = sample->chain;
	bool is_user = false;
	uint64_t entry;

	while (itp_bytes_u64(&rest, &entry)) {
		join_entry(joined, entry);
		if (is_user) {
			return;
		}
		is_user = entry == (uint64_t)PERF_CONTEXT_USER;
	}
	if (!is_user) {
		join_entry(joined, (uint64_t)PERF_CONTEXT_USER);
	}
	if (sample->chain.size == 0 && (int64_t)sample->ip > 0) {
		join_entry(joined, sample->ip);
	}
}

/* Return addresses: a look-up in front of them finds the call. */
static void join_calls(GArray *joined, const struct itp_perf_calls *calls)
{
	struct itp_bytes rest = calls->entries;

	while (rest.size >= calls->entry_size) {
		join_entry(joined, itp_load_u64(rest.data) + 1);
		itp_bytes_take(&rest, calls->entry_size);
	}
}

static bool is_probe(const struct itp_translator *translator, const struct itp_perf_sample *sample,
		     int64_t *ret_address)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];

	return tracepoint->kind == ITP_TRACEPOINT_CALL &&
	       itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_PROBE_ADDRESS], &sample->raw,
				     ret_address);
}

struct itp_bytes itp_translator_chain(struct itp_translator *translator,
				      const struct itp_perf_sample *sample, bool *ret_may_be_whole)
{
	GArray *joined = translator->joined;
	/* The kernel was not to tell anything of user code. */
	const bool lacks_user_part = sample->is_unwound && sample->chain.size == 0;
	int64_t address;

	g_array_set_size(joined, 0);
	if (sample->calls.entries.size > 0) {
		add_recorded(joined, sample);
		join_calls(joined, &sample->calls);
	} else if (lacks_user_part && sample->ip != 0) {
		join_entry(joined, sample->ip);
	} else if (!sample->has_chain && is_probe(translator, sample, &address)) {
		join_entry(joined, (uint64_t)address);
	}
	*ret_may_be_whole = sample->has_chain && !sample->lacks_root && joined->len == 0;
	return joined->len == 0 ? sample->chain :
				  (struct itp_bytes){ .data = (const uint8_t *)joined->data,
						      .size = joined->len * sizeof(uint64_t) };
}
