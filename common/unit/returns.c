/* SPDX-License-Identifier: MIT */
/*
 * See returns.h. Events that nobody reads, as of room to write, stay until they are the oldest:
 * each misleads at most one later reader.
 */
#include "common/unit/returns.h"

#include <glib.h>
#include <stdbool.h>

#include "common/base/hash.h"

/* Most returns of a process with events that nobody has taken; the oldest is dropped. */
#define RETURNS_MOST 64

struct one_return {
	int64_t time_ns;
	int32_t tid;
	/* The thread has not come back from a wait for any event since. */
	bool is_latest;
	/* The thread leaves all its events to others. */
	bool is_left;
	/* Number of events that nobody has taken. */
	int64_t count;
};

struct process {
	/* struct one_return in the order in which they are told. Owned by this. */
	GArray *returns;
	/* Time of the latest return with an event. */
	int64_t latest_ns;
};

struct itp_returns {
	/* struct process by pid. Owned by this. */
	GHashTable *processes;
};

static void free_process_returns(gpointer data)
{
	struct process *process = data;

	g_array_unref(process->returns);
	g_free(process);
}

struct itp_returns *itp_returns_new(void)
{
	struct itp_returns *returns = g_new0(struct itp_returns, 1);

	returns->processes =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, free_process_returns);
	return returns;
}

void itp_returns_free(struct itp_returns *returns)
{
	g_hash_table_unref(returns->processes);
	g_free(returns);
}

static struct process *find_process_returns(const struct itp_returns *returns, int32_t pid)
{
	return g_hash_table_lookup(returns->processes, GINT_TO_POINTER(pid));
}

static struct process *process_with_returns(struct itp_returns *returns, int32_t pid)
{
	struct process *process = find_process_returns(returns, pid);

	if (!process) {
		process = g_new(struct process, 1);
		*process = (struct process){
			.returns = g_array_new(FALSE, FALSE, sizeof(struct one_return)),
			.latest_ns = INT64_MIN,
		};
		g_hash_table_insert(returns->processes, GINT_TO_POINTER(pid), process);
	}
	return process;
}

static struct one_return *return_at(const struct process *process, guint i)
{
	return &g_array_index(process->returns, struct one_return, i);
}

void itp_returns_note(struct itp_returns *returns, int32_t pid, int32_t tid, int64_t time_ns,
		      int64_t count, bool is_left)
{
	const struct one_return one = { .time_ns = time_ns,
					.tid = tid,
					.is_latest = true,
					.is_left = is_left,
					.count = count };
	struct process *process = process_with_returns(returns, pid);

	for (guint i = 0; i < process->returns->len; i++) {
		return_at(process, i)->is_latest &= return_at(process, i)->tid != tid;
	}
	if (count <= 0) {
		return;
	}
	if (process->returns->len == RETURNS_MOST) {
		g_array_remove_index(process->returns, 0);
	}
	g_array_append_val(process->returns, one);
	process->latest_ns = time_ns;
}

/* Index of the thread's last return; their number: all its events are taken. */
static guint own_place(const struct process *process, int32_t tid)
{
	guint i = 0;

	while (i < process->returns->len &&
	       !(return_at(process, i)->is_latest && return_at(process, i)->tid == tid)) {
		i++;
	}
	return i;
}

/* Index of the oldest return later than `since_ns` that was left to others; their number: there is
 * none. Threads tell of their returns nearly in order. */
static guint oldest_left(const struct process *process, int64_t since_ns)
{
	guint oldest = process->returns->len;

	for (guint i = 0; i < process->returns->len; i++) {
		if (return_at(process, i)->is_left && return_at(process, i)->time_ns > since_ns &&
		    (oldest == process->returns->len ||
		     return_at(process, i)->time_ns < return_at(process, oldest)->time_ns)) {
			oldest = i;
		}
	}
	return oldest;
}

static int64_t take_return(struct process *process, guint place)
{
	const int64_t time_ns = return_at(process, place)->time_ns;

	if (--return_at(process, place)->count == 0) {
		g_array_remove_index(process->returns, place);
	}
	return time_ns;
}

int64_t itp_returns_take(struct itp_returns *returns, int32_t pid, int32_t tid, int64_t since_ns)
{
	struct process *process = find_process_returns(returns, pid);
	guint place;

	if (!process) {
		return INT64_MIN;
	}
	place = own_place(process, tid);
	if (place == process->returns->len || return_at(process, place)->time_ns <= since_ns) {
		place = oldest_left(process, since_ns);
	}
	return place < process->returns->len ? take_return(process, place) : INT64_MIN;
}

int64_t itp_returns_take_own(struct itp_returns *returns, int32_t pid, int32_t tid)
{
	struct process *process = find_process_returns(returns, pid);
	const guint place = process ? own_place(process, tid) : 0;

	return process && place < process->returns->len ? take_return(process, place) : INT64_MIN;
}

int64_t itp_returns_latest(const struct itp_returns *returns, int32_t pid)
{
	const struct process *process = find_process_returns(returns, pid);

	return process ? process->latest_ns : INT64_MIN;
}

void itp_returns_forget(struct itp_returns *returns, int32_t pid)
{
	g_hash_table_remove(returns->processes, GINT_TO_POINTER(pid));
}
