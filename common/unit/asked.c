/* SPDX-License-Identifier: MIT */
/*
 * See asked.h. Most reads and writes of most programs are of files, which ask for nothing: they are
 * left out before any look-up.
 */
#include "common/unit/asked.h"

#include <string.h>

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/known/modules.h"
#include "common/unit/conversations.h"
#include "common/unit/waits.h"

/* Number of descriptors, from 0 on, remembered as files. */
#define FILES_KNOWN 1024
/* Most open requests of one process; reads of further ones count for nothing. */
#define OPEN_MOST 4096

/* Uses of a system call, beside an enum itp_descriptor_use. */
enum {
	USE_MASK = 15,
	IS_LOOKED_UP = 1 << 4,
	LISTENS = 1 << 5,
	BINDS = 1 << 6,
	/* Wait for any event. */
	WAITS = 1 << 7,
};

/* Latest bytes of others read by a thread. */
struct turn {
	/* The thread has not waited for more since the read. */
	bool is_open;
	/* It has answered since. */
	bool is_answered;
	int32_t descriptor;
	int64_t since_ns;
	/* System call, and function of the read, which is looked up once for a thread that reads in
	 * one place. */
	uint32_t node;
	uint32_t at;
};

struct request {
	int32_t tid;
	int64_t since_ns;
};

struct process {
	uint64_t files[FILES_KNOWN / 64];
	bool has_bound;
	/* Serves others; and has accepted a connection of theirs, or answered. */
	bool serves;
	bool has_served;
	bool has_answered;
	/* Its latest call is an execve() that did not return. */
	bool is_executing;
	/* struct request by descriptor; and descriptors of questions to others, with no read since.
	 * Owned by this. */
	GHashTable *open;
	GHashTable *questions;
};

struct itp_asked {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	struct itp_infer *infer;
	/* Owned by this. */
	struct itp_conversations *conversations;
	/* uint8_t by node: uses of its system call; 0: not looked up. Owned by this. */
	GArray *contexts;
	/* struct process by pid. Owned by this. */
	GHashTable *processes;
	/* struct turn by tid. Owned by this. */
	GHashTable *turns;
	/* Results of the last look-ups. Weak. */
	int32_t last_pid;
	struct process *last;
	int32_t last_tid;
	struct turn *last_turn;
};

static void free_asking_process(gpointer data)
{
	struct process *process = data;

	g_hash_table_unref(process->open);
	g_hash_table_unref(process->questions);
	g_free(process);
}

struct itp_asked *itp_asked_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions)
{
	struct itp_asked *asked = g_new0(struct itp_asked, 1);

	asked->tree = tree;
	asked->functions = functions;
	asked->conversations = itp_conversations_new();
	asked->contexts = g_array_new(FALSE, TRUE, sizeof(uint8_t));
	asked->processes = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_asking_process);
	asked->turns = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return asked;
}

void itp_asked_free(struct itp_asked *asked)
{
	if (!asked) {
		return;
	}
	itp_conversations_free(asked->conversations);
	g_array_unref(asked->contexts);
	g_hash_table_unref(asked->processes);
	g_hash_table_unref(asked->turns);
	g_free(asked);
}

void itp_asked_set_infer(struct itp_asked *asked, struct itp_infer *infer)
{
	asked->infer = infer;
}

/* ---- System calls ---- */

static uint8_t look_up_function(const struct itp_function *function)
{
	const char *name;

	if (function->layer != ITP_LAYER_SYSCALL) {
		return IS_LOOKED_UP;
	}
	name = function->name + strlen(ITP_SYSCALL_PREFIX);
	return (uint8_t)(IS_LOOKED_UP | itp_descriptor_use_of(name) |
			 (g_str_equal(name, "listen") ? LISTENS : 0) |
			 (g_str_equal(name, "bind") ? BINDS : 0));
}

static uint8_t look_up_at(const struct itp_asked *asked, uint32_t node)
{
	const uint8_t does =
		look_up_function(itp_context_function(asked->tree, asked->functions, node));

	return itp_wait_class_of(asked->tree, asked->functions, node) == ITP_WAIT_CLASS_EVENT ?
		       does | WAITS :
		       does;
}

static uint8_t facts_of_node(struct itp_asked *asked, uint32_t node)
{
	uint8_t *context;

	if (node >= asked->contexts->len) {
		g_array_set_size(asked->contexts, MAX(2 * asked->contexts->len, node + 1));
	}
	context = &g_array_index(asked->contexts, uint8_t, node);
	if (*context == 0) {
		*context = look_up_at(asked, node);
	}
	return *context;
}

/* ---- Processes ---- */

