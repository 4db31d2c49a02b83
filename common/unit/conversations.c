/* SPDX-License-Identifier: MIT */
/*
 * See conversations.h. Calls of several threads come nearly in the order of time: a child may use a
 * descriptor before its birth is told. The origin of a descriptor counts more than its first use.
 */
#include "common/unit/conversations.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

#include "common/base/hash.h"

/* Most descriptors of all processes, some megabytes: beyond, nothing new is learned. */
#define DESCRIPTORS_MOST (1u << 16)

/* Connection or file that a descriptor leads to, shared by its copies. */
struct descriptor {
	/* How many numbers the process has for it; one of them; and when the call that has made it
	 * returned, 0 if that was not seen. */
	guint numbers;
	int32_t number;
	int64_t made_ns;
	/* Side by the origin; ITP_CONVERSATION_UNKNOWN: the first use tells. */
	enum itp_conversation origin;
	bool was_read_first;
	bool was_read;
	bool was_written;
	/* TCP_CORK was set or taken back; the latest use was a write; and so was the one before. */
	bool was_corked;
	bool is_written;
	bool is_written_again;
	/* Time and thread of the first read not answered by anybody yet; 0: nothing is open. */
	int64_t asked_ns;
	int32_t asker;
	/* Time at which any thread of the process learned of the first read. */
	int64_t learned_ns;
	/* Time of the last read or write before the latest one; of the latest one; of the last look
	 * in vain; and of the call that has accepted it. */
	int64_t used_ns;
	int64_t latest_ns;
	int64_t looked_ns;
	int64_t opened_ns;
	/* Zero: no answer. */
	struct itp_last_answer answer;
	/* Time and thread of the last read. */
	int64_t read_ns;
	int32_t reader;
	/* Until the first use of a connection accepted or taken out of a set: time since which it
	 * was known, and the thread that has done so; 0: neither. */
	int64_t accepted_ns;
	int32_t acceptor;
};

struct itp_conversations {
	/* GHashTable of struct descriptor by number, by pid. Owned by this. */
	GHashTable *processes;
	guint count;
	/* Pid of the parent, by number of a new thread or process. Owned by this. */
	GHashTable *parents;
};

struct itp_conversations *itp_conversations_new(void)
{
	struct itp_conversations *conversations = g_new0(struct itp_conversations, 1);

	conversations->processes = g_hash_table_new_full(itp_hash_number, NULL, NULL,
							 (GDestroyNotify)g_hash_table_unref);
	conversations->parents = g_hash_table_new(itp_hash_number, NULL);
	return conversations;
}

void itp_conversations_free(struct itp_conversations *conversations)
{
	g_hash_table_unref(conversations->processes);
	g_hash_table_unref(conversations->parents);
	g_free(conversations);
}

/* Frees what no number leads to any more. */
static void unref_descriptor(gpointer data)
{
	struct descriptor *descriptor = data;

	if (--descriptor->numbers == 0) {
		g_free(descriptor);
	}
}

static GHashTable *find_process(const struct itp_conversations *conversations, int32_t pid)
{
	return g_hash_table_lookup(conversations->processes, GINT_TO_POINTER(pid));
}

/* Copy of what a parent knows of its descriptor, or of another number of it; no number leads to a
 * new copy yet. `copies` are those made until now, by the parent's. */
static struct descriptor *copy_of(GHashTable *copies, struct descriptor *from, int32_t number)
{
	struct descriptor *copy = g_hash_table_lookup(copies, from);

	if (!copy) {
		copy = g_memdup2(from, sizeof(*from));
		copy->numbers = 0;
		copy->number = number;
		g_hash_table_insert(copies, from, copy);
	}
	return copy;
}

/* Has all numbers of `before`, which may be freed, lead to `descriptor`. */
static void replace(GHashTable *process, const struct descriptor *before,
		    struct descriptor *descriptor)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, process);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		if (data == before) {
			descriptor->numbers++;
			g_hash_table_iter_replace(&iter, descriptor);
		}
	}
}

/* Takes from `from` the descriptors that `process` does not know better. */
static void inherit(struct itp_conversations *conversations, GHashTable *process, GHashTable *from)
{
	g_autoptr(GHashTable) copies = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer number;
	gpointer data;

	g_hash_table_iter_init(&iter, from);
	while (g_hash_table_iter_next(&iter, &number, &data)) {
		const struct descriptor *own = g_hash_table_lookup(process, number);

		if (own && own->origin == ITP_CONVERSATION_UNKNOWN) {
			replace(process, own, copy_of(copies, data, GPOINTER_TO_INT(number)));
		} else if (!own && conversations->count < DESCRIPTORS_MOST) {
			struct descriptor *copy = copy_of(copies, data, GPOINTER_TO_INT(number));

			copy->numbers++;
			conversations->count++;
			g_hash_table_insert(process, number, copy);
		}
	}
}

