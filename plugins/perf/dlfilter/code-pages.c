/* SPDX-License-Identifier: MIT */
/*
 * See code-pages.h. Mappings begin and end on pages, so one address speaks for its page.
 */
#include "plugins/perf/dlfilter/code-pages.h"

#include <string.h>
#include <stdio.h>

#include "common/perf-data/callchain.h"
#include "common/symbol/build-id.h"
#include "common/symbol/module.h"

#define PAGE_BYTES 4096u

#define VDSO "[vdso]"
/* What perf calls memory that is no file, by where names for it may be. */
#define PERF_MAP_PREFIX "/tmp/perf-"
#define PERF_MAP_SUFFIX ".map"
/* What the kernel calls it. */
#define ANONYMOUS "//anon"

/* What perf said of a page. */
struct code_page {
	uint64_t start;
	/* Of the page in the file. */
	uint64_t offset;
	/* Weak: kept by `names`. */
	const char *path;
};

/* The user's part of the last chain of a thread. */
struct last_chain {
	/* uint64_t, leaf first. Owned by this. */
	GArray *addresses;
	/* Of the process: another one's addresses say nothing. */
	int32_t pid;
};

struct itp_code_pages {
	itp_code_ask ask;
	/* Weak. */
	struct itp_symbolizer *symbolizer;
	/* GHashTable of struct code_page by start, by pid. Owned by this. */
	GHashTable *processes;
	/* struct last_chain by tid. Owned by this. */
	GHashTable *chains;
	/* Paths. Owned by this. */
	GStringChunk *names;
	/* The vdso of this machine. */
	uint64_t vdso_bytes;
	/* What is on a chain again was not replaced. */
	bool trusts_chains;
};

static void free_chain(gpointer data)
{
	struct last_chain *chain = data;

	g_array_unref(chain->addresses);
	g_free(chain);
}

static uint64_t own_vdso_bytes(void)
{
	g_autofree char *maps = NULL;
	const char *line;
	uint64_t start;
	uint64_t end;

	if (!g_file_get_contents("/proc/self/maps", &maps, NULL, NULL)) {
		return PAGE_BYTES;
	}
	line = strstr(maps, VDSO);
	while (line && line > maps && line[-1] != '\n') {
		line--;
	}
	return line && sscanf(line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", &start,
			      &end) == 2 ?
		       end - start :
		       PAGE_BYTES;
}

struct itp_code_pages *itp_code_pages_new(itp_code_ask ask, struct itp_symbolizer *symbolizer)
{
	struct itp_code_pages *pages = g_new0(struct itp_code_pages, 1);

	pages->ask = ask;
	pages->symbolizer = symbolizer;
	pages->processes =
		g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
	pages->chains = g_hash_table_new_full(NULL, NULL, NULL, free_chain);
	pages->names = g_string_chunk_new(4096);
	pages->vdso_bytes = own_vdso_bytes();
	return pages;
}

void itp_code_pages_free(struct itp_code_pages *pages)
{
	if (!pages) {
		return;
	}
	g_hash_table_unref(pages->processes);
	g_hash_table_unref(pages->chains);
	g_string_chunk_free(pages->names);
	g_free(pages);
}

static GHashTable *pages_of(struct itp_code_pages *pages, int32_t pid)
{
	GHashTable *table = g_hash_table_lookup(pages->processes, GINT_TO_POINTER(pid));

	if (!table) {
		table = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
		g_hash_table_insert(pages->processes, GINT_TO_POINTER(pid), table);
	}
	return table;
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

	/* Known by its size, and there as a whole. */
	if (strcmp(page->path, VDSO) == 0) {
		request.start -= page->offset;
		request.offset = 0;
		request.length = pages->vdso_bytes;
	}
	itp_symbolizer_map(pages->symbolizer, &process->space, &request);
	process->is_user = true;
}

/* Asks perf for one address. */
static void check(struct itp_code_pages *pages, GHashTable *known, const struct itp_task *task,
		  size_t i, uint64_t address, void *data)
{
	struct itp_code_place place = { .path = NULL };
	const uint64_t start = address & ~(uint64_t)(PAGE_BYTES - 1);
	struct code_page *page;
	uint64_t offset;

	if (!pages->ask(data, i, address, &place)) {
		return;
	}
	offset = place.offset - (address - start);
	page = g_hash_table_lookup(known, &start);
	if (page && page->offset == offset && strcmp(page->path, place.path) == 0) {
		return;
	}
	if (!page) {
		page = g_new(struct code_page, 1);
		page->start = start;
		g_hash_table_insert(known, &page->start, page);
	}
	page->offset = offset;
	page->path = g_string_chunk_insert_const(pages->names, place.path);
	map(pages, task->process, page, &place);
}

/* How many frames at the root are those of the last chain, at the same addresses. */
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

/* What was known of a process is of no use for another one with its number. */
static GHashTable *find_known(struct itp_code_pages *pages, struct last_chain *last,
			      const struct itp_process *process)
{
	GHashTable *known = pages_of(pages, process->pid);
	bool is_new = itp_address_space_is_empty(process->space);

	if (is_new) {
		g_hash_table_remove_all(known);
	}
	if (is_new || last->pid != process->pid) {
		last->pid = process->pid;
		g_array_set_size(last->addresses, 0);
	}
	return known;
}

void itp_code_pages_trust(struct itp_code_pages *pages)
{
	pages->trusts_chains = true;
}

void itp_code_pages_visit(struct itp_code_pages *pages, const struct itp_task *task,
			  const uint64_t *chain, size_t count, void *data)
{
	struct last_chain *last = chain_of(pages, task->tid);
	GHashTable *known = find_known(pages, last, task->process);
	size_t common = pages->trusts_chains ? count_common(last->addresses, chain, count) : 0;
	size_t changed = count - common;

	for (size_t i = 0; i < changed; i++) {
		if (chain[i] != 0 && chain[i] < ITP_CHAIN_FIRST_MARKER) {
			/* A return address belongs to the call before it. */
			check(pages, known, task, i, chain[i] - (i > 0), data);
		}
	}
	g_array_set_size(last->addresses, 0);
	g_array_append_vals(last->addresses, chain, (guint)count);
}

void itp_code_pages_end(struct itp_code_pages *pages, int32_t tid)
{
	g_hash_table_remove(pages->chains, GINT_TO_POINTER(tid));
}