static struct process *process_with_questions(struct itp_asked *asked, int32_t pid)
{
	if (!asked->last || asked->last_pid != pid) {
		asked->last_pid = pid;
		asked->last = g_hash_table_lookup(asked->processes, GINT_TO_POINTER(pid));
	}
	if (!asked->last) {
		asked->last = g_new0(struct process, 1);
		asked->last->open = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
		asked->last->questions = g_hash_table_new(itp_hash_number, NULL);
		g_hash_table_insert(asked->processes, GINT_TO_POINTER(pid), asked->last);
	}
	return asked->last;
}

static void forget_process(struct itp_asked *asked, int32_t pid)
{
	g_hash_table_remove(asked->processes, GINT_TO_POINTER(pid));
	itp_conversations_forget(asked->conversations, pid);
	asked->last = NULL;
}

static bool is_file(const struct process *process, int64_t descriptor)
{
	return descriptor >= 0 && descriptor < FILES_KNOWN &&
	       (process->files[descriptor / 64] >> (descriptor % 64) & 1) != 0;
}

static void set_file(struct process *process, int64_t descriptor, bool is_file)
{
	uint64_t bit;

	if (descriptor < 0 || descriptor >= FILES_KNOWN) {
		return;
	}
	bit = UINT64_C(1) << (descriptor % 64);
	if (is_file) {
		process->files[descriptor / 64] |= bit;
	} else {
		process->files[descriptor / 64] &= ~bit;
	}
}

static void set_serves(struct itp_asked *asked, struct process *process, int32_t pid, bool serves)
{
	if (process->serves != serves) {
		process->serves = serves;
		itp_infer_serve(asked->infer, pid, serves);
	}
}

static void note_service(struct itp_asked *asked, struct process *process, int32_t pid)
{
	process->has_served = true;
	set_serves(asked, process, pid, true);
}

static bool has_failed(const struct itp_instance *call)
{
	return call->would_block || (call->has_result && call->result < 0);
}

/* ---- Turns ---- */

/* NULL: the thread has read nothing yet. */
static struct turn *turn_of(struct itp_asked *asked, int32_t tid)
{
	if (!asked->last_turn || asked->last_tid != tid) {
		asked->last_tid = tid;
		asked->last_turn = g_hash_table_lookup(asked->turns, GINT_TO_POINTER(tid));
	}
	return asked->last_turn;
}

static void forget_turn(struct itp_asked *asked, int32_t tid)
{
	g_hash_table_remove(asked->turns, GINT_TO_POINTER(tid));
	asked->last_turn = NULL;
}

/* Tells that the thread has worked on the orders read by it until `until_ns`; or, after an answer,
 * on what comes after it, as a line in a log, unless others woke it: that may have been for another
 * job. */
static void want_turn(struct itp_asked *asked, int32_t tid, int64_t until_ns)
{
	struct turn *turn = turn_of(asked, tid);

	if (turn && turn->is_open) {
		const struct itp_open_time open = {
			.tid = tid,
			.since_ns = turn->since_ns,
			.until_ns = until_ns,
			.at = turn->is_answered ? ITP_CONTEXT_ROOT : turn->at,
			.is_alone = turn->is_answered,
		};

		itp_infer_want(asked->infer, &open);
		turn->is_open = false;
	}
}

/* Ends the thread's turn at a call that may wait for more from the descriptor of its read. */
static void end_turn_of(struct itp_asked *asked, const struct itp_instance *call)
{
	const struct turn *turn = turn_of(asked, call->tid);

	if (turn && turn->descriptor == itp_instance_descriptor(call)) {
		want_turn(asked, call->tid, call->best_begin_ns);
	}
}

/* Function that makes the system call `node`, beyond the C library. */
static uint32_t reader_of(const struct itp_asked *asked, uint32_t node)
{
	do {
		node = itp_context_tree_get(asked->tree, node)->parent;
	} while (node != ITP_CONTEXT_ROOT && itp_module_is_go_between(itp_context_function(
						     asked->tree, asked->functions, node)));
	return node;
}

static void begin_turn(struct itp_asked *asked, const struct itp_instance *call)
{
	struct turn *turn = turn_of(asked, call->tid);

	if (call->node == ITP_CONTEXT_ROOT) {
		return;
	}
	if (!turn) {
		turn = g_new0(struct turn, 1);
		g_hash_table_insert(asked->turns, GINT_TO_POINTER(call->tid), turn);
		asked->last_turn = turn;
	}
	if (turn->node != call->node) {
		turn->node = call->node;
		turn->at = reader_of(asked, call->node);
	}
	turn->is_open = true;
	turn->is_answered = false;
	turn->descriptor = itp_instance_descriptor(call);
	turn->since_ns = itp_instance_end_ns(call);
}

