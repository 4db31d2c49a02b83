/* SPDX-License-Identifier: MIT */
/*
 * See kernel-memory.h.
 */
#include "common/known/kernel-memory.h"

#include "common/base/patterns.h"

static const char *const reclaims[] = { "try_to_free_pages", "try_to_free_mem_cgroup_pages", NULL };

/* Shell patterns of functions that ask disks for pages of files. */
static const char *const asking[] = { "*page_cache_ra*", "page_cache_*_ra", "*readahead*",
				      "read_pages", NULL };

/* Linux 6.1 to 6.18, with ext4. */
static const char *const caches[] = { "filemap_*",     "__bread*",         "ext4_bread*",
				      "ext4_read_bh*", "__wait_on_buffer", NULL };

static const char *const fault_handlers[] = { "asm_exc_page_fault", "exc_page_fault",
					      "do_mem_abort", NULL };

bool itp_kernel_memory_is_faulted_by(const char *name)
{
	return g_strv_contains(fault_handlers, name);
}

bool itp_kernel_memory_is_fetched_by(const char *name)
{
	return itp_patterns_match(caches, name);
}

bool itp_kernel_memory_is_freed_by(const char *name)
{
	return g_strv_contains(reclaims, name);
}

bool itp_kernel_memory_is_read_by(const char *name)
{
	return itp_patterns_match(asking, name);
}
