/* SPDX-License-Identifier: MIT */
/*
 * From what was found on the way to the list of hops: see hops.h.
 */
#include "common/through/work.h"

struct gathering {
	/* Weak. */
	struct itp_work *work;
	struct itp_hops *hops;
	/* guint: by number of the work's hop, its depth below the first of its request; G_MAXUINT
	 * outside of requests. Owned by this, as below. */
	GArray *depths;
	/* uint32_t: likewise the first hop. */
	GArray *roots;
};

static struct itp_work_hop *hop_at(const struct gathering *gathering, uint32_t hop)
{
	return itp_work_hop(gathering->work, hop);
}

/* A thread woken for a single hop, with no other possible reason, asked for the hop: it was part of
 * it, if it had its answer before the hop gave its own. */
static void settle_woken(const struct itp_work *work)
{
	for (uint32_t i = 0; i < work->hops->len; i++) {
		struct itp_work_hop *client = itp_work_hop(work, i);
		uint32_t whole = client->is_client && client->same_as == ITP_HOP_NONE ?
					 itp_work_resolve(work, client->woken_for) :
					 ITP_HOP_NONE;

		if (whole != ITP_HOP_NONE && whole != i && !client->mixed &&
		    itp_work_hop(work, whole)->is_answered &&
		    itp_work_hop(work, whole)->hop.end_ns >= client->hop.end_ns) {
			client->is_client = false;
			client->is_part = true;
			client->is_one_way = true;
			client->hop.parent = whole;
			itp_work_hop(work, whole)->children++;
		}
	}
}

/* Asks for any of several hops are not followed, and neither are the hops. */
static void doubt_mixed(const struct itp_work *work)
{
	for (uint32_t i = 0; i < work->hops->len; i++) {
		const struct itp_work_hop *client = itp_work_hop(work, i);

		for (guint j = 0; client->same_as == ITP_HOP_NONE && !client->is_connecting &&
				  client->mixed && j < client->mixed->len;
		     j++) {
			itp_work_doubt(work,
				       g_array_index(client->mixed, struct itp_pending, j).hop,
				       ITP_HOP_MIXED);
		}
	}
}

/* True for a hop that is no request: a wait for a job, no ask, no answer to an unknown side, or
 * bytes in one direction only, as through a shell's pipes. */
static bool is_nothing(const struct itp_work_hop *root)
{
	return root->is_wait   ? true :
	       root->is_job    ? root->children == 0 :
	       root->is_client ? root->children == 0 || root->mixed :
				 root->hop.parent == ITP_HOP_NONE && root->message == 0 &&
					 !root->is_answered;
}

static uint32_t root_of(const struct gathering *gathering, uint32_t hop, guint *ret_depth)
{
	uint32_t parent = itp_work_resolve(gathering->work, hop_at(gathering, hop)->hop.parent);
	guint depth = 0;

	while (parent != ITP_HOP_NONE && depth < gathering->work->hops->len) {
		hop = parent;
		parent = itp_work_resolve(gathering->work, hop_at(gathering, hop)->hop.parent);
		depth++;
	}
	*ret_depth = depth;
	return hop;
}

/* bool by number of the work's hop: of a first one, whether anything of its request has an answer,
 * or is to have one. Free with g_free(). */
static bool *find_two_way(const struct gathering *gathering)
{
	bool *is_two_way = g_new0(bool, gathering->work->hops->len + 1);

	for (uint32_t i = 0; i < gathering->work->hops->len; i++) {
		guint depth;

		is_two_way[root_of(gathering, i, &depth)] |= hop_at(gathering, i)->same_as ==
								     ITP_HOP_NONE &&
							     !hop_at(gathering, i)->is_one_way;
	}
	return is_two_way;
}

static void find_roots(struct gathering *gathering)
{
	g_autofree bool *is_two_way = find_two_way(gathering);

	for (uint32_t i = 0; i < gathering->work->hops->len; i++) {
		guint depth;
		uint32_t root = root_of(gathering, i, &depth);

		if (hop_at(gathering, i)->same_as != ITP_HOP_NONE ||
		    is_nothing(hop_at(gathering, root)) || !is_two_way[root]) {
			depth = G_MAXUINT;
		}
		g_array_append_val(gathering->depths, depth);
		g_array_append_val(gathering->roots, root);
	}
}