static GHashTable *descriptors_of_process(struct itp_conversations *conversations, int32_t pid)
{
	GHashTable *process = find_process(conversations, pid);
	gpointer parent;

	if (process) {
		return process;
	}
	process = g_hash_table_new_full(itp_hash_number, NULL, NULL, unref_descriptor);
	g_hash_table_insert(conversations->processes, GINT_TO_POINTER(pid), process);
	parent = g_hash_table_lookup(conversations->parents, GINT_TO_POINTER(pid));
	if (parent && find_process(conversations, GPOINTER_TO_INT(parent))) {
		inherit(conversations, process,
			find_process(conversations, GPOINTER_TO_INT(parent)));
	}
	return process;
}

/* NULL: there are too many. */
static struct descriptor *descriptor_of(struct itp_conversations *conversations, int32_t pid,
					int64_t number)
{
	GHashTable *process = descriptors_of_process(conversations, pid);
	struct descriptor *descriptor = g_hash_table_lookup(process, GINT_TO_POINTER((gint)number));

	if (!descriptor && conversations->count < DESCRIPTORS_MOST) {
		descriptor = g_new0(struct descriptor, 1);
		descriptor->numbers = 1;
		descriptor->number = (int32_t)number;
		conversations->count++;
		g_hash_table_insert(process, GINT_TO_POINTER((gint)number), descriptor);
	}
	return descriptor;
}

/* Names a descriptor that has lost its number by another one that it still has. */
static void name_again(GHashTable *process, struct descriptor *descriptor)
{
	GHashTableIter iter;
	gpointer number;
	gpointer data;

	g_hash_table_iter_init(&iter, process);
	while (g_hash_table_iter_next(&iter, &number, &data)) {
		if (data == descriptor) {
			descriptor->number = GPOINTER_TO_INT(number);
			return;
		}
	}
}

static void remove_descriptor(struct itp_conversations *conversations, int32_t pid, int64_t number)
{
	GHashTable *process = descriptors_of_process(conversations, pid);
	struct descriptor *descriptor = g_hash_table_lookup(process, GINT_TO_POINTER((gint)number));
	const bool is_shared = descriptor && descriptor->numbers > 1;

	conversations->count -= g_hash_table_remove(process, GINT_TO_POINTER((gint)number));
	if (is_shared && descriptor->number == number) {
		name_again(process, descriptor);
	}
}

static bool has_descriptor(const struct itp_instance *call)
{
	return itp_instance_descriptor(call) >= 0;
}

static const struct descriptor *find_descriptor(const struct itp_conversations *conversations,
						const struct itp_instance *call)
{
	GHashTable *process = find_process(conversations, call->pid);

	return process && has_descriptor(call) ?
		       g_hash_table_lookup(process,
					   GINT_TO_POINTER(itp_instance_descriptor(call))) :
		       NULL;
}

/* Takes the number that a call of close() has given back. The kernel does so first of all: where
 * the call takes long, another thread may have opened something else by that number before its end.
 */
static void close_descriptor(struct itp_conversations *conversations,
			     const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	if (descriptor && descriptor->made_ns <= call->best_begin_ns) {
		remove_descriptor(conversations, call->pid, itp_instance_descriptor(call));
	}
}

/* Opens a descriptor, perhaps with the number of an older one. */
static void open_descriptor(struct itp_conversations *conversations,
			    const struct itp_instance *call, enum itp_conversation origin)
{
	struct descriptor *descriptor;

	remove_descriptor(conversations, call->pid, call->result);
	descriptor = descriptor_of(conversations, call->pid, call->result);
	if (descriptor) {
		descriptor->origin = origin;
		descriptor->made_ns = itp_instance_end_ns(call);
	}
}

/* Calls without bytes change nothing. A client may send the next request, and another thread read
 * it, before the answering system call returns. */
