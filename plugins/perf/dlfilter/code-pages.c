/* SPDX-License-Identifier: MIT */
/*
 * See code-pages.h. Mappings begin and end on pages, and an address speaks for its page.
 */
#include "plugins/perf/dlfilter/code-pages.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/elf/section.h"
#include "common/stacks/callchain.h"
#include "common/symbol/module.h"
#include "common/unwind/unwind.h"

#define PAGE_BYTES 4096u

/* Bits of the number of addresses remembered. */
#define SETTLED_BITS 13

#define VDSO "[vdso]"
/* perf's names for memory without a file: the path of its map of functions. */
#define PERF_MAP_PREFIX "/tmp/perf-"
#define PERF_MAP_SUFFIX ".map"
/* The kernel's name for it. */
#define ANONYMOUS "//anon"
/* `perf inject --jit` writes a file for each function that a compiler left in memory. */
#define JITTED "/jitted-"

/* perf's answer for a page. */
struct code_page {
	uint64_t start;
	/* Of the page in the file. */
	uint64_t offset;
	/* Weak: kept by `names`. */
	const char *path;
};

struct known_process {
	int32_t pid;
	/* Mapping whose changes are seen. */
	bool is_lasting;
	/* Epoch: no other process has the same, nor this one after a change. */
	uint64_t epoch;
	/* struct code_page by start. Owned by this. */
	GHashTable *pages;
};

/* Address that need not be asked for while its process is in this epoch. */
struct settled {
	uint64_t address;
	uint64_t epoch;
};

/* The user's part of the last chain of a thread. */
struct last_chain {
	/* uint64_t, leaf first. Owned by this. */
	GArray *addresses;
	/* Another one's addresses say nothing. Weak; NULL before the first chain. */
	struct known_process *process;
};

struct itp_code_pages {
	itp_code_ask ask;
	/* Weak. */
	struct itp_symbolizer *symbolizer;
	/* struct known_process by pid, kept to the end. Owned by this. */
	GHashTable *processes;
	/* struct last_chain by tid. Owned by this. */
	GHashTable *chains;
	/* Paths. Owned by this. */
	GHashTable *names;
	/* Frames that are on a chain again were not replaced. */
	bool trusts_chains;
	/* Changes are seen. */
	bool trusts_answers;
	/* Epoch begun last; the first is 1. */
	uint64_t epoch;
	/* Addresses by their hash: where two meet, the older one is forgotten. */
	struct settled settled[1u << SETTLED_BITS];
};

static void free_known_process(gpointer data)
{
	struct known_process *process = data;

	g_hash_table_unref(process->pages);
	g_free(process);
}

static void free_chain(gpointer data)
{
	struct last_chain *chain = data;

	g_array_unref(chain->addresses);
	g_free(chain);
}

struct itp_code_pages *itp_code_pages_new(itp_code_ask ask, struct itp_symbolizer *symbolizer)
{
	struct itp_code_pages *pages = g_new0(struct itp_code_pages, 1);

	pages->ask = ask;
	pages->symbolizer = symbolizer;
	pages->processes = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_known_process);
	pages->chains = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_chain);
	pages->names = itp_texts_new();
	return pages;
}

void itp_code_pages_free(struct itp_code_pages *pages)
{
	if (!pages) {
		return;
	}
	g_hash_table_unref(pages->processes);
	g_hash_table_unref(pages->chains);
	g_hash_table_unref(pages->names);
	g_free(pages);
}

/* Begins an epoch, in which no address is settled. */
static void begin_epoch(struct itp_code_pages *pages, struct known_process *process)
{
	process->epoch = ++pages->epoch;
}

static struct known_process *find_known_process(struct itp_code_pages *pages, int32_t pid)
{
	struct known_process *process = g_hash_table_lookup(pages->processes, GINT_TO_POINTER(pid));

	if (!process) {
		process = g_new0(struct known_process, 1);
		process->pid = pid;
		process->pages = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
		begin_epoch(pages, process);
		g_hash_table_insert(pages->processes, GINT_TO_POINTER(pid), process);
	}
	return process;
}

static struct last_chain *chain_of(struct itp_code_pages *pages, int32_t tid)
{
	struct last_chain *chain = g_hash_table_lookup(pages->chains, GINT_TO_POINTER(tid));

	if (!chain) {
		chain = g_new0(struct last_chain, 1);
		chain->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		g_hash_table_insert(pages->chains, GINT_TO_POINTER(tid), chain);
	}
	return chain;
}

static bool is_memory(const char *path)
{
	return g_str_has_prefix(path, PERF_MAP_PREFIX) && g_str_has_suffix(path, PERF_MAP_SUFFIX);
}

/* Tells the symbolizer, as a record of the mapping would have. */
static void map(struct itp_code_pages *pages, struct itp_process *process,
		const struct code_page *page, const struct itp_code_place *place)
{
	g_autofree char *build_id =
		place->build_id_size > 0 ?
			itp_build_id_text(place->build_id, place->build_id_size) :
			NULL;
	struct itp_map_request request = {
		.start = page->start,
		.length = PAGE_BYTES,
		.offset = page->offset,
		.path = is_memory(page->path) ? ANONYMOUS : page->path,
		.build_id = build_id && build_id[0] != '\0' ? build_id : NULL,
		.pid = process->pid,
	};

	/* The vdso is known by its size, and there as a whole. */
	if (strcmp(page->path, VDSO) == 0) {
		request.start -= page->offset;
		request.offset = 0;
		request.length = itp_unwind_vdso_bytes();
	}
	itp_symbolizer_map(pages->symbolizer, &process->space, &request);
	process->is_user = true;
}

