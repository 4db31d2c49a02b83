/* SPDX-License-Identifier: MIT */
/*
 * Jobs that go through a broker, found by brokers.h; see work.h.
 *
 * A worker asks the broker for a job; this is no request of anybody. Its work from the job on until
 * it asks for the next one is a hop of the request that brought the job, and nobody waits for it:
 * an answer, if any, comes back through the broker as well. A job already there when its worker
 * asked is the only one that can lie there; or its origin is unknown until its answer tells: the
 * request that waited for the worker's result.
 */
#include "common/base/hash.h"
#include "common/through/work.h"

static struct itp_bringers *bringers_of(const struct itp_work *work, uint32_t hop)
{
	const int32_t pid = itp_work_hop(work, hop)->hop.pid;
	struct itp_bringers *bringers = g_hash_table_lookup(work->bringers, GINT_TO_POINTER(pid));

	if (!bringers) {
		bringers = g_new0(struct itp_bringers, 1);
		bringers->names = g_hash_table_new(itp_hash_number, NULL);
		g_hash_table_insert(work->bringers, GINT_TO_POINTER(pid), bringers);
	}
	return bringers;
}

static uint32_t root_of(const struct itp_work *work, uint32_t hop)
{
	uint32_t parent = itp_work_resolve(work, itp_work_hop(work, hop)->hop.parent);

	while (parent != ITP_HOP_NONE) {
		hop = parent;
		parent = itp_work_resolve(work, itp_work_hop(work, hop)->hop.parent);
	}
	return hop;
}

/* Nobody waits for the hop's work. */
static bool is_idle(const struct itp_work *work, uint32_t hop)
{
	const struct itp_work_hop *known = itp_work_hop(work, hop);

	return known->is_job || (known->is_client && !known->mixed);
}

/* `hop`'s answer is a job for its asker, which made no request. */
static void take_from_asker(struct itp_work *work, struct itp_work_side *asker, uint32_t hop)
{
	struct itp_work_hop *known = itp_work_hop(work, hop);

	itp_work_hop(work, itp_work_resolve(work, known->hop.parent))->children--;
	known->hop.parent = ITP_HOP_NONE;
	known->is_wait = true;
	g_array_index(work->asks, struct itp_ask, asker->ask).hop = hop;
	asker->job_bytes = asker->ask_bytes;
}

/* Last ask of `asker` to the hop's process before the hop, and before `begin_ns`: the job brought;
 * `asker` itself without any. */
static uint32_t last_asked(const struct itp_work *work, uint32_t asker, uint32_t hop,
			   int64_t begin_ns)
{
	for (uint32_t i = hop; i-- > asker + 1;) {
		const struct itp_work_hop *known = itp_work_hop(work, i);

		if (known->same_as == ITP_HOP_NONE &&
		    known->hop.pid == itp_work_hop(work, hop)->hop.pid &&
		    itp_work_resolve(work, known->hop.parent) == asker &&
		    known->hop.begin_ns <= begin_ns) {
			return i;
		}
	}
	return asker;
}

static const char *process_of_hop(const struct itp_work *work, uint32_t hop)
{
	return itp_traffic_process(work->traffic, itp_work_hop(work, hop)->hop.pid);
}

/* Notes that a request has brought a job to `hop`'s broker. */
static void note_brought(const struct itp_work *work, uint32_t root, uint32_t hop)
{
	struct itp_bringers *bringers = bringers_of(work, hop);

	bringers->has_several |= itp_work_hop(work, root)->has_brought;
	itp_work_hop(work, root)->has_brought = true;
	g_hash_table_add(bringers->names, (gpointer)process_of_hop(work, root));
}

/* Puts `job` into the request of `parent`, its bringer, or the bringer's asker. */
static void join(const struct itp_work *work, uint32_t job, uint32_t parent, uint32_t broker)
{
	struct itp_work_hop *known = itp_work_hop(work, job);
	const struct itp_work_hop *brought = itp_work_hop(work, parent);

	note_brought(work, root_of(work, parent), broker);
	known->is_client = false;
	known->is_job = true;
	known->is_one_way = true;
	known->hop.parent = parent;
	itp_work_hop(work, parent)->children++;
	if (brought->hop.pid == itp_work_hop(work, broker)->hop.pid) {
		known->hop.sent_ns = MIN(brought->hop.end_ns, known->hop.begin_ns);
	}
	if (known->hop.doubt == ITP_HOP_REST) {
		known->hop.doubt = ITP_HOP_CERTAIN;
	}
}