/* ---- Requests ---- */

/* Counts the first bytes of a request. */
static void note_request(struct itp_asked *asked, struct process *process,
			 const struct itp_instance *call)
{
	const gpointer key = GINT_TO_POINTER(itp_instance_descriptor(call));
	struct request *request;

	if (call->has_result && call->result == 0) {
		return;
	}
	begin_turn(asked, call);
	if (g_hash_table_size(process->open) >= OPEN_MOST ||
	    g_hash_table_contains(process->open, key)) {
		return;
	}
	request = g_new(struct request, 1);
	*request = (struct request){ .tid = call->tid, .since_ns = itp_instance_end_ns(call) };
	g_hash_table_insert(process->open, key, request);
}

static void want(struct itp_asked *asked, int32_t tid, int64_t since_ns)
{
	const struct itp_open_time open = {
		.tid = tid, .since_ns = since_ns, .until_ns = INT64_MAX, .at = ITP_CONTEXT_ROOT
	};

	itp_infer_want(asked->infer, &open);
}

/* Counts a write to a descriptor of requests. */
static void note_answer(struct itp_asked *asked, struct process *process,
			const struct itp_instance *call)
{
	const gpointer key = GINT_TO_POINTER(itp_instance_descriptor(call));
	const struct request *request = g_hash_table_lookup(process->open, key);
	struct turn *turn = turn_of(asked, call->tid);

	if (!request) {
		return;
	}
	want(asked, call->tid, request->since_ns);
	g_hash_table_remove(process->open, key);
	process->has_answered = true;
	if (turn) {
		turn->is_open = turn->descriptor == itp_instance_descriptor(call);
		turn->is_answered = true;
		turn->since_ns = itp_instance_end_ns(call);
	}
	if (process->has_bound) {
		note_service(asked, process, call->pid);
	}
}

/* ---- Questions ---- */

static void note_question(struct itp_asked *asked, struct process *process,
			  const struct itp_instance *call)
{
	g_hash_table_add(process->questions, GINT_TO_POINTER(itp_instance_descriptor(call)));
	if (g_hash_table_size(process->questions) == 1) {
		itp_infer_ask(asked->infer, call->pid, true);
	}
}

static void end_question(struct itp_asked *asked, struct process *process,
			 const struct itp_instance *call)
{
	if (g_hash_table_size(process->questions) > 0 &&
	    g_hash_table_remove(process->questions,
				GINT_TO_POINTER(itp_instance_descriptor(call))) &&
	    g_hash_table_size(process->questions) == 0) {
		itp_infer_ask(asked->infer, call->pid, false);
	}
}

static void note_read(struct itp_asked *asked, struct process *process,
		      const struct itp_instance *call)
{
	end_question(asked, process, call);
	if (itp_conversations_of(asked->conversations, call) != ITP_CONVERSATION_ASKS) {
		note_request(asked, process, call);
	} else if (process->serves) {
		itp_infer_await(asked->infer, call->tid, call->best_begin_ns);
	}
}

/* Writes without a read, as to a terminal, get no answer. */
static void note_write(struct itp_asked *asked, struct process *process,
		       const struct itp_instance *call)
{
	switch (itp_conversations_of(asked->conversations, call)) {
	case ITP_CONVERSATION_SERVES:
		note_answer(asked, process, call);
		break;
	case ITP_CONVERSATION_ASKS:
		if (itp_conversations_was_read(asked->conversations, call)) {
			note_question(asked, process, call);
			set_serves(asked, process, call->pid, process->has_served);
		}
		break;
	default:
		break;
	}
}

/* Takes a call on a descriptor, files left out. */
static void note_descriptor_call(struct itp_asked *asked, struct process *process,
				 const struct itp_instance *call, enum itp_descriptor_use use)
{
	itp_conversations_note(asked->conversations, call, use);
	if (use == ITP_DESCRIPTOR_READ || use == ITP_DESCRIPTOR_CLOSED) {
		end_turn_of(asked, call);
	}
	if (use == ITP_DESCRIPTOR_CONNECTED) {
		note_question(asked, process, call);
	}
	if (has_failed(call) || itp_instance_descriptor(call) < 0) {
		return;
	}
	switch (use) {
	case ITP_DESCRIPTOR_READ:
		note_read(asked, process, call);
		break;
	case ITP_DESCRIPTOR_WRITTEN:
		note_write(asked, process, call);
		break;
	case ITP_DESCRIPTOR_CLOSED:
		end_question(asked, process, call);
		g_hash_table_remove(process->open, GINT_TO_POINTER(itp_instance_descriptor(call)));
		break;
	case ITP_DESCRIPTOR_ACCEPTS:
		note_service(asked, process, call->pid);
		break;
	default:
		break;
	}
}

