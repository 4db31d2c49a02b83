/* SPDX-License-Identifier: MIT */
/*
 * See descriptors.h. Calls of several threads come nearly in the order of time: a child may have
 * used a descriptor before its birth is told, so how a descriptor came to be counts more than who
 * spoke first.
 */
#include "common/unit/descriptors.h"

#include "common/base/hash.h"

/* Of all processes: beyond, nothing new is learned. 65536 of them take some megabytes. */
#define DESCRIPTORS_MOST (1u << 16)

static const struct {
	const char *syscall;
	enum itp_descriptor_use use;
} uses[] = {
	{ "accept", ITP_DESCRIPTOR_ACCEPTS },
	{ "accept4", ITP_DESCRIPTOR_ACCEPTS },
	{ "clone", ITP_DESCRIPTOR_INHERITED },
	{ "clone3", ITP_DESCRIPTOR_INHERITED },
	{ "close", ITP_DESCRIPTOR_CLOSED },
	{ "connect", ITP_DESCRIPTOR_CONNECTED },
	{ "creat", ITP_DESCRIPTOR_OPENS_FILE },
	{ "dup", ITP_DESCRIPTOR_COPIED },
	{ "dup2", ITP_DESCRIPTOR_COPIED },
	{ "dup3", ITP_DESCRIPTOR_COPIED },
	{ "eventfd2", ITP_DESCRIPTOR_OPENS },
	{ "fork", ITP_DESCRIPTOR_INHERITED },
	{ "inotify_init1", ITP_DESCRIPTOR_OPENS },
	{ "open", ITP_DESCRIPTOR_OPENS_FILE },
	{ "openat", ITP_DESCRIPTOR_OPENS_FILE },
	{ "openat2", ITP_DESCRIPTOR_OPENS_FILE },
	{ "read", ITP_DESCRIPTOR_READ },
	{ "readv", ITP_DESCRIPTOR_READ },
	{ "recvfrom", ITP_DESCRIPTOR_READ },
	{ "recvmmsg", ITP_DESCRIPTOR_READ },
	{ "recvmsg", ITP_DESCRIPTOR_READ },
	{ "sendfile", ITP_DESCRIPTOR_WRITTEN },
	{ "sendfile64", ITP_DESCRIPTOR_WRITTEN },
	{ "sendmmsg", ITP_DESCRIPTOR_WRITTEN },
	{ "sendmsg", ITP_DESCRIPTOR_WRITTEN },
	{ "sendto", ITP_DESCRIPTOR_WRITTEN },
	{ "signalfd4", ITP_DESCRIPTOR_OPENS },
	{ "socket", ITP_DESCRIPTOR_OPENS },
	{ "timerfd_create", ITP_DESCRIPTOR_OPENS },
	{ "vfork", ITP_DESCRIPTOR_INHERITED },
	{ "write", ITP_DESCRIPTOR_WRITTEN },
	{ "writev", ITP_DESCRIPTOR_WRITTEN },
};

struct descriptor {
	/* By how it came to be; ITP_SIDE_UNKNOWN where its first use tells. */
	enum itp_descriptor_side origin;
	bool was_read_first;
	bool was_read;
	bool was_written;
};

struct itp_descriptors {
	/* By pid: GHashTable of struct descriptor by its number. Owned by this. */
	GHashTable *processes;
	guint count;
	/* By number of a thread or process that was made: the pid of its parent. Owned by this. */
	GHashTable *parents;
};

struct itp_descriptors *itp_descriptors_new(void)
{
	struct itp_descriptors *descriptors = g_new0(struct itp_descriptors, 1);

	descriptors->processes = g_hash_table_new_full(itp_hash_number, NULL, NULL,
						       (GDestroyNotify)g_hash_table_unref);
	descriptors->parents = g_hash_table_new(itp_hash_number, NULL);
	return descriptors;
}

void itp_descriptors_free(struct itp_descriptors *descriptors)
{
	g_hash_table_unref(descriptors->processes);
	g_hash_table_unref(descriptors->parents);
	g_free(descriptors);
}

