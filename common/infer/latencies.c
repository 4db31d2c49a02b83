/* SPDX-License-Identifier: MIT */
/*
 * See latencies.h. The buckets of a node are in a sorted array: calls of one context are mostly
 * alike.
 */
#include "common/infer/latencies.h"

/* Buckets of an octave, and the first bit from which on a bucket's number contains the octave. */
#define OCTAVE_BITS 5
#define OCTAVE (1u << OCTAVE_BITS)

struct bucket {
	uint32_t number;
	uint64_t count;
};

struct itp_latencies {
	/* By node: its buckets in order (GArray of struct bucket), or NULL. Owned by this. */
	GPtrArray *by_node;
};

static void free_buckets(gpointer buckets)
{
	if (buckets) {
		g_array_unref(buckets);
	}
}

struct itp_latencies *itp_latencies_new(void)
{
	struct itp_latencies *latencies = g_new0(struct itp_latencies, 1);

	latencies->by_node = g_ptr_array_new_with_free_func(free_buckets);
	return latencies;
}

void itp_latencies_free(struct itp_latencies *latencies)
{
	if (latencies) {
		g_ptr_array_unref(latencies->by_node);
		g_free(latencies);
	}
}

/* Number of low bits lost by a latency in its bucket. */
static uint32_t lost_bits(uint64_t latency_ns)
{
	uint32_t bits = g_bit_storage((gulong)latency_ns);

	return bits > OCTAVE_BITS + 1 ? bits - (OCTAVE_BITS + 1) : 0;
}

static uint32_t bucket_number(uint64_t latency_ns)
{
	uint32_t lost = lost_bits(latency_ns);

	return lost * OCTAVE + (uint32_t)(latency_ns >> lost);
}

static int64_t middle_of(uint32_t number)
{
	uint32_t lost = number < 2 * OCTAVE ? 0 : number / OCTAVE - 1;
	uint64_t width = UINT64_C(1) << lost;

	return (int64_t)(((uint64_t)(number - lost * OCTAVE) << lost) + (width - 1) / 2);
}

/* The buckets of `node`, or NULL. */
static GArray *buckets_of(const struct itp_latencies *latencies, uint32_t node)
{
	return node < latencies->by_node->len ? g_ptr_array_index(latencies->by_node, node) : NULL;
}

static GArray *make_buckets(struct itp_latencies *latencies, uint32_t node)
{
	GArray *buckets = buckets_of(latencies, node);

	if (!buckets) {
		buckets = g_array_new(FALSE, FALSE, sizeof(struct bucket));
		if (node >= latencies->by_node->len) {
			g_ptr_array_set_size(latencies->by_node, (gint)node + 1);
		}
		g_ptr_array_index(latencies->by_node, node) = buckets;
	}
	return buckets;
}

/* Index of the first bucket not below `number`. */
static guint find_bucket(const GArray *buckets, uint32_t number)
{
	guint first = 0;
	guint end = buckets->len;

	while (first < end) {
		guint middle = first + (end - first) / 2;

		if (g_array_index(buckets, struct bucket, middle).number < number) {
			first = middle + 1;
		} else {
			end = middle;
		}
	}
	return first;
}

/* A profile may come from anywhere. */
static void add_calls_saturated(uint64_t *sum, uint64_t calls)
{
	if (!g_uint64_checked_add(sum, *sum, calls)) {
		*sum = UINT64_MAX;
	}
}

static void add_bucket(GArray *buckets, const struct bucket *bucket)
{
	guint i = find_bucket(buckets, bucket->number);

	if (i < buckets->len && g_array_index(buckets, struct bucket, i).number == bucket->number) {
		add_calls_saturated(&g_array_index(buckets, struct bucket, i).count, bucket->count);
	} else {
		g_array_insert_vals(buckets, i, bucket, 1);
	}
}

void itp_latencies_add(struct itp_latencies *latencies, uint32_t node, int64_t latency_ns,
		       uint64_t calls)
{
	const struct bucket bucket = { .number = bucket_number((uint64_t)MAX(latency_ns, 0)),
				       .count = calls };

	add_bucket(make_buckets(latencies, node), &bucket);
}

void itp_latencies_add_node(struct itp_latencies *latencies, uint32_t node,
			    const struct itp_latencies *other, uint32_t other_node)
{
	const GArray *added = buckets_of(other, other_node);

	for (guint i = 0; added && i < added->len; i++) {
		add_bucket(make_buckets(latencies, node), &g_array_index(added, struct bucket, i));
	}
}

void itp_latencies_move_node(struct itp_latencies *latencies, uint32_t target, uint32_t node)
{
	if (target != node) {
		itp_latencies_add_node(latencies, target, latencies, node);
		itp_latencies_clear_node(latencies, node);
	}
}

void itp_latencies_clear_node(struct itp_latencies *latencies, uint32_t node)
{
	if (node < latencies->by_node->len) {
		free_buckets(g_ptr_array_index(latencies->by_node, node));
		g_ptr_array_index(latencies->by_node, node) = NULL;
	}
}

void itp_latencies_truncate(struct itp_latencies *latencies, uint32_t size)
{
	if (size < latencies->by_node->len) {
		g_ptr_array_set_size(latencies->by_node, (gint)size);
	}
}

void itp_latencies_merge(struct itp_latencies *latencies, const struct itp_latencies *other)
{
	for (guint node = 0; node < other->by_node->len; node++) {
		itp_latencies_add_node(latencies, node, other, node);
	}
}

bool itp_latencies_get(const struct itp_latencies *latencies, uint32_t node, guint i,
		       struct itp_latency *ret_latency)
{
	const GArray *buckets = buckets_of(latencies, node);

	if (!buckets || i >= buckets->len) {
		return false;
	}
	*ret_latency = (struct itp_latency){
		.node = node,
		.latency_ns = middle_of(g_array_index(buckets, struct bucket, i).number),
		.calls = g_array_index(buckets, struct bucket, i).count,
	};
	return true;
}

uint64_t itp_latencies_count(const struct itp_latencies *latencies, uint32_t node)
{
	const GArray *buckets = buckets_of(latencies, node);
	uint64_t count = 0;

	for (guint i = 0; buckets && i < buckets->len; i++) {
		add_calls_saturated(&count, g_array_index(buckets, struct bucket, i).count);
	}
	return count;
}

int64_t itp_latencies_nth(const struct itp_latencies *latencies, uint32_t node, uint64_t call)
{
	const GArray *buckets = buckets_of(latencies, node);
	uint64_t before = 0;
	guint i = 0;

	for (; buckets && i < buckets->len; i++) {
		add_calls_saturated(&before, g_array_index(buckets, struct bucket, i).count);
		if (call < before) {
			break;
		}
	}
	g_assert(buckets && i < buckets->len);
	return middle_of(g_array_index(buckets, struct bucket, i).number);
}