static void add_asking_call(struct itp_asked *asked, const struct itp_instance *call,
			    uint8_t context)
{
	const enum itp_descriptor_use use = (enum itp_descriptor_use)(context & USE_MASK);
	struct process *process = process_with_questions(asked, call->pid);

	if (context & WAITS) {
		want_turn(asked, call->tid, call->best_begin_ns);
	}
	if (context & LISTENS) {
		set_serves(asked, process, call->pid, true);
	}
	process->has_bound |= (context & BINDS) != 0;
	process->is_executing = use == ITP_DESCRIPTOR_EXECUTES && !call->has_result;
	switch (use) {
	case ITP_DESCRIPTOR_EXECUTES:
	case ITP_DESCRIPTOR_UNUSED:
	case ITP_DESCRIPTOR_WATCHED:
		return;
	case ITP_DESCRIPTOR_OPENS_FILE:
		if (call->has_result) {
			set_file(process, call->result, true);
		}
		return;
	case ITP_DESCRIPTOR_CLOSED:
		if (is_file(process, itp_instance_descriptor(call))) {
			set_file(process, itp_instance_descriptor(call), false);
			return;
		}
		break;
	case ITP_DESCRIPTOR_READ:
	case ITP_DESCRIPTOR_WRITTEN:
		if (is_file(process, itp_instance_descriptor(call))) {
			return;
		}
		break;
	default:
		/* The number belongs to another descriptor now. */
		if (call->has_result) {
			set_file(process, call->result, false);
		}
		break;
	}
	note_descriptor_call(asked, process, call, use);
}

/* Tells the thread's open requests at the end of the recording. */
static void want_open(struct itp_asked *asked, const struct itp_instance *thread)
{
	const struct process *process = process_with_questions(asked, thread->pid);
	GHashTableIter iter;
	gpointer descriptor;
	gpointer data;

	g_hash_table_iter_init(&iter, process->open);
	while (process->has_answered && g_hash_table_iter_next(&iter, &descriptor, &data)) {
		const struct request *request = data;
		const struct itp_instance read = {
			.pid = thread->pid,
			.words = { .words = { GPOINTER_TO_UINT(descriptor) }, .are_known = true },
		};

		if (request->tid == thread->tid &&
		    itp_conversations_of(asked->conversations, &read) == ITP_CONVERSATION_SERVES) {
			want(asked, request->tid, request->since_ns);
		}
	}
}

/* True when the process runs another program, with the same descriptors. */
static bool goes_on_elsewhere(struct itp_asked *asked, const struct itp_instance *thread)
{
	return process_with_questions(asked, thread->pid)->is_executing &&
	       !(thread->flags & ITP_INSTANCE_END_UNKNOWN);
}

static void end_thread(struct itp_asked *asked, const struct itp_instance *thread)
{
	const struct turn *turn;

	if ((thread->flags & ITP_INSTANCE_END_UNKNOWN) != 0) {
		want_open(asked, thread);
	}
	turn = turn_of(asked, thread->tid);
	if (turn && !turn->is_answered) {
		want_turn(asked, thread->tid, INT64_MAX);
	}
	forget_turn(asked, thread->tid);
	if (thread->tid == thread->pid && !goes_on_elsewhere(asked, thread)) {
		forget_process(asked, thread->pid);
	}
}

/* Takes the end of a thread, a system call, or a call not looked up yet. */
static G_NO_INLINE void take_instance(struct itp_asked *asked, const struct itp_instance *instance)
{
	const uint8_t context = facts_of_node(asked, instance->node);

	if ((context & ~IS_LOOKED_UP) != 0) {
		add_asking_call(asked, instance, context);
	}
	if (instance->depth == 0) {
		end_thread(asked, instance);
	}
}

/* Nearly all calls are of functions of the program, and leave at once. */
void itp_asked_add(struct itp_asked *asked, const struct itp_instance *instance)
{
	const GArray *contexts = asked->contexts;

	if (instance->depth == 0 || instance->node >= contexts->len ||
	    g_array_index(contexts, uint8_t, instance->node) != IS_LOOKED_UP) {
		take_instance(asked, instance);
	}
}

void itp_asked_add_unplaced(struct itp_asked *asked, const struct itp_instance *call,
			    uint32_t function)
{
	const uint8_t context =
		look_up_function(itp_function_table_get(asked->functions, function));

	if ((context & ~IS_LOOKED_UP) != 0) {
		add_asking_call(asked, call, context);
	}
}