/* Compilers replace their code without a system call. */
static bool is_compiled_in_memory(const char *path)
{
	return is_memory(path) || itp_module_is_anonymous(path) || strstr(path, JITTED);
}

/* Takes perf's answer for an address in the page at `start`. */
static void learn_page(struct itp_code_pages *pages, struct known_process *known,
		       struct itp_process *process, uint64_t start, uint64_t offset,
		       const struct itp_code_place *place)
{
	struct code_page *page = g_hash_table_lookup(known->pages, GSIZE_TO_POINTER(start));

	if (page && page->offset == offset && strcmp(page->path, place->path) == 0) {
		return;
	}
	if (page) {
		/* A mapping that has replaced the page may have replaced more. */
		begin_epoch(pages, known);
	} else {
		page = g_new(struct code_page, 1);
		page->start = start;
		g_hash_table_insert(known->pages, GSIZE_TO_POINTER(start), page);
	}
	page->offset = offset;
	page->path = itp_texts_intern(pages->names, place->path);
	map(pages, process, page, place);
}

/* Asks perf for an address. True when the answer holds until the next change. */
static bool ask_perf(struct itp_code_pages *pages, struct known_process *known,
		     struct itp_process *process, size_t i, uint64_t address, void *data)
{
	struct itp_code_place place = { .path = NULL };
	const uint64_t start = address & ~(uint64_t)(PAGE_BYTES - 1);
	const bool is_code = pages->ask(data, i, address, &place);

	known->is_lasting |= place.is_lasting;
	if (is_code) {
		learn_page(pages, known, process, start, place.offset - (address - start), &place);
	}
	return known->is_lasting && !(is_code && is_compiled_in_memory(place.path));
}

static void check_address(struct itp_code_pages *pages, struct known_process *known,
			  struct itp_process *process, size_t i, uint64_t address, void *data)
{
	/* The bits at the top of the product depend on all of the address. */
	struct settled *settled =
		&pages->settled[address * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) >>
				(64 - SETTLED_BITS)];

	if (settled->address == address && settled->epoch == known->epoch) {
		return;
	}
	if (ask_perf(pages, known, process, i, address, data) && pages->trusts_answers) {
		*settled = (struct settled){ .address = address, .epoch = known->epoch };
	}
}

/* Number of frames at the root shared with the last chain, at the same addresses. */
static size_t count_common(const GArray *last, const uint64_t *chain, size_t count)
{
	const uint64_t *addresses = (const uint64_t *)(const void *)last->data;
	size_t limit = MIN(last->len, count);
	size_t common = 0;

	while (common < limit && addresses[last->len - 1 - common] == chain[count - 1 - common]) {
		common++;
	}
	return common;
}

/* Pages of a process are of no use for another one with its number. */
static struct known_process *find_known(struct itp_code_pages *pages, struct last_chain *last,
					const struct itp_process *process)
{
	if (!last->process || last->process->pid != process->pid) {
		last->process = find_known_process(pages, process->pid);
		g_array_set_size(last->addresses, 0);
	}
	if (itp_address_space_is_empty(process->space)) {
		g_hash_table_remove_all(last->process->pages);
		last->process->is_lasting = false;
		begin_epoch(pages, last->process);
		g_array_set_size(last->addresses, 0);
	}
	return last->process;
}

void itp_code_pages_trust(struct itp_code_pages *pages)
{
	pages->trusts_chains = true;
}

void itp_code_pages_visit(struct itp_code_pages *pages, const struct itp_task *task,
			  const uint64_t *chain, size_t count, void *data)
{
	struct last_chain *last = chain_of(pages, task->tid);
	struct known_process *known = find_known(pages, last, task->process);
	size_t common = pages->trusts_chains ? count_common(last->addresses, chain, count) : 0;
	size_t changed = count - common;

	for (size_t i = 0; i < changed; i++) {
		if (chain[i] != 0 && chain[i] < ITP_CHAIN_FIRST_MARKER) {
			/* A return address belongs to the call before it. */
			check_address(pages, known, task->process, i, chain[i] - (i > 0), data);
		}
	}
	g_array_set_size(last->addresses, 0);
	g_array_append_vals(last->addresses, chain, (guint)count);
}

void itp_code_pages_change(struct itp_code_pages *pages, int32_t pid)
{
	pages->trusts_answers = true;
	begin_epoch(pages, find_known_process(pages, pid));
}

void itp_code_pages_end(struct itp_code_pages *pages, int32_t tid)
{
	struct last_chain *last = g_hash_table_lookup(pages->chains, GINT_TO_POINTER(tid));

	if (last && last->process) {
		begin_epoch(pages, last->process);
	}
	g_hash_table_remove(pages->chains, GINT_TO_POINTER(tid));
}
