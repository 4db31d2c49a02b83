/* SPDX-License-Identifier: MIT */
/*
 * A sorted table from thread and cookie to chain. Threads come back to user mode in few places, so
 * equal chains are kept once.
 *
 * Only an exec comes back with another stack than the sample's: chains after it are of the new
 * program.
 */
#include "common/perf-data/deferred.h"

#include "common/base/hash.h"
#include "common/perf-data/record-types.h"
#include "common/perf-data/records.h"

/* Most parts, of 24 bytes each, and most bytes of different chains. */
#define MAX_PARTS (4u * 1024 * 1024)
#define MAX_CHAIN_BYTES (64u * 1024 * 1024)

struct part {
	uint64_t cookie;
	uint64_t time;
	int32_t tid;
	/* Index of the chain. */
	uint32_t chain;
};

struct exec {
	uint64_t time;
	int32_t tid;
};

struct itp_deferred {
	/* struct part by thread, cookie and time. Owned by this. */
	GArray *parts;
	/* struct exec by thread and time. Owned by this. */
	GArray *execs;
	/* GBytes. Owned by this. */
	GPtrArray *chains;
	/* GBytes to index plus one. Owned by this; the keys are weak. */
	GHashTable *index_of_chain;
	size_t chain_bytes;
};

static bool is_used(const struct itp_perf_file *file)
{
	for (guint i = 0; i < file->attrs->len; i++) {
		if (itp_perf_file_attr(file, i)->has_deferred_chains) {
			return true;
		}
	}
	return false;
}

static guint chain_hash(gconstpointer chain)
{
	gsize bytes;
	const void *data = g_bytes_get_data((GBytes *)chain, &bytes);

	return itp_hash_bytes(data, bytes);
}

/* False without room for another chain. */
static bool intern_chain(struct itp_deferred *deferred, const struct itp_bytes *chain,
			 uint32_t *ret_index)
{
	g_autoptr(GBytes) key = g_bytes_new_static(chain->data, chain->size);
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(deferred->index_of_chain, key));
	GBytes *copy;

	if (found == 0) {
		if (chain->size > MAX_CHAIN_BYTES - deferred->chain_bytes) {
			return false;
		}
		copy = g_bytes_new(chain->data, chain->size);
		deferred->chain_bytes += chain->size;
		g_ptr_array_add(deferred->chains, copy);
		found = deferred->chains->len;
		g_hash_table_insert(deferred->index_of_chain, copy, GUINT_TO_POINTER(found));
	}
	*ret_index = found - 1;
	return true;
}

static void add_deferred_part(struct itp_deferred *deferred, const struct itp_perf_record *record,
			      const struct itp_perf_stamp *stamp)
{
	struct part part = { .time = stamp->time, .tid = stamp->tid };
	struct itp_bytes chain;

	if (deferred->parts->len < MAX_PARTS &&
	    itp_perf_record_deferred(record, &part.cookie, &chain) &&
	    intern_chain(deferred, &chain, &part.chain)) {
		g_array_append_val(deferred->parts, part);
	}
}

static void add_exec(struct itp_deferred *deferred, const struct itp_perf_stamp *stamp)
{
	const struct exec exec = { .time = stamp->time, .tid = stamp->tid };

	if (deferred->execs->len < MAX_PARTS) {
		g_array_append_val(deferred->execs, exec);
	}
}

static void collect_file(struct itp_deferred *deferred, struct itp_perf_file *file)
{
	struct itp_perf_records records;
	struct itp_perf_record record;
	struct itp_perf_stamp stamp;

	itp_perf_records_init(&records, file);
	while (itp_perf_records_next(&records, &record) == 1) {
		bool is_part = record.type == ITP_RECORD_CALLCHAIN_DEFERRED;
		bool is_exec = record.type == PERF_RECORD_COMM &&
			       (record.misc & PERF_RECORD_MISC_COMM_EXEC);

		itp_perf_records_forget(&records, record.position);
		if ((is_part || is_exec) && itp_perf_record_trailer(file, &record, &stamp) == 0) {
			if (is_part) {
				add_deferred_part(deferred, &record, &stamp);
			} else {
				add_exec(deferred, &stamp);
			}
		}
	}
	itp_perf_records_release(&records);
	itp_perf_file_rewind(file);
}