static void note_asked(struct descriptor *descriptor, const struct itp_instance *call,
		       enum itp_descriptor_use use)
{
	if (call->would_block && use == ITP_DESCRIPTOR_READ) {
		descriptor->looked_ns = call->best_begin_ns;
	}
	if (call->would_block || (call->has_result && call->result <= 0)) {
		return;
	}
	descriptor->is_written_again = use == ITP_DESCRIPTOR_WRITTEN && descriptor->is_written;
	descriptor->is_written = use == ITP_DESCRIPTOR_WRITTEN;
	descriptor->used_ns = descriptor->latest_ns;
	descriptor->latest_ns = call->best_begin_ns + call->best_ns;
	if (use == ITP_DESCRIPTOR_WRITTEN) {
		descriptor->asked_ns =
			descriptor->read_ns > call->best_begin_ns ? descriptor->read_ns : 0;
		descriptor->asker = descriptor->reader;
		descriptor->learned_ns = descriptor->asked_ns;
		descriptor->accepted_ns = 0;
		return;
	}
	descriptor->read_ns = call->best_begin_ns + call->best_ns;
	descriptor->reader = call->tid;
	if (descriptor->asked_ns == 0) {
		descriptor->asked_ns = descriptor->read_ns;
		descriptor->asker = call->tid;
		descriptor->learned_ns = descriptor->read_ns;
	}
}

static void use_descriptor(struct itp_conversations *conversations, const struct itp_instance *call,
			   enum itp_descriptor_use use)
{
	struct descriptor *descriptor =
		descriptor_of(conversations, call->pid, itp_instance_descriptor(call));

	if (!descriptor) {
		return;
	}
	if (use == ITP_DESCRIPTOR_CONNECTED) {
		descriptor->origin = ITP_CONVERSATION_ASKS;
		return;
	}
	descriptor->was_read_first |= use == ITP_DESCRIPTOR_READ && !descriptor->was_written;
	descriptor->was_read |= use == ITP_DESCRIPTOR_READ;
	descriptor->was_written |= use == ITP_DESCRIPTOR_WRITTEN;
	note_asked(descriptor, call, use);
}

static void copy_descriptor(struct itp_conversations *conversations,
			    const struct itp_instance *call)
{
	struct descriptor *from =
		descriptor_of(conversations, call->pid, itp_instance_descriptor(call));
	GHashTable *process = descriptors_of_process(conversations, call->pid);
	const gpointer number = GINT_TO_POINTER((gint)call->result);

	if (g_hash_table_lookup(process, number) == from) {
		return;
	}
	remove_descriptor(conversations, call->pid, call->result);
	if (from && conversations->count < DESCRIPTORS_MOST) {
		from->numbers++;
		conversations->count++;
		g_hash_table_insert(process, number, from);
	}
}

/* True when `call` has made a process of its own, and no thread: the first argument of clone() has
 * its flags, of clone3() an address above all flags. */
static bool makes_process(const struct itp_instance *call)
{
	const uint64_t flags = call->words.words[0];

	return call->words.are_known && flags <= UINT32_MAX && !(flags & (CLONE_THREAD | CLONE_VM));
}

/* A forked process has the present descriptors of its parent, who may close them before the child's
 * first call is told. A possible thread inherits at the first call of a process of its own. */
static void note_birth(struct itp_conversations *conversations, const struct itp_instance *call)
{
	const int32_t child = (int32_t)call->result;
	GHashTable *process = find_process(conversations, child);

	if (!process && g_hash_table_size(conversations->parents) < DESCRIPTORS_MOST) {
		g_hash_table_insert(conversations->parents, GINT_TO_POINTER(child),
				    GINT_TO_POINTER(call->pid));
	}
	if (!process && makes_process(call)) {
		(void)descriptors_of_process(conversations, child);
	} else if (process && find_process(conversations, call->pid)) {
		inherit(conversations, process, find_process(conversations, call->pid));
	}
}

static void note_result(struct itp_conversations *conversations, const struct itp_instance *call,
			enum itp_descriptor_use use)
{
	switch (use) {
	case ITP_DESCRIPTOR_ACCEPTS:
		open_descriptor(conversations, call, ITP_CONVERSATION_SERVES);
		break;
	case ITP_DESCRIPTOR_OPENS_FILE:
		open_descriptor(conversations, call, ITP_CONVERSATION_FILE);
		break;
	case ITP_DESCRIPTOR_OPENS:
		open_descriptor(conversations, call, ITP_CONVERSATION_UNKNOWN);
		break;
	case ITP_DESCRIPTOR_OPENS_SIGNAL:
		open_descriptor(conversations, call, ITP_CONVERSATION_LISTENS);
		break;
	case ITP_DESCRIPTOR_COPIED:
		copy_descriptor(conversations, call);
		break;
	case ITP_DESCRIPTOR_INHERITED:
		if (call->result > 0) {
			note_birth(conversations, call);
		}
		break;
	default:
		break;
	}
}

