/* SPDX-License-Identifier: MIT */
/*
 * See threads.h.
 */
#include "plugins/perf/script/threads.h"

#include <string.h>

#include "common/base/hash.h"

void itp_new_threads_init(struct itp_new_threads *threads)
{
	threads->unknown = g_hash_table_new(itp_hash_number, NULL);
	threads->told = g_hash_table_new(itp_hash_number, NULL);
	threads->makers = g_hash_table_new(itp_hash_number, NULL);
}

void itp_new_threads_release(struct itp_new_threads *threads)
{
	g_clear_pointer(&threads->unknown, g_hash_table_unref);
	g_clear_pointer(&threads->told, g_hash_table_unref);
	g_clear_pointer(&threads->makers, g_hash_table_unref);
}

static bool makes_thread(struct itp_translator *translator, int64_t number)
{
	static const char *const names[] = { ITP_SYSCALL_PREFIX "clone",
					     ITP_SYSCALL_PREFIX "clone3", ITP_SYSCALL_PREFIX "fork",
					     ITP_SYSCALL_PREFIX "vfork", NULL };
	const char *name =
		itp_function_table_get(translator->functions,
				       itp_syscall_names_function(translator->syscalls, number))
			->name;

	return g_strv_contains(names, name);
}

void itp_new_threads_watch(struct itp_new_threads *threads, struct itp_translator *translator,
			   const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	bool is_enter = tracepoint->kind == ITP_TRACEPOINT_SYS_ENTER;
	gpointer maker = GINT_TO_POINTER(sample->stamp.tid);
	int64_t number;
	int64_t child;

	if ((!is_enter && tracepoint->kind != ITP_TRACEPOINT_SYS_EXIT) ||
	    !itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_SYSCALL], &sample->raw, &number) ||
	    !makes_thread(translator, number)) {
		return;
	}
	if (is_enter) {
		g_hash_table_add(threads->makers, maker);
		return;
	}
	g_hash_table_remove(threads->makers, maker);
	/* The child may have run before its maker came back. */
	if (itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_RESULT], &sample->raw, &child) &&
	    child > 0 && child <= INT32_MAX && !itp_tasks_find(translator->tasks, (int32_t)child)) {
		itp_new_threads_miss(threads, (int32_t)child);
	}
}

void itp_new_threads_know(struct itp_new_threads *threads, int32_t tid)
{
	g_hash_table_remove(threads->unknown, GINT_TO_POINTER(tid));
	g_hash_table_remove(threads->told, GINT_TO_POINTER(tid));
}

void itp_new_threads_tell(struct itp_new_threads *threads, int32_t tid, int32_t pid)
{
	g_hash_table_remove(threads->unknown, GINT_TO_POINTER(tid));
	g_hash_table_insert(threads->told, GINT_TO_POINTER(tid), GINT_TO_POINTER(pid));
}

bool itp_new_threads_was_told(const struct itp_new_threads *threads, int32_t tid, int32_t *ret_pid)
{
	gpointer pid;

	if (!g_hash_table_lookup_extended(threads->told, GINT_TO_POINTER(tid), NULL, &pid)) {
		return false;
	}
	*ret_pid = GPOINTER_TO_INT(pid);
	return true;
}

void itp_new_threads_miss(struct itp_new_threads *threads, int32_t tid)
{
	g_hash_table_add(threads->unknown, GINT_TO_POINTER(tid));
}

bool itp_new_threads_may_come(const struct itp_new_threads *threads)
{
	return g_hash_table_size(threads->unknown) > 0 || g_hash_table_size(threads->makers) > 0;
}
