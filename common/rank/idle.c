/* SPDX-License-Identifier: MIT */
/*
 * Rules of idle waits, and the facts about threads by which idle-proofs.c proves a wait.
 */
#include "common/rank/idle.h"

#include "common/base/patterns.h"
#include "common/known/kernel-waits.h"
#include "common/known/starts.h"
#include "common/rank/idle-proofs.h"

static void sum_cpu(struct itp_idle_search *search)
{
	for (uint32_t node = search->state->node_count; node-- > 1;) {
		for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
			search->cpu_ns[node] += itp_idle_stats(search, side, node)->own_use.cpu_ns;
		}
		search->cpu_ns[itp_rank_parent(search->state, node)] += search->cpu_ns[node];
	}
}

static void sum_timed(struct itp_idle_search *search)
{
	const struct itp_rank_state *state = search->state;
	const struct itp_wakers *wakers = search->profiles[0]->wakers;

	for (uint32_t node = state->node_count; node-- > 1;) {
		guint count = 0;
		const struct itp_waker *list = node < itp_wakers_node_count(wakers) ?
						       itp_wakers_of_node(wakers, node, &count) :
						       NULL;

		for (guint i = 0; i < count; i++) {
			if (itp_waker_is_timer(state->functions, &list[i])) {
				search->timed_ns[node] += list[i].blocked_ns;
			}
		}
		search->timed_ns[itp_rank_parent(state, node)] += search->timed_ns[node];
	}
}

static bool is_disk_wait(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL && itp_kernel_wait_is_for_disk(function->name);
}

static bool is_pipe_read(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL && itp_kernel_wait_is_for_pipe(function->name);
}

/* Marks functions for which `is_so` holds, and their callers inside the same system call. */
static void mark_calls(const struct itp_rank_state *state,
		       bool (*is_so)(const struct itp_function *function), bool *marks)
{
	for (uint32_t node = state->node_count; node-- > 1;) {
		const struct itp_function *function = itp_rank_function(state, node);

		marks[node] |= is_so(function);
		if (marks[node] && function->layer != ITP_LAYER_SYSCALL) {
			marks[itp_rank_parent(state, node)] = true;
		}
	}
}

uint32_t itp_idle_waiter(const struct itp_rank_state *state, uint32_t node)
{
	do {
		node = itp_rank_parent(state, node);
	} while (itp_rank_is_frame(state, node) && itp_idle_is_runtime(state, node));
	return node;
}

static void find_roots(const struct itp_rank_state *state, struct itp_idle_call *wait)
{
	uint32_t first = wait->node;
	uint32_t node;

	wait->root = wait->node;
	for (node = wait->node; itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		first = node;
		wait->root = itp_module_kind_is_own(itp_rank_kind(state, node)) ? node : wait->root;
	}
	wait->life = wait->root == wait->node ? first : wait->root;
}

/* Caller of the code of `waiter`. */
static uint32_t caller_of(const struct itp_rank_state *state, uint32_t waiter)
{
	uint32_t caller = itp_rank_parent(state, waiter);

	while (itp_rank_function(state, waiter)->is_inlined && itp_rank_is_frame(state, caller)) {
		waiter = caller;
		caller = itp_rank_parent(state, caller);
	}
	return caller;
}

/* True if a function with a name like `through` (NULL: any) is the waiter, its caller, or a callee
 * on the way to the wait. */
static bool passes(const struct itp_rank_state *state, uint32_t node, uint32_t waiter,
		   const char *through)
{
	uint32_t last = caller_of(state, waiter);
	bool found = through == NULL;

	while (!found && node != last) {
		node = itp_rank_parent(state, node);
		found = itp_pattern_matches(through, itp_rank_function(state, node)->name);
	}
	return found;
}

/* True for a thread of a virtual machine's own, without any code of the program. */
static bool is_of_machine(const struct itp_rank_state *state, uint32_t node)
{
	bool is_of_machine = false;

	for (; itp_rank_is_frame(state, node); node = itp_rank_parent(state, node)) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (itp_machine_runs(function)) {
			return false;
		}
		is_of_machine |= itp_machine_is_file(function->module);
	}
	return is_of_machine;
}

/* True if it is known who waits, or if nothing is to be proved. Stacks that do not reach the
 * program do not tell, unless there is no program to reach. */
static bool may_wait(const struct itp_rank_state *state, uint32_t node, uint32_t waiter,
		     enum itp_idle_proof proof)
{
	if (!itp_rank_is_frame(state, waiter)) {
		return proof == ITP_IDLE_ALWAYS || proof == ITP_IDLE_TO_AN_END ||
		       proof == ITP_IDLE_MOST_OF_A_THREAD ||
		       (proof != ITP_IDLE_BESIDE_WORK && is_of_machine(state, node));
	}
	return itp_module_kind_is_own(itp_rank_kind(state, waiter)) ||
	       itp_module_is_event_loop(itp_rank_function(state, waiter));
}

/* True for a call that the base never made there: nobody designed the base to wait so. */
static bool is_new(const struct itp_idle_search *search, uint32_t node)
{
	return search->profiles[1] && itp_idle_stats(search, 1, node)->count == 0;
}