enum itp_descriptor_use itp_descriptor_use_of(const char *syscall)
{
	for (size_t i = 0; i < G_N_ELEMENTS(uses); i++) {
		if (g_str_equal(uses[i].syscall, syscall)) {
			return uses[i].use;
		}
	}
	return ITP_DESCRIPTOR_UNUSED;
}

static GHashTable *find_process(const struct itp_descriptors *descriptors, int32_t pid)
{
	return g_hash_table_lookup(descriptors->processes, GINT_TO_POINTER(pid));
}

/* Takes what `from` has and `process` does not know better. */
static void inherit(struct itp_descriptors *descriptors, GHashTable *process, GHashTable *from)
{
	GHashTableIter iter;
	gpointer number;
	gpointer data;

	g_hash_table_iter_init(&iter, from);
	while (g_hash_table_iter_next(&iter, &number, &data)) {
		struct descriptor *own = g_hash_table_lookup(process, number);

		if (own && own->origin == ITP_SIDE_UNKNOWN) {
			*own = *(const struct descriptor *)data;
		} else if (!own && descriptors->count < DESCRIPTORS_MOST) {
			descriptors->count++;
			g_hash_table_insert(process, number,
					    g_memdup2(data, sizeof(struct descriptor)));
		}
	}
}

static GHashTable *process_of(struct itp_descriptors *descriptors, int32_t pid)
{
	GHashTable *process = find_process(descriptors, pid);
	gpointer parent;

	if (process) {
		return process;
	}
	process = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	g_hash_table_insert(descriptors->processes, GINT_TO_POINTER(pid), process);
	parent = g_hash_table_lookup(descriptors->parents, GINT_TO_POINTER(pid));
	if (parent && find_process(descriptors, GPOINTER_TO_INT(parent))) {
		inherit(descriptors, process, find_process(descriptors, GPOINTER_TO_INT(parent)));
	}
	return process;
}

/* NULL: there are too many. */
static struct descriptor *descriptor_of(struct itp_descriptors *descriptors, int32_t pid,
					int64_t number)
{
	GHashTable *process = process_of(descriptors, pid);
	struct descriptor *descriptor = g_hash_table_lookup(process, GINT_TO_POINTER((gint)number));

	if (!descriptor && descriptors->count < DESCRIPTORS_MOST) {
		descriptor = g_new0(struct descriptor, 1);
		descriptors->count++;
		g_hash_table_insert(process, GINT_TO_POINTER((gint)number), descriptor);
	}
	return descriptor;
}

static void remove_descriptor(struct itp_descriptors *descriptors, int32_t pid, int64_t number)
{
	GHashTable *process = process_of(descriptors, pid);

	descriptors->count -= g_hash_table_remove(process, GINT_TO_POINTER((gint)number));
}

/* Another one has the number now. */
static void open_descriptor(struct itp_descriptors *descriptors, int32_t pid, int64_t number,
			    enum itp_descriptor_side origin)
{
	struct descriptor *descriptor;

	remove_descriptor(descriptors, pid, number);
	descriptor = descriptor_of(descriptors, pid, number);
	if (descriptor) {
		descriptor->origin = origin;
	}
}

static void use_descriptor(struct itp_descriptors *descriptors, const struct itp_instance *call,
			   enum itp_descriptor_use use)
{
	struct descriptor *descriptor =
		descriptor_of(descriptors, call->pid, itp_instance_descriptor(call));

	if (!descriptor) {
		return;
	}
	if (use == ITP_DESCRIPTOR_CONNECTED) {
		descriptor->origin = ITP_SIDE_ASKS;
		return;
	}
	descriptor->was_read_first |= use == ITP_DESCRIPTOR_READ && !descriptor->was_written;
	descriptor->was_read |= use == ITP_DESCRIPTOR_READ;
	descriptor->was_written |= use == ITP_DESCRIPTOR_WRITTEN;
}