void itp_job_hand(struct itp_work *work, struct itp_work_side *asker, uint32_t hop, uint32_t cause)
{
	struct itp_work_hop *known = itp_work_hop(work, hop);
	uint32_t parent = itp_work_resolve(work, known->hop.parent);
	uint32_t origin = cause != ITP_HOP_NONE ? root_of(work, cause) : ITP_HOP_NONE;

	if (parent == ITP_HOP_NONE) {
		return;
	}
	if (origin != ITP_HOP_NONE) {
		const struct itp_ask wait = {
			.hop = hop,
			.begin_ns = known->hop.begin_ns,
			.end_ns = itp_work_hop(work, cause)->hop.begin_ns,
		};

		g_array_append_val(work->asks, wait);
	}
	if (origin != ITP_HOP_NONE && origin == root_of(work, parent)) {
		return;
	}
	if (is_idle(work, parent)) {
		take_from_asker(work, asker, hop);
		known->is_handed = true;
		known->handed_by = cause;
		if (origin != ITP_HOP_NONE) {
			note_brought(work, origin, cause);
		}
	} else if (origin != ITP_HOP_NONE && is_idle(work, origin)) {
		join(work, origin,
		     last_asked(work, parent, hop, itp_work_hop(work, origin)->hop.begin_ns), hop);
	}
}

bool itp_job_take(struct itp_work *work, const struct itp_move *move, struct itp_work_side *side,
		  const struct itp_segment *first)
{
	uint32_t answered = first ? itp_work_resolve(work, first->hop) : ITP_HOP_NONE;
	bool is_handed = answered != ITP_HOP_NONE && itp_work_hop(work, answered)->is_handed;
	uint32_t cause = is_handed ? itp_work_hop(work, answered)->handed_by : ITP_HOP_NONE;
	uint32_t asker = itp_work_resolve(work, side->asker);
	struct itp_work_hop *job;
	uint32_t hop;

	if (asker == ITP_HOP_NONE || side->is_answered ||
	    (!is_handed && !itp_work_hop(work, asker)->is_wait)) {
		return false;
	}
	hop = itp_work_add_hop(work, move, move->end_ns, cause);
	job = itp_work_hop(work, hop);
	job->is_job = true;
	job->is_one_way = true;
	if (cause != ITP_HOP_NONE) {
		job->hop.sent_ns =
			MIN(is_handed ? first->begin_ns : itp_work_hop(work, cause)->hop.end_ns,
			    move->end_ns);
		itp_work_hop(work, cause)->children++;
	} else {
		job->given_by = is_handed ? ITP_HOP_NONE : answered;
		itp_work_doubt(work, hop, ITP_HOP_REST);
	}
	g_array_index(work->asks, struct itp_ask, side->ask).end_ns = move->end_ns;
	side->asker = hop;
	side->is_answered = true;
	itp_worker_take(itp_work_worker(work, move->tid), hop, false);
	return true;
}

bool itp_job_ends(const struct itp_work *work, struct itp_worker *worker,
		  const struct itp_work_side *side, int64_t bytes)
{
	uint32_t hop = itp_work_resolve(work, worker->current);

	if (side->job_bytes == 0 || side->job_bytes != bytes) {
		return false;
	}
	if (hop != ITP_HOP_NONE && itp_work_hop(work, hop)->is_job) {
		worker->current = ITP_HOP_NONE;
	}
	for (guint i = worker->pending->len; i-- > 0;) {
		hop = itp_work_resolve(work,
				       g_array_index(worker->pending, struct itp_pending, i).hop);
		if (itp_work_hop(work, hop)->is_job) {
			g_array_remove_index(worker->pending, i);
		}
	}
	return true;
}

/* Jobs that lay in a broker, and requests that may have brought them, seen to be given to
 * nobody. */
struct lying {
	/* Weak. */
	const struct itp_work *work;
	/* uint32_t: jobs, and the hops by which requests came to the broker first; both in the
	 * order in which the broker was asked. Owned by this, as below. */
	GArray *jobs;
	GArray *brought;
	/* GArray of uint32_t by job: its possible bringers. */
	GPtrArray *choices;
};

static bool is_unknown_job(const struct itp_work *work, uint32_t hop)
{
	const struct itp_work_hop *known = itp_work_hop(work, hop);

	return known->same_as == ITP_HOP_NONE && known->is_job && known->given_by != ITP_HOP_NONE &&
	       known->children > 0 && itp_work_resolve(work, known->hop.parent) == ITP_HOP_NONE;
}

/* True when `hop`, of the broker, is the first of a request there that may have brought a job. */
static bool may_have_brought(const struct itp_work *work, const struct itp_bringers *bringers,
			     uint32_t hop, GHashTable *roots)
{
	uint32_t root = root_of(work, hop);

	return itp_work_hop(work, hop)->same_as == ITP_HOP_NONE && root != hop &&
	       !itp_work_hop(work, root)->has_brought && !itp_work_hop(work, root)->is_job &&
	       g_hash_table_contains(bringers->names, process_of_hop(work, root)) &&
	       g_hash_table_add(roots, GUINT_TO_POINTER(root));
}

