/* SPDX-License-Identifier: MIT */
/*
 * Inside a filter's message iterator: the effects of an upstream message.
 *
 * A message belongs to a trace handled by the filter (see filter-trace.h), or to a trace of another
 * stage, passed on unchanged, or to nobody here. Private to filter.c, which decides when the next
 * message is due.
 */
#ifndef ITP_MESSAGES_FILTER_ROUTER_H
#define ITP_MESSAGES_FILTER_ROUTER_H

#include "messages/filter-trace.h"

struct itp_filter_router {
	/* Weak. */
	const struct itp_filter_ops *ops;
	const void *params;
	bt_self_message_iterator *self;
	/* Owned by this. */
	struct itp_decoder *decoder;
	/* struct itp_filter_trace *, in the order of their beginning; owned by this. */
	GPtrArray *traces;
	/* Set of const bt_stream *, open and passed on. */
	GHashTable *passed;
	/* const bt_message * for downstream; owned by this. */
	GQueue queue;
	/* The trace whose end is being worked out, or NULL. Weak, in `traces`. */
	struct itp_filter_trace *ending;
	enum itp_filter_ending how;
	/* Events of any type. */
	uint64_t events;
	/* Events of the filter's input type, and streams passed on. */
	uint64_t input_events;
	uint64_t passed_streams;
};

void itp_filter_router_init(struct itp_filter_router *router, const struct itp_filter_ops *ops,
			    const void *params, bt_self_message_iterator *self);
void itp_filter_router_release(struct itp_filter_router *router);

/* Forgets all messages and traces. */
void itp_filter_router_clear(struct itp_filter_router *router);

/* Handles `message`, and takes it. While `ending` is set, call itp_filter_router_end() before. */
bool itp_filter_router_handle(struct itp_filter_router *router, const bt_message *message,
			      GError **error);

/* Takes a step of working out the end of `ending`. */
bool itp_filter_router_end(struct itp_filter_router *router, GError **error);

#endif
