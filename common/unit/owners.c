/* SPDX-License-Identifier: MIT */
/*
 * See owners.h.
 */
#include "common/unit/owners.h"

#include <glib.h>

#include "common/base/hash.h"

/* Most descriptors known of a thread; beyond, nothing new is learned. */
#define DESCRIPTORS_MOST (1u << 16)

struct thread {
	int32_t owner;
	/* Descriptors of clients with open requests; and the client of the latest question, by
	 * descriptor of the server asked. Owned by this. */
	GHashTable *open;
	GHashTable *asked;
};

struct itp_owners {
	/* struct thread by tid. Owned by this. */
	GHashTable *threads;
};

static void free_owning_thread(gpointer data)
{
	struct thread *thread = data;

	g_hash_table_unref(thread->open);
	g_hash_table_unref(thread->asked);
	g_free(thread);
}

struct itp_owners *itp_owners_new(void)
{
	struct itp_owners *owners = g_new0(struct itp_owners, 1);

	owners->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_owning_thread);
	return owners;
}

void itp_owners_free(struct itp_owners *owners)
{
	g_hash_table_unref(owners->threads);
	g_free(owners);
}

static struct thread *find_owning_thread(const struct itp_owners *owners, int32_t tid)
{
	return g_hash_table_lookup(owners->threads, GINT_TO_POINTER(tid));
}

static struct thread *thread_with_owner(struct itp_owners *owners, int32_t tid)
{
	struct thread *thread = find_owning_thread(owners, tid);

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->owner = ITP_OWNER_NONE;
		thread->open = g_hash_table_new(itp_hash_number, NULL);
		thread->asked = g_hash_table_new(itp_hash_number, NULL);
		g_hash_table_insert(owners->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

static bool is_open(const struct thread *thread, int32_t client)
{
	return g_hash_table_contains(thread->open, GINT_TO_POINTER(client));
}

bool itp_owners_is_open(const struct itp_owners *owners, int32_t tid, int32_t client)
{
	const struct thread *thread = find_owning_thread(owners, tid);

	return thread && is_open(thread, client);
}

void itp_owners_open(struct itp_owners *owners, int32_t tid, int32_t client)
{
	struct thread *thread = thread_with_owner(owners, tid);

	if (g_hash_table_size(thread->open) < DESCRIPTORS_MOST) {
		g_hash_table_add(thread->open, GINT_TO_POINTER(client));
	}
}

void itp_owners_close(struct itp_owners *owners, int32_t tid, int32_t client)
{
	struct thread *thread = find_owning_thread(owners, tid);

	if (thread) {
		g_hash_table_remove(thread->open, GINT_TO_POINTER(client));
	}
}

int32_t itp_owners_of(const struct itp_owners *owners, int32_t tid)
{
	const struct thread *thread = find_owning_thread(owners, tid);

	return thread ? thread->owner : ITP_OWNER_NONE;
}

/* A thread writes to a server for its present request; a server's answer, and a write without a
 * known request, belong to the client of the last question to the server. */
static int32_t owner_of_asked(const struct thread *thread, int32_t descriptor,
			      enum itp_descriptor_use use)
{
	gpointer client;

	if (use == ITP_DESCRIPTOR_WRITTEN && thread->owner != ITP_OWNER_NONE) {
		return thread->owner;
	}
	return g_hash_table_lookup_extended(thread->asked, GINT_TO_POINTER(descriptor), NULL,
					    &client) &&
			       is_open(thread, GPOINTER_TO_INT(client)) ?
		       GPOINTER_TO_INT(client) :
		       ITP_OWNER_NONE;
}

int32_t itp_owners_of_call(const struct itp_owners *owners, const struct itp_instance *call,
			   enum itp_descriptor_use use, enum itp_conversation side)
{
	const struct thread *thread = find_owning_thread(owners, call->tid);
	const int32_t descriptor = itp_instance_descriptor(call);

	if (!thread || descriptor < 0 ||
	    (use != ITP_DESCRIPTOR_READ && use != ITP_DESCRIPTOR_WRITTEN)) {
		return ITP_OWNER_NONE;
	}
	return side == ITP_CONVERSATION_ASKS ? owner_of_asked(thread, descriptor, use) :
	       side == ITP_CONVERSATION_SERVES && is_open(thread, descriptor) ? descriptor :
										ITP_OWNER_NONE;
}

void itp_owners_turn(struct itp_owners *owners, int32_t tid, int32_t client)
{
	if (client != ITP_OWNER_NONE || find_owning_thread(owners, tid)) {
		thread_with_owner(owners, tid)->owner = client;
	}
}

void itp_owners_note(struct itp_owners *owners, const struct itp_instance *call,
		     enum itp_descriptor_use use, enum itp_conversation side)
{
	struct thread *thread = find_owning_thread(owners, call->tid);
	const gpointer descriptor = GINT_TO_POINTER(itp_instance_descriptor(call));

	if (!thread || itp_instance_descriptor(call) < 0) {
		return;
	}
	if (use == ITP_DESCRIPTOR_CLOSED) {
		g_hash_table_remove(thread->asked, descriptor);
	} else if (side == ITP_CONVERSATION_ASKS && thread->owner != ITP_OWNER_NONE &&
		   (use == ITP_DESCRIPTOR_WRITTEN || use == ITP_DESCRIPTOR_CONNECTED) &&
		   g_hash_table_size(thread->asked) < DESCRIPTORS_MOST) {
		g_hash_table_insert(thread->asked, descriptor, GINT_TO_POINTER(thread->owner));
	}
}

void itp_owners_forget(struct itp_owners *owners, int32_t tid)
{
	g_hash_table_remove(owners->threads, GINT_TO_POINTER(tid));
}