static void list_lying(struct lying *lying, int32_t pid, const struct itp_bringers *bringers)
{
	g_autoptr(GHashTable) roots = g_hash_table_new(itp_hash_number, NULL);
	const struct itp_work *work = lying->work;

	for (uint32_t i = 0; i < work->hops->len; i++) {
		if (itp_work_hop(work, i)->hop.pid == pid &&
		    may_have_brought(work, bringers, i, roots)) {
			g_array_append_val(lying->brought, i);
		} else if (is_unknown_job(work, i) &&
			   itp_work_hop(work, itp_work_hop(work, i)->given_by)->hop.pid == pid) {
			g_array_append_val(lying->jobs, i);
		}
	}
}

/* When the broker was asked for the job. */
static int64_t asked_ns(const struct itp_work *work, uint32_t job)
{
	return itp_work_hop(work, itp_work_hop(work, job)->given_by)->hop.begin_ns;
}

static int64_t answered_ns(const struct itp_work *work, uint32_t hop)
{
	return itp_work_hop(work, root_of(work, hop))->hop.end_ns;
}

/* Requests that had come to the broker when it was asked for the job, and were not answered.
 * Requests before *first, which moves on, were answered before: jobs come in the order of time. */
static GArray *choices_of(const struct lying *lying, uint32_t job, guint *first)
{
	const struct itp_work *work = lying->work;
	int64_t time_ns = asked_ns(work, job);
	GArray *list = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	while (*first < lying->brought->len &&
	       answered_ns(work, g_array_index(lying->brought, uint32_t, *first)) <= time_ns) {
		++*first;
	}
	for (guint i = *first; i < lying->brought->len; i++) {
		uint32_t one = g_array_index(lying->brought, uint32_t, i);

		if (itp_work_hop(work, one)->hop.begin_ns >= time_ns) {
			break;
		}
		if (answered_ns(work, one) > time_ns) {
			g_array_append_val(list, one);
		}
	}
	return list;
}

static gint compare_jobs(gconstpointer a, gconstpointer b, gpointer work)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	int64_t left_ns = asked_ns(work, left);
	int64_t right_ns = asked_ns(work, right);

	return left_ns != right_ns ? (left_ns > right_ns) - (left_ns < right_ns) :
				     (left > right) - (left < right);
}

/* A request that brought another job brought no more. */
static void rule_out(const struct lying *lying, uint32_t hop)
{
	for (guint i = 0; i < lying->choices->len; i++) {
		GArray *choices = lying->choices->pdata[i];

		for (guint j = choices->len; j-- > 0;) {
			if (g_array_index(choices, uint32_t, j) == hop) {
				g_array_remove_index(choices, j);
			}
		}
	}
}

static void settle_jobs(const struct lying *lying)
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (guint i = 0; i < lying->jobs->len; i++) {
			const GArray *choices = lying->choices->pdata[i];

			if (choices->len == 1) {
				uint32_t hop = g_array_index(choices, uint32_t, 0);

				join(lying->work, g_array_index(lying->jobs, uint32_t, i), hop,
				     hop);
				rule_out(lying, hop);
				has_changed = true;
			}
		}
	}
}

/* Doubts the possible bringers of the remaining jobs. */
static void doubt_rest(const struct lying *lying)
{
	for (guint i = 0; i < lying->choices->len; i++) {
		const GArray *choices = lying->choices->pdata[i];

		for (guint j = 0; j < choices->len; j++) {
			itp_work_doubt(lying->work, g_array_index(choices, uint32_t, j),
				       ITP_HOP_MIXED);
		}
	}
}

/* A job without a possible bringer comes from elsewhere, and others may as well. */
static void conclude_jobs(const struct itp_work *work, int32_t pid,
			  const struct itp_bringers *bringers)
{
	struct lying lying = {
		.work = work,
		.jobs = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.brought = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.choices = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref),
	};
	bool are_all_brought = true;
	guint first = 0;

	list_lying(&lying, pid, bringers);
	g_array_sort_with_data(lying.jobs, compare_jobs, (gpointer)work);
	for (guint i = 0; i < lying.jobs->len; i++) {
		GArray *choices =
			choices_of(&lying, g_array_index(lying.jobs, uint32_t, i), &first);

		are_all_brought &= choices->len > 0;
		g_ptr_array_add(lying.choices, choices);
	}
	if (are_all_brought) {
		settle_jobs(&lying);
	}
	doubt_rest(&lying);
	g_array_unref(lying.jobs);
	g_array_unref(lying.brought);
	g_ptr_array_unref(lying.choices);
}

void itp_jobs_conclude(struct itp_work *work)
{
	GHashTableIter iter;
	gpointer pid;
	gpointer bringers;

	g_hash_table_iter_init(&iter, work->bringers);
	while (g_hash_table_iter_next(&iter, &pid, &bringers)) {
		if (!((const struct itp_bringers *)bringers)->has_several) {
			conclude_jobs(work, GPOINTER_TO_INT(pid), bringers);
		}
	}
}
