/* SPDX-License-Identifier: MIT */
/*
 * See threads.h.
 */
#include "plugins/perf/script/threads.h"

#include "common/base/hash.h"
#include "common/known/syscalls.h"

void itp_new_threads_init(struct itp_new_threads *threads, const struct itp_delivery *delivery)
{
	*threads = (struct itp_new_threads){ .delivery = delivery,
					     .unknown = g_hash_table_new(itp_hash_number, NULL),
					     .told = g_hash_table_new(itp_hash_number, NULL),
					     .makers = g_hash_table_new(itp_hash_number, NULL) };
}

void itp_new_threads_release(struct itp_new_threads *threads)
{
	g_hash_table_unref(threads->unknown);
	g_hash_table_unref(threads->told);
	g_hash_table_unref(threads->makers);
}

void itp_new_threads_know(struct itp_new_threads *threads, int32_t tid)
{
	g_hash_table_remove(threads->unknown, GINT_TO_POINTER(tid));
	g_hash_table_remove(threads->told, GINT_TO_POINTER(tid));
}

int32_t itp_new_threads_find(struct itp_new_threads *threads, int32_t tid)
{
	struct itp_tasks *tasks = threads->delivery->translator.tasks;
	const struct itp_task *task = itp_tasks_find(tasks, tid);
	gpointer pid;

	if (g_hash_table_lookup_extended(threads->told, GINT_TO_POINTER(tid), NULL, &pid)) {
		itp_new_threads_know(threads, tid);
		return GPOINTER_TO_INT(pid);
	}
	if (!task || task->is_ended) {
		itp_tasks_forget_ended(tasks);
		task = itp_tasks_guess(tasks, tid);
		g_hash_table_add(threads->unknown, GINT_TO_POINTER(tid));
	}
	return task->process->pid;
}

void itp_new_threads_watch(struct itp_new_threads *threads, const struct itp_perf_sample *sample)
{
	const struct itp_delivery *delivery = threads->delivery;
	const struct itp_tracepoint *tracepoint =
		&delivery->translator.tracepoints[sample->stamp.attr];
	const char *call = itp_delivery_syscall(delivery, sample);
	gpointer maker = GINT_TO_POINTER(sample->stamp.tid);
	int64_t child;

	if (!call || !itp_syscall_makes_thread(call)) {
		return;
	}
	if (tracepoint->kind == ITP_TRACEPOINT_SYS_ENTER) {
		g_hash_table_add(threads->makers, maker);
		return;
	}
	g_hash_table_remove(threads->makers, maker);
	/* The child may have run before its maker came back. */
	if (itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_RESULT], &sample->raw, &child) &&
	    child > 0 && child <= INT32_MAX &&
	    !itp_tasks_find(delivery->translator.tasks, (int32_t)child)) {
		g_hash_table_add(threads->unknown, GINT_TO_POINTER((int32_t)child));
	}
}

/* Switches tell no names. A new thread has its process' name; one of a new process is left alone
 * until its first sample. */
bool itp_new_threads_switch(struct itp_new_threads *threads, int32_t pid, int32_t tid)
{
	struct itp_tasks *tasks = threads->delivery->translator.tasks;
	const struct itp_task *leader = itp_tasks_find(tasks, pid);

	if (!itp_tasks_find(tasks, tid)) {
		if (!leader) {
			g_hash_table_remove(threads->unknown, GINT_TO_POINTER(tid));
			g_hash_table_insert(threads->told, GINT_TO_POINTER(tid),
					    GINT_TO_POINTER(pid));
			return false;
		}
		itp_tasks_rename(tasks, itp_tasks_get(tasks, pid, tid), leader->comm);
	}
	itp_new_threads_know(threads, tid);
	return true;
}

bool itp_new_threads_may_come(const struct itp_new_threads *threads)
{
	return g_hash_table_size(threads->unknown) > 0 || g_hash_table_size(threads->makers) > 0;
}