bool itp_conversations_corks(const struct itp_instance *call)
{
	return call->words.are_known && call->words.words[1] == IPPROTO_TCP &&
	       call->words.words[2] == TCP_CORK;
}

static void set_option(struct itp_conversations *conversations, const struct itp_instance *call)
{
	struct descriptor *descriptor =
		descriptor_of(conversations, call->pid, itp_instance_descriptor(call));

	if (descriptor) {
		descriptor->was_corked |= itp_conversations_corks(call);
	}
}

void itp_conversations_note(struct itp_conversations *conversations,
			    const struct itp_instance *call, enum itp_descriptor_use use)
{
	switch (use) {
	case ITP_DESCRIPTOR_UNUSED:
	case ITP_DESCRIPTOR_CONTROLLED:
	case ITP_DESCRIPTOR_EXECUTES:
	case ITP_DESCRIPTOR_SHUT:
	case ITP_DESCRIPTOR_WATCHED:
		break;
	case ITP_DESCRIPTOR_SET:
		if (has_descriptor(call)) {
			set_option(conversations, call);
		}
		break;
	case ITP_DESCRIPTOR_READ:
	case ITP_DESCRIPTOR_WRITTEN:
	case ITP_DESCRIPTOR_CONNECTED:
		if (has_descriptor(call)) {
			use_descriptor(conversations, call, use);
		}
		break;
	case ITP_DESCRIPTOR_CLOSED:
		close_descriptor(conversations, call);
		break;
	default:
		if (call->has_result && call->result >= 0 && call->result <= INT32_MAX) {
			note_result(conversations, call, use);
		}
		break;
	}
}

/* True when a call of fcntl() copies its descriptor. */
static bool is_copy(const struct itp_instance *call)
{
	return call->words.are_known &&
	       (call->words.words[1] == F_DUPFD || call->words.words[1] == F_DUPFD_CLOEXEC);
}

enum itp_descriptor_use itp_conversations_resolve(struct itp_conversations *conversations,
						  struct itp_instance *call,
						  enum itp_descriptor_use use)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	if (use == ITP_DESCRIPTOR_CONTROLLED) {
		use = is_copy(call) ? ITP_DESCRIPTOR_COPIED : ITP_DESCRIPTOR_UNUSED;
	}
	if (!descriptor || descriptor->numbers == 1) {
		return use;
	}
	if (use == ITP_DESCRIPTOR_CLOSED) {
		close_descriptor(conversations, call);
		return ITP_DESCRIPTOR_UNUSED;
	}
	call->words.words[0] = (uint64_t)descriptor->number;
	return use;
}

enum itp_conversation itp_conversations_of(const struct itp_conversations *conversations,
					   const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	if (!descriptor) {
		return ITP_CONVERSATION_UNKNOWN;
	}
	if (descriptor->origin != ITP_CONVERSATION_UNKNOWN) {
		return descriptor->origin;
	}
	if (descriptor->was_read_first) {
		return descriptor->was_written ? ITP_CONVERSATION_SERVES : ITP_CONVERSATION_LISTENS;
	}
	return descriptor->was_written ? ITP_CONVERSATION_ASKS : ITP_CONVERSATION_UNKNOWN;
}

bool itp_conversations_was_read(const struct itp_conversations *conversations,
				const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return descriptor && descriptor->was_read;
}

bool itp_conversations_is_written_again(const struct itp_conversations *conversations,
					const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return descriptor && descriptor->is_written_again;
}

bool itp_conversations_may_hold_back(const struct itp_conversations *conversations,
				     const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return !descriptor || descriptor->origin != ITP_CONVERSATION_SERVES ||
	       descriptor->was_corked || descriptor->is_written_again;
}

bool itp_conversations_was_corked(const struct itp_conversations *conversations,
				  const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return descriptor && descriptor->was_corked;
}

/* Time at which the bytes of a read came: its begin, or, after a sleep in the call, its end. */
static int64_t read_begin_of(const struct itp_instance *call)
{
	return call->use.blocked_ns == 0 ? call->best_begin_ns :
					   call->best_begin_ns + call->best_ns;
}

/* True when the request was there when its connection was accepted, or taken out of a set: no
 * thread has slept for it since. */
static bool has_come_along(const struct descriptor *descriptor, const struct itp_instance *call,
			   struct itp_news found)
{
	return descriptor->accepted_ns > descriptor->looked_ns && call->use.blocked_ns == 0 &&
	       found.slept_ns <= descriptor->accepted_ns;
}

