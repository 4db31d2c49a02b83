/* SPDX-License-Identifier: MIT */
/*
 * See purposes.h.
 */
#include "common/unit/purposes.h"

#include "common/base/hash.h"

struct votes {
	bool is_for_any_event;
	uint64_t work;
	uint64_t answer;
};

/* Latest wait of a thread for any event, until a read behind it. */
struct pending {
	uint32_t node;
	enum itp_halt_cause cause;
};

struct itp_purposes {
	/* struct votes by node; struct pending by tid. Owned by this. */
	GHashTable *votes;
	GHashTable *pending;
};

struct itp_purposes *itp_purposes_new(void)
{
	struct itp_purposes *purposes = g_new0(struct itp_purposes, 1);

	purposes->votes = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	purposes->pending = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return purposes;
}

void itp_purposes_free(struct itp_purposes *purposes)
{
	g_hash_table_unref(purposes->votes);
	g_hash_table_unref(purposes->pending);
	g_free(purposes);
}

static struct votes *votes_of(struct itp_purposes *purposes, uint32_t node)
{
	struct votes *votes = g_hash_table_lookup(purposes->votes, GUINT_TO_POINTER(node));

	if (!votes) {
		votes = g_new0(struct votes, 1);
		g_hash_table_insert(purposes->votes, GUINT_TO_POINTER(node), votes);
	}
	return votes;
}

static void vote(struct itp_purposes *purposes, uint32_t node, bool is_for_work)
{
	struct votes *votes = votes_of(purposes, node);

	votes->work += is_for_work;
	votes->answer += !is_for_work;
}

static void vote_by_cause(struct itp_purposes *purposes, uint32_t node, enum itp_halt_cause cause)
{
	if (cause != ITP_CAUSE_UNKNOWN) {
		vote(purposes, node, cause == ITP_CAUSE_OTHERS);
	}
}

/* Votes by the descriptor's side. A pipe may bring an answer to a write elsewhere. */
static void vote_by_side(struct itp_purposes *purposes, uint32_t node, enum itp_conversation side,
			 enum itp_halt_cause cause)
{
	switch (side) {
	case ITP_CONVERSATION_SERVES:
		vote(purposes, node, true);
		break;
	case ITP_CONVERSATION_ASKS:
		vote(purposes, node, false);
		break;
	case ITP_CONVERSATION_LISTENS:
		vote(purposes, node, cause != ITP_CAUSE_OWN);
		break;
	case ITP_CONVERSATION_FILE:
		break;
	default:
		vote_by_cause(purposes, node, cause);
		break;
	}
}

static void vote_by_request(struct itp_purposes *purposes, const struct itp_halt *halt)
{
	if (halt->request.place != ITP_REQUEST_UNKNOWN) {
		vote(purposes, halt->node, halt->request.place == ITP_REQUEST_ANSWERED);
	} else {
		vote_by_cause(purposes, halt->node, halt->cause);
	}
}

/* Votes for the thread's latest wait for any event, by the read behind it. */
static void settle_wait_votes(struct itp_purposes *purposes, const struct itp_halt *halt)
{
	struct pending *pending =
		g_hash_table_lookup(purposes->pending, GINT_TO_POINTER(halt->tid));

	if (!pending) {
		return;
	}
	if (halt->request.has_waited_to_write) {
		vote(purposes, pending->node, false);
	} else if (halt->class == ITP_WAIT_CLASS_DATA && !halt->would_block) {
		vote_by_side(purposes, pending->node, halt->side, pending->cause);
	} else if (halt->accepts) {
		vote(purposes, pending->node, true);
	} else if (halt->class != ITP_WAIT_CLASS_EVENT) {
		return;
	}
	g_hash_table_remove(purposes->pending, GINT_TO_POINTER(halt->tid));
}

void itp_purposes_note(struct itp_purposes *purposes, const struct itp_halt *halt)
{
	settle_wait_votes(purposes, halt);
	if (halt->node == ITP_CONTEXT_ROOT || halt->only_looks ||
	    halt->outcome == ITP_HALT_INTERRUPTED || halt->outcome == ITP_HALT_NOTHING) {
		return;
	}
	if (halt->accepts) {
		vote(purposes, halt->node, true);
	} else if (halt->class == ITP_WAIT_CLASS_EVENT) {
		struct pending *pending = g_new(struct pending, 1);

		*pending = (struct pending){ halt->node, halt->cause };
		g_hash_table_insert(purposes->pending, GINT_TO_POINTER(halt->tid), pending);
		votes_of(purposes, halt->node)->is_for_any_event = true;
	} else if (halt->blocked_ns > 0 && halt->class == ITP_WAIT_CLASS_DATA) {
		vote_by_side(purposes, halt->node, halt->side, halt->cause);
	} else if (halt->blocked_ns > 0) {
		vote_by_request(purposes, halt);
	}
}

enum itp_purpose itp_purposes_of(const struct itp_purposes *purposes, uint32_t node,
				 double *ret_part)
{
	const struct votes *votes = g_hash_table_lookup(purposes->votes, GUINT_TO_POINTER(node));

	const uint64_t all = votes ? votes->work + votes->answer : 0;
	const uint64_t least = all > 0 && votes->is_for_any_event ? ITP_PURPOSE_EVENT_PART :
								    ITP_PURPOSE_PART;

	*ret_part = 0;
	if (all == 0) {
		return ITP_PURPOSE_UNKNOWN;
	}
	*ret_part = (double)votes->work / (double)all;
	return votes->work * least >= all ? ITP_PURPOSE_WORK : ITP_PURPOSE_ANSWER;
}
