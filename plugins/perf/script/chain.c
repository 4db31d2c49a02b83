/* SPDX-License-Identifier: MIT */
/*
 * See chain.h.
 */
#include "plugins/perf/script/chain.h"

#include <linux/perf_event.h>
#include <string.h>

#define PAGE_MASK UINT64_C(4095)

/* Addresses from here on are the kernel's, but for a page. */
#define KERNEL_BEGIN (UINT64_C(1) << 63)
#define VSYSCALL_PAGE UINT64_C(0xffffffffff600000)

void itp_script_chain_init(struct itp_script_chain *chain)
{
	chain->entries = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	chain->frames = g_array_new(FALSE, FALSE, sizeof(size_t));
}

void itp_script_chain_release(struct itp_script_chain *chain)
{
	g_array_unref(chain->entries);
	g_array_unref(chain->frames);
}

bool itp_script_is_kernel(uint64_t ip)
{
	return ip >= KERNEL_BEGIN && (ip & ~PAGE_MASK) != VSYSCALL_PAGE;
}

struct itp_script_frame itp_script_frame(const struct itp_script_sample *sample, size_t i)
{
	struct itp_script_frame frame = { .path = NULL };

	sample->describe(sample->data, i, &frame);
	return frame;
}

/* True when entry `i` is a function inlined into the one that perf shows next: both have one
 * address, but different names. With equal names, the function called itself. */
static bool is_inlined(const struct itp_script_sample *sample, size_t first, size_t i)
{
	const struct itp_script_frame frame = itp_script_frame(sample, i);

	if (!frame.symbol) {
		return false;
	}
	for (size_t k = first; k < i; k++) {
		const struct itp_script_frame before = itp_script_frame(sample, k);

		if (!before.symbol || strcmp(before.symbol, frame.symbol) == 0) {
			return false;
		}
	}
	return true;
}

/* True when entry `i` adds nothing to the one before: it is the function around an inlined one, or
 * the leaf, which perf shows twice now and then where it unwinds; no call is at a thread's own
 * position. */
static bool is_repetition(const struct itp_script_chain *chain,
			  const struct itp_script_sample *sample, size_t first, size_t i,
			  bool is_unwound)
{
	return i > 0 && sample->chain[i] == sample->chain[i - 1] &&
	       ((is_unwound && chain->frames->len == 1) || is_inlined(sample, first, i));
}

static void append_entry(struct itp_script_chain *chain, uint64_t entry)
{
	g_array_append_val(chain->entries, entry);
}

/* perf gives addresses of calls, where it unwinds, instead of return addresses. */
static void add_user(struct itp_script_chain *chain, uint64_t address, size_t frame,
		     bool is_unwound)
{
	if (chain->frames->len == 0) {
		append_entry(chain, (uint64_t)PERF_CONTEXT_USER);
	} else if (is_unwound) {
		address++;
	}
	append_entry(chain, address);
	g_array_append_val(chain->frames, frame);
}

static void add_kernel(struct itp_script_chain *chain, uint64_t address)
{
	if (chain->entries->len == 0) {
		append_entry(chain, (uint64_t)PERF_CONTEXT_KERNEL);
	}
	append_entry(chain, address);
}

void itp_script_chain_take(struct itp_script_chain *chain, const struct itp_script_sample *sample,
			   bool is_unwound)
{
	size_t first = 0;

	g_array_set_size(chain->entries, 0);
	g_array_set_size(chain->frames, 0);
	for (size_t i = 0; i < sample->chain_length; i++) {
		if (is_repetition(chain, sample, first, i, is_unwound)) {
			continue;
		}
		first = i;
		/* An address of the kernel behind the user's first is a stray number in a caller's
		 * place. */
		if (chain->frames->len == 0 && itp_script_is_kernel(sample->chain[i])) {
			add_kernel(chain, sample->chain[i]);
		} else {
			add_user(chain, sample->chain[i], i, is_unwound);
		}
	}
}

const uint64_t *itp_script_chain_user(const struct itp_script_chain *chain)
{
	const uint64_t *entries = (const uint64_t *)(const void *)chain->entries->data;

	return entries + (chain->entries->len - chain->frames->len);
}