static void collect(struct itp_deferred *deferred, struct itp_perf_file *file)
{
	collect_file(deferred, file);
	for (guint i = 0; file->parts && i < file->parts->len; i++) {
		collect_file(deferred, g_ptr_array_index(file->parts, i));
	}
}

static int compare_unsigned(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_deferred_parts(const void *left, const void *right)
{
	const struct part *a = left;
	const struct part *b = right;
	int order = compare_unsigned((uint32_t)a->tid, (uint32_t)b->tid);

	order = order != 0 ? order : compare_unsigned(a->cookie, b->cookie);
	return order != 0 ? order : compare_unsigned(a->time, b->time);
}

static int compare_execs(const void *left, const void *right)
{
	const struct exec *a = left;
	const struct exec *b = right;
	int order = compare_unsigned((uint32_t)a->tid, (uint32_t)b->tid);

	return order != 0 ? order : compare_unsigned(a->time, b->time);
}

struct itp_deferred *itp_deferred_new(struct itp_perf_file *file)
{
	struct itp_deferred *deferred;

	if (!is_used(file)) {
		return NULL;
	}
	deferred = g_new0(struct itp_deferred, 1);
	deferred->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	deferred->execs = g_array_new(FALSE, FALSE, sizeof(struct exec));
	deferred->chains = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	deferred->index_of_chain = g_hash_table_new(chain_hash, g_bytes_equal);
	collect(deferred, file);
	g_array_sort(deferred->parts, compare_deferred_parts);
	g_array_sort(deferred->execs, compare_execs);
	return deferred;
}

void itp_deferred_free(struct itp_deferred *deferred)
{
	if (!deferred) {
		return;
	}
	g_hash_table_destroy(deferred->index_of_chain);
	g_ptr_array_free(deferred->chains, TRUE);
	g_array_free(deferred->execs, TRUE);
	g_array_free(deferred->parts, TRUE);
	g_free(deferred);
}

/* Index of the first element not before `key`. */
static guint lower_bound(const GArray *array, size_t size, const void *key,
			 int (*order)(const void *, const void *))
{
	guint low = 0;
	guint high = array->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (order(array->data + middle * size, key) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool has_exec_between(const struct itp_deferred *deferred, int32_t tid, uint64_t begin,
			     uint64_t end)
{
	const struct exec key = { .time = begin, .tid = tid };
	guint i = lower_bound(deferred->execs, sizeof(key), &key, compare_execs);
	const struct exec *found = &g_array_index(deferred->execs, struct exec, i);

	return i < deferred->execs->len && found->tid == tid && found->time <= end;
}

bool itp_deferred_find(const struct itp_deferred *deferred, const struct itp_perf_stamp *stamp,
		       uint64_t cookie, struct itp_bytes *ret_chain)
{
	const struct part key = { .cookie = cookie, .time = stamp->time, .tid = stamp->tid };
	const struct part *part;
	guint i;
	gsize size;

	if (!deferred) {
		return false;
	}
	i = lower_bound(deferred->parts, sizeof(key), &key, compare_deferred_parts);
	part = &g_array_index(deferred->parts, struct part, i);
	if (i == deferred->parts->len || part->tid != stamp->tid || part->cookie != cookie ||
	    has_exec_between(deferred, stamp->tid, stamp->time, part->time)) {
		return false;
	}
	ret_chain->data = g_bytes_get_data(g_ptr_array_index(deferred->chains, part->chain), &size);
	ret_chain->size = size;
	return true;
}