static int compare_times(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

static gint compare_hops(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct gathering *gathering = data;
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	uint32_t left_root = g_array_index(gathering->roots, uint32_t, left);
	uint32_t right_root = g_array_index(gathering->roots, uint32_t, right);
	guint left_depth = g_array_index(gathering->depths, guint, left);
	guint right_depth = g_array_index(gathering->depths, guint, right);
	int order = left_root == right_root ?
			    0 :
			    compare_times(hop_at(gathering, left_root)->hop.begin_ns,
					  hop_at(gathering, right_root)->hop.begin_ns);

	if (order == 0 && left_root != right_root) {
		return left_root < right_root ? -1 : 1;
	}
	if (order == 0 && (left_depth == 0 || right_depth == 0)) {
		return (left_depth > right_depth) - (left_depth < right_depth);
	}
	if (order == 0) {
		order = compare_times(hop_at(gathering, left)->hop.begin_ns,
				      hop_at(gathering, right)->hop.begin_ns);
	}
	if (order == 0) {
		order = (left_depth > right_depth) - (left_depth < right_depth);
	}
	return order != 0 ? order : (left > right) - (left < right);
}

/* True when events may be missing between the two times. */
static bool has_loss(const struct itp_traffic *traffic, int64_t begin_ns, int64_t end_ns)
{
	guint first = 0;
	guint end = traffic->losses->len;

	while (first < end) {
		guint middle = first + (end - first) / 2;

		if (g_array_index(traffic->losses, int64_t, middle) >= begin_ns) {
			end = middle;
		} else {
			first = middle + 1;
		}
	}
	return first < traffic->losses->len &&
	       g_array_index(traffic->loss_begins, int64_t, first) <= end_ns;
}

static bool is_open(const struct itp_work_hop *hop)
{
	return !hop->is_answered && !hop->is_one_way;
}

/* Time at which the parent's thread left the work to another thread, the hop's. */
static int64_t handed_ns(const struct gathering *gathering, const struct itp_work_hop *part)
{
	uint32_t parent = itp_work_resolve(gathering->work, part->hop.parent);
	int64_t left_ns = parent != ITP_HOP_NONE ? hop_at(gathering, parent)->left_ns : 0;

	return left_ns > 0 && left_ns < part->hop.begin_ns ? left_ns : part->hop.begin_ns;
}

/* Copies the hops of requests, in their order. */
static void list_hops(struct gathering *gathering, GArray *order)
{
	/* Place by number of the work. */
	g_autofree uint32_t *places = g_new(uint32_t, gathering->work->hops->len + 1);

	for (guint i = 0; i < order->len; i++) {
		uint32_t number = g_array_index(order, uint32_t, i);
		const struct itp_work_hop *known = hop_at(gathering, number);
		struct itp_hop hop = known->hop;
		uint32_t parent = itp_work_resolve(gathering->work, hop.parent);

		places[number] = i;
		if (known->is_part) {
			hop.sent_ns = handed_ns(gathering, known);
		}
		hop.parent = parent != ITP_HOP_NONE ? places[parent] : ITP_HOP_NONE;
		hop.root = places[g_array_index(gathering->roots, uint32_t, number)];
		hop.is_one_way = known->is_one_way;
		if (has_loss(gathering->work->traffic, hop.begin_ns, hop.end_ns)) {
			hop.doubt = ITP_HOP_LOST;
		}
		if (hop.doubt == ITP_HOP_CERTAIN && is_open(known)) {
			hop.doubt = ITP_HOP_OPEN;
		}
		if (hop.parent == ITP_HOP_NONE) {
			g_array_append_val(gathering->hops->roots, i);
		}
		g_array_append_val(gathering->hops->list, hop);
		if (known->is_part) {
			const struct itp_ask ask = { .hop = parent,
						     .begin_ns = hop.sent_ns,
						     .end_ns = hop.end_ns };

			g_array_append_val(gathering->work->asks, ask);
		}
	}
	for (guint i = 0; i < gathering->work->asks->len; i++) {
		struct itp_ask ask = g_array_index(gathering->work->asks, struct itp_ask, i);
		uint32_t hop = itp_work_resolve(gathering->work, ask.hop);

		if (g_array_index(gathering->depths, guint, hop) != G_MAXUINT) {
			ask.hop = places[hop];
			g_array_append_val(gathering->hops->asks, ask);
		}
	}
}

static gint compare_asks(gconstpointer a, gconstpointer b)
{
	const struct itp_ask *left = a;
	const struct itp_ask *right = b;

	if (left->hop != right->hop) {
		return left->hop < right->hop ? -1 : 1;
	}
	return left->begin_ns != right->begin_ns ? compare_times(left->begin_ns, right->begin_ns) :
						   compare_times(left->end_ns, right->end_ns);
}

/* Overlapping spans count once. */
static void sum_waits(struct itp_hops *hops)
{
	int64_t done_ns = 0;
	uint32_t last = ITP_HOP_NONE;

	g_array_sort(hops->asks, compare_asks);
	for (guint i = 0; i < hops->asks->len; i++) {
		const struct itp_ask *ask = &g_array_index(hops->asks, struct itp_ask, i);
		struct itp_hop *hop = &g_array_index(hops->list, struct itp_hop, ask->hop);
		int64_t begin_ns = MAX(ask->begin_ns, hop->begin_ns);
		int64_t end_ns = MIN(ask->end_ns, hop->end_ns);

		begin_ns = ask->hop == last ? MAX(begin_ns, done_ns) : begin_ns;
		done_ns = ask->hop == last ? MAX(done_ns, end_ns) : end_ns;
		hop->waits_ns += MAX(end_ns - begin_ns, 0);
		last = ask->hop;
	}
}

void itp_work_gather(struct itp_work *work, struct itp_hops *hops)
{
	g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct gathering gathering = {
		.work = work,
		.hops = hops,
		.depths = g_array_new(FALSE, FALSE, sizeof(guint)),
		.roots = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};

	*hops = (struct itp_hops){
		.list = g_array_new(FALSE, FALSE, sizeof(struct itp_hop)),
		.asks = g_array_new(FALSE, FALSE, sizeof(struct itp_ask)),
		.roots = g_array_new(FALSE, FALSE, sizeof(guint)),
	};
	settle_woken(work);
	doubt_mixed(work);
	find_roots(&gathering);
	for (uint32_t i = 0; i < work->hops->len; i++) {
		if (g_array_index(gathering.depths, guint, i) != G_MAXUINT) {
			g_array_append_val(order, i);
		}
	}
	g_array_sort_with_data(order, compare_hops, &gathering);
	list_hops(&gathering, order);
	sum_waits(hops);
	g_array_unref(gathering.depths);
	g_array_unref(gathering.roots);
}

guint itp_hops_behind(const struct itp_hops *hops, guint first)
{
	guint end = first + 1;

	while (end < hops->list->len &&
	       g_array_index(hops->list, struct itp_hop, end).root == first) {
		end++;
	}
	return end;
}

int64_t itp_hops_end_ns(const struct itp_hops *hops, guint first)
{
	const struct itp_hop *root = &g_array_index(hops->list, struct itp_hop, first);
	int64_t end_ns = root->end_ns;

	for (guint i = first + 1; root->is_one_way && i < itp_hops_behind(hops, first); i++) {
		end_ns = MAX(end_ns, g_array_index(hops->list, struct itp_hop, i).end_ns);
	}
	return end_ns;
}

enum itp_hop_doubt itp_hops_doubt(const struct itp_hops *hops, guint first)
{
	enum itp_hop_doubt doubt = ITP_HOP_CERTAIN;

	for (guint i = first; i < itp_hops_behind(hops, first); i++) {
		enum itp_hop_doubt own = g_array_index(hops->list, struct itp_hop, i).doubt;

		doubt = own != ITP_HOP_CERTAIN && (doubt == ITP_HOP_CERTAIN || own < doubt) ? own :
											      doubt;
	}
	return doubt;
}