static void consider(struct itp_idle_search *search, uint32_t node)
{
	const struct itp_rank_state *state = search->state;
	const struct itp_function *function = itp_rank_function(state, node);
	const char *call = itp_function_syscall(function);
	const struct itp_idle_rule *rule;
	struct itp_idle_call wait = { .node = node };
	size_t at = 0;

	if (!call) {
		return;
	}
	wait.waiter = itp_idle_waiter(state, node);
	find_roots(state, &wait);
	while ((rule = itp_idle_rule_next(call, &at)) != NULL) {
		wait.proof = rule->proof;
		if ((is_new(search, node) && wait.proof != ITP_IDLE_TO_AN_END) ||
		    !passes(state, node, wait.waiter, rule->through)) {
			continue;
		}
		if (wait.proof == ITP_IDLE_NEVER) {
			return;
		}
		if (may_wait(state, node, wait.waiter, wait.proof)) {
			g_array_append_val(search->waits, wait);
			return;
		}
	}
}

/* Work for the kernel's threads comes from others, which wait for it themselves if they have to. */
static void find_kernel_threads(struct itp_rank_state *state)
{
	g_autofree bool *is_in_thread = g_new0(bool, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_function *function = itp_rank_function(state, node);
		uint32_t parent = itp_rank_parent(state, node);

		if (function->layer != ITP_LAYER_KERNEL || is_disk_wait(function)) {
			continue;
		}
		is_in_thread[node] = itp_rank_is_frame(state, parent) ?
					     is_in_thread[parent] :
					     itp_start_is_of_kernel(function->name);
		state->waits_for_work[node] |= is_in_thread[node] &&
					       itp_kernel_wait_is_schedulers(function->name);
	}
}

static void sum_waits(struct itp_idle_search *search)
{
	for (guint i = 0; i < search->waits->len; i++) {
		const struct itp_idle_call *wait =
			&g_array_index(search->waits, struct itp_idle_call, i);

		if (!itp_idle_is_pooled(search, wait)) {
			continue;
		}
		for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
			search->waiting_ns[side][wait->root] +=
				itp_idle_stats(search, side, wait->node)->use.blocked_ns;
		}
	}
}

bool itp_idle_is_for_an_end(const struct itp_rank_state *state, uint32_t node)
{
	const struct itp_idle_rule *rule;
	const char *call = NULL;
	size_t at = 0;

	while (itp_rank_is_frame(state, node) &&
	       !(call = itp_function_syscall(itp_rank_function(state, node)))) {
		node = itp_rank_parent(state, node);
	}
	while (call && (rule = itp_idle_rule_next(call, &at)) != NULL) {
		if (rule->proof == ITP_IDLE_TO_AN_END &&
		    passes(state, node, itp_idle_waiter(state, node), rule->through)) {
			return true;
		}
	}
	return false;
}

static void search_init(struct itp_idle_search *search, const struct itp_rank_state *state)
{
	*search = (struct itp_idle_search){
		.state = state,
		.profiles = { state->suspect.profile, state->base.profile },
		.waits = g_array_new(FALSE, FALSE, sizeof(struct itp_idle_call)),
		.cpu_ns = g_new0(int64_t, state->node_count),
		.timed_ns = g_new0(int64_t, state->node_count),
		.waiting_ns = { g_new0(int64_t, state->node_count),
				g_new0(int64_t, state->node_count) },
		.reads_pipe = g_new0(bool, state->node_count),
		.waits_for_disk = g_new0(bool, state->node_count),
	};
	sum_cpu(search);
}

static void search_release(struct itp_idle_search *search)
{
	g_array_unref(search->waits);
	g_free(search->cpu_ns);
	g_free(search->timed_ns);
	g_free(search->waiting_ns[0]);
	g_free(search->waiting_ns[1]);
	g_free(search->waits_for_disk);
	g_free(search->reads_pipe);
}

void itp_idle_find(struct itp_rank_state *state)
{
	struct itp_idle_search search;

	state->waits_for_work = g_new0(bool, state->node_count);
	search_init(&search, state);
	sum_timed(&search);
	mark_calls(state, is_disk_wait, search.waits_for_disk);
	mark_calls(state, is_pipe_read, search.reads_pipe);
	for (uint32_t node = 1; node < state->node_count; node++) {
		consider(&search, node);
	}
	sum_waits(&search);
	for (guint i = 0; i < search.waits->len; i++) {
		const struct itp_idle_call *wait =
			&g_array_index(search.waits, struct itp_idle_call, i);

		state->waits_for_work[wait->node] = itp_idle_is_proved(&search, wait);
	}
	find_kernel_threads(state);
	for (uint32_t node = 1; node < state->node_count; node++) {
		state->waits_for_work[node] |= state->waits_for_work[itp_rank_parent(state, node)];
		state->waits_for_work[node] &= !itp_rank_is_apart(state, node);
	}
	search_release(&search);
}

/* True if the system call has no other use than to wait for any event, or may have none. */
static bool is_for_events(const struct itp_function *function)
{
	const char *call = itp_function_syscall(function);
	const struct itp_idle_rule *rule;
	size_t at = 0;

	while (call && (rule = itp_idle_rule_next(call, &at)) != NULL) {
		if (rule->proof == ITP_IDLE_IN_WORK_LOOP) {
			return true;
		}
	}
	return itp_function_awaits_any_event(function);
}

bool *itp_idle_event_loops(const struct itp_rank_state *state)
{
	bool *is_loop = g_new0(bool, state->node_count);
	struct itp_idle_search search;

	search_init(&search, state);
	for (uint32_t node = 1; node < state->node_count; node++) {
		struct itp_idle_call wait = { .node = node };

		if (is_for_events(itp_rank_function(state, node)) && !is_new(&search, node)) {
			wait.waiter = itp_idle_waiter(state, node);
			find_roots(state, &wait);
			is_loop[node] = itp_idle_is_in_work_loop(&search, &wait);
		}
	}
	search_release(&search);
	return is_loop;
}