static void copy_descriptor(struct itp_descriptors *descriptors, const struct itp_instance *call)
{
	const struct descriptor *from =
		descriptor_of(descriptors, call->pid, itp_instance_descriptor(call));
	const struct descriptor copied = from ? *from : (struct descriptor){ 0 };
	struct descriptor *to;

	if (call->result != itp_instance_descriptor(call)) {
		remove_descriptor(descriptors, call->pid, call->result);
		to = descriptor_of(descriptors, call->pid, call->result);
		if (to) {
			*to = copied;
		}
	}
}

/* A child of which no call was told yet inherits when the first one is. */
static void note_birth(struct itp_descriptors *descriptors, int32_t parent, int32_t child)
{
	GHashTable *process = find_process(descriptors, child);

	if (process && find_process(descriptors, parent)) {
		inherit(descriptors, process, find_process(descriptors, parent));
	} else if (g_hash_table_size(descriptors->parents) < DESCRIPTORS_MOST) {
		g_hash_table_insert(descriptors->parents, GINT_TO_POINTER(child),
				    GINT_TO_POINTER(parent));
	}
}

static void note_result(struct itp_descriptors *descriptors, const struct itp_instance *call,
			enum itp_descriptor_use use)
{
	switch (use) {
	case ITP_DESCRIPTOR_ACCEPTS:
		open_descriptor(descriptors, call->pid, call->result, ITP_SIDE_SERVES);
		break;
	case ITP_DESCRIPTOR_OPENS_FILE:
		open_descriptor(descriptors, call->pid, call->result, ITP_SIDE_FILE);
		break;
	case ITP_DESCRIPTOR_OPENS:
		open_descriptor(descriptors, call->pid, call->result, ITP_SIDE_UNKNOWN);
		break;
	case ITP_DESCRIPTOR_COPIED:
		copy_descriptor(descriptors, call);
		break;
	case ITP_DESCRIPTOR_INHERITED:
		if (call->result > 0) {
			note_birth(descriptors, call->pid, (int32_t)call->result);
		}
		break;
	default:
		break;
	}
}

static bool has_descriptor(const struct itp_instance *call)
{
	return itp_instance_descriptor(call) >= 0;
}

void itp_descriptors_note(struct itp_descriptors *descriptors, const struct itp_instance *call,
			  enum itp_descriptor_use use)
{
	switch (use) {
	case ITP_DESCRIPTOR_UNUSED:
		break;
	case ITP_DESCRIPTOR_READ:
	case ITP_DESCRIPTOR_WRITTEN:
	case ITP_DESCRIPTOR_CONNECTED:
		if (has_descriptor(call)) {
			use_descriptor(descriptors, call, use);
		}
		break;
	case ITP_DESCRIPTOR_CLOSED:
		if (has_descriptor(call)) {
			remove_descriptor(descriptors, call->pid, itp_instance_descriptor(call));
		}
		break;
	default:
		if (call->has_result && call->result >= 0 && call->result <= INT32_MAX) {
			note_result(descriptors, call, use);
		}
		break;
	}
}

enum itp_descriptor_side itp_descriptors_side(const struct itp_descriptors *descriptors,
					      const struct itp_instance *call)
{
	GHashTable *process = find_process(descriptors, call->pid);
	const struct descriptor *descriptor =
		process && has_descriptor(call) ?
			g_hash_table_lookup(process,
					    GINT_TO_POINTER((gint)itp_instance_descriptor(call))) :
			NULL;

	if (!descriptor) {
		return ITP_SIDE_UNKNOWN;
	}
	return descriptor->origin != ITP_SIDE_UNKNOWN ? descriptor->origin :
	       !descriptor->was_read_first            ? descriptor->was_written ? ITP_SIDE_ASKS :
										  ITP_SIDE_UNKNOWN :
	       descriptor->was_written                ? ITP_SIDE_SERVES :
							ITP_SIDE_LISTENS;
}

void itp_descriptors_forget(struct itp_descriptors *descriptors, int32_t pid)
{
	GHashTable *process = find_process(descriptors, pid);

	g_hash_table_remove(descriptors->parents, GINT_TO_POINTER(pid));
	if (process) {
		descriptors->count -= g_hash_table_size(process);
		g_hash_table_remove(descriptors->processes, GINT_TO_POINTER(pid));
	}
}