void itp_conversations_accepted(struct itp_conversations *conversations,
				const struct itp_instance *call, int64_t found_ns)
{
	GHashTable *process = find_process(conversations, call->pid);
	struct descriptor *descriptor =
		process ? g_hash_table_lookup(process, GINT_TO_POINTER((gint)call->result)) : NULL;

	if (descriptor) {
		descriptor->accepted_ns = found_ns;
		descriptor->acceptor = call->tid;
		descriptor->opened_ns = call->best_begin_ns;
	}
}

void itp_conversations_taken_out(struct itp_conversations *conversations,
				 const struct itp_instance *call, int64_t found_ns)
{
	GHashTable *process = find_process(conversations, call->pid);
	struct descriptor *descriptor;

	if (!process || !call->words.are_known || call->words.words[1] != EPOLL_CTL_DEL ||
	    call->words.words[2] > INT32_MAX) {
		return;
	}
	descriptor = g_hash_table_lookup(process, GINT_TO_POINTER((gint)call->words.words[2]));
	if (descriptor && found_ns > MAX(descriptor->latest_ns, descriptor->looked_ns)) {
		descriptor->accepted_ns = found_ns;
		descriptor->acceptor = call->tid;
	}
}

int64_t itp_conversations_event_since(const struct itp_conversations *conversations,
				      const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return !descriptor || descriptor->origin == ITP_CONVERSATION_FILE ||
			       call->use.blocked_ns > 0 ||
			       (descriptor->was_written &&
				descriptor->asked_ns != descriptor->read_ns) ?
		       INT64_MAX :
		       MAX(MAX(descriptor->used_ns, descriptor->looked_ns), descriptor->opened_ns);
}

void itp_conversations_found(struct itp_conversations *conversations,
			     const struct itp_instance *call, struct itp_news found,
			     int64_t learned_ns, int64_t latest_ns)
{
	struct descriptor *descriptor =
		descriptor_of(conversations, call->pid, itp_instance_descriptor(call));
	int64_t found_ns = found.time_ns;

	if (!descriptor || descriptor->asked_ns != descriptor->read_ns) {
		return;
	}
	if (found_ns <= descriptor->used_ns || found_ns == INT64_MAX) {
		/* News for an earlier read or answer, or for another client. */
		found_ns = read_begin_of(call);
	}
	if (has_come_along(descriptor, call, found)) {
		found_ns = descriptor->accepted_ns;
		latest_ns = descriptor->accepted_ns;
		descriptor->asker = descriptor->acceptor;
	}
	descriptor->accepted_ns = 0;
	descriptor->asked_ns = MIN(descriptor->asked_ns, found_ns);
	if (learned_ns == INT64_MIN) {
		learned_ns = latest_ns > INT64_MIN ? latest_ns : read_begin_of(call);
	}
	descriptor->learned_ns = MIN(descriptor->read_ns, learned_ns);
}

void itp_conversations_answered(struct itp_conversations *conversations,
				const struct itp_instance *call,
				const struct itp_last_answer *answer)
{
	struct descriptor *descriptor =
		descriptor_of(conversations, call->pid, itp_instance_descriptor(call));

	if (descriptor) {
		descriptor->answer = *answer;
	}
}

struct itp_last_answer itp_conversations_last_answer(const struct itp_conversations *conversations,
						     const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return descriptor && descriptor->answer.tid != 0 ?
		       descriptor->answer :
		       (struct itp_last_answer){ .time_ns = INT64_MIN };
}

bool itp_conversations_is_open(const struct itp_conversations *conversations, int32_t pid,
			       int32_t descriptor)
{
	GHashTable *process = find_process(conversations, pid);
	const struct descriptor *found =
		process ? g_hash_table_lookup(process, GINT_TO_POINTER(descriptor)) : NULL;

	return found && found->asked_ns > 0;
}

int64_t itp_conversations_asked_ns(const struct itp_conversations *conversations,
				   const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return descriptor && descriptor->asker != call->tid ? descriptor->asked_ns : 0;
}

int64_t itp_conversations_learned_ns(const struct itp_conversations *conversations,
				     const struct itp_instance *call)
{
	const struct descriptor *descriptor = find_descriptor(conversations, call);

	return descriptor ? descriptor->learned_ns : 0;
}

void itp_conversations_forget(struct itp_conversations *conversations, int32_t pid)
{
	GHashTable *process = find_process(conversations, pid);

	g_hash_table_remove(conversations->parents, GINT_TO_POINTER(pid));
	if (process) {
		conversations->count -= g_hash_table_size(process);
		g_hash_table_remove(conversations->processes, GINT_TO_POINTER(pid));
	}
}
