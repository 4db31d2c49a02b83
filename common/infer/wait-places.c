/* SPDX-License-Identifier: MIT */
/*
 * See wait-places.h. Each context, and each pair of contexts, is looked at once.
 */
#include "common/infer/wait-places.h"

#include "common/base/hash.h"
#include "common/known/kernel-waits.h"
#include "common/known/locks.h"
#include "common/known/modules.h"
#include "common/known/syscalls.h"
#include "common/known/waiting-calls.h"

/* The innermost function outside of the C library, its caller, and the first one above in another
 * file. */
#define USERS 3
/* Pairs remembered: beyond, they are looked at again. */
#define PAIRS_MOST (1u << 16)

enum {
	IS_LOOKED_UP = 1 << 0,
	IS_WORK = 1 << 1,
	IS_END = 1 << 2,
	IS_FOR_EVENTS = 1 << 3,
	IS_OF_LOCK = 1 << 4,
	IS_OWN_WORK = 1 << 5,
	IS_TO_LOCK = 1 << 6,
};

struct itp_wait_places {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* uint8_t by node: the bits above. Owned by this. */
	GArray *contexts;
	/* By itp_pair() of waiter's and waker's node: 1 + whether it is a lock. Owned by this. */
	GHashTable *pairs;
	/* Functions at and above nodes of own work. Owned by this. */
	GHashTable *own_work;
};

struct itp_wait_places *itp_wait_places_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions)
{
	struct itp_wait_places *places = g_new0(struct itp_wait_places, 1);

	places->tree = tree;
	places->functions = functions;
	places->contexts = g_array_new(FALSE, TRUE, sizeof(uint8_t));
	places->pairs = g_hash_table_new(itp_hash_number, NULL);
	places->own_work = g_hash_table_new(itp_hash_number, NULL);
	return places;
}

void itp_wait_places_free(struct itp_wait_places *places)
{
	g_array_unref(places->contexts);
	g_hash_table_unref(places->pairs);
	g_hash_table_unref(places->own_work);
	g_free(places);
}

static uint32_t function_id(const struct itp_wait_places *places, uint32_t node)
{
	return itp_context_tree_get(places->tree, node)->function;
}

static uint32_t parent(const struct itp_wait_places *places, uint32_t node)
{
	return itp_context_tree_get(places->tree, node)->parent;
}

static const struct itp_function *function(const struct itp_wait_places *places, uint32_t node)
{
	return itp_function_table_get(places->functions, function_id(places, node));
}

static bool is_of_lock(const struct itp_wait_places *places, uint32_t node)
{
	for (; node != ITP_CONTEXT_ROOT && function(places, node)->layer == ITP_LAYER_KERNEL;
	     node = parent(places, node)) {
		if (itp_lock_is_kernels(function(places, node)->name)) {
			return true;
		}
	}
	return false;
}

/* System call at or above `node`, ITP_FUNCTION_UNKNOWN for none. *ret_above is its caller. */
static uint32_t syscall_of(const struct itp_wait_places *places, uint32_t node, uint32_t *ret_above)
{
	while (node != ITP_CONTEXT_ROOT && function(places, node)->layer == ITP_LAYER_KERNEL) {
		node = parent(places, node);
	}
	if (node == ITP_CONTEXT_ROOT || function(places, node)->layer != ITP_LAYER_SYSCALL) {
		return ITP_FUNCTION_UNKNOWN;
	}
	*ret_above = parent(places, node);
	return function_id(places, node);
}

/* True when a C library, or Rust, makes the system call for a lock. */
static bool is_to_lock(const struct itp_wait_places *places, uint32_t node)
{
	uint32_t above = ITP_CONTEXT_ROOT;

	if (syscall_of(places, node, &above) == ITP_FUNCTION_UNKNOWN) {
		return false;
	}
	while (above != ITP_CONTEXT_ROOT && function(places, above)->layer == ITP_LAYER_USER) {
		if (itp_lock_is_used_by(function(places, above)->name)) {
			return true;
		}
		above = itp_module_is_go_between(function(places, above)) ? parent(places, above) :
									    ITP_CONTEXT_ROOT;
	}
	return false;
}

static bool is_work(const struct itp_wait_places *places, uint32_t node)
{
	bool is_fault = false;

	for (; node != ITP_CONTEXT_ROOT && function(places, node)->layer == ITP_LAYER_KERNEL;
	     node = parent(places, node)) {
		if (itp_kernel_wait_is_for_disk(function(places, node)->name)) {
			return true;
		}
		is_fault = !itp_kernel_wait_is_schedulers(function(places, node)->name);
	}
	return is_fault && function(places, node)->layer == ITP_LAYER_USER &&
	       node != ITP_CONTEXT_ROOT;
}

static uint8_t look_up_facts(const struct itp_wait_places *places, uint32_t node)
{
	uint32_t above;
	const uint32_t id = syscall_of(places, node, &above);
	const struct itp_function *syscall = itp_function_table_get(places->functions, id);
	const char *name = itp_function_syscall(syscall);

	return (uint8_t)(IS_LOOKED_UP | (is_work(places, node) ? IS_WORK : 0) |
			 (is_of_lock(places, node) ? IS_OF_LOCK : 0) |
			 (is_to_lock(places, node) ? IS_TO_LOCK : 0) |
			 (name && itp_syscall_ends_thread(name) ? IS_END : 0) |
			 (itp_function_awaits_any_event(syscall) ? IS_FOR_EVENTS : 0));
}

static uint8_t facts_of_context(struct itp_wait_places *places, uint32_t node)
{
	uint8_t *context;

	if (node >= places->contexts->len) {
		g_array_set_size(places->contexts, MAX(2 * places->contexts->len, node + 1));
	}
	context = &g_array_index(places->contexts, uint8_t, node);
	if (*context == 0) {
		*context = look_up_facts(places, node);
	}
	return *context;
}

bool itp_wait_places_are_of_work(struct itp_wait_places *places, uint32_t node)
{
	return facts_of_context(places, node) & IS_WORK;
}

bool itp_wait_places_are_for_events(struct itp_wait_places *places, uint32_t node)
{
	return facts_of_context(places, node) & IS_FOR_EVENTS;
}

bool itp_wait_places_are_to_lock(struct itp_wait_places *places, uint32_t node)
{
	return facts_of_context(places, node) & (IS_OF_LOCK | IS_TO_LOCK);
}

bool itp_wait_places_is_end(struct itp_wait_places *places, uint32_t node)
{
	return facts_of_context(places, node) & IS_END;
}

/* Nearest function at or above `node` outside of C libraries; ITP_CONTEXT_ROOT for none. */
static uint32_t user_at(const struct itp_wait_places *places, uint32_t node)
{
	while (node != ITP_CONTEXT_ROOT && function(places, node)->layer == ITP_LAYER_USER &&
	       itp_module_is_go_between(function(places, node))) {
		node = parent(places, node);
	}
	return node != ITP_CONTEXT_ROOT && function(places, node)->layer == ITP_LAYER_USER ?
		       node :
		       ITP_CONTEXT_ROOT;
}

/* Functions of the user; ITP_FUNCTION_UNKNOWN for missing ones. */
static void find_users(const struct itp_wait_places *places, uint32_t node, uint32_t users[USERS])
{
	uint32_t other = user_at(places, node);
	const char *module = function(places, other)->module;
	uint32_t caller = user_at(places, parent(places, other));

	users[0] = function_id(places, other);
	users[1] = function_id(places, caller);
	while (other != ITP_CONTEXT_ROOT && g_str_equal(function(places, other)->module, module)) {
		other = user_at(places, parent(places, other));
	}
	users[2] = function_id(places, other);
}

static bool share_user(const struct itp_wait_places *places, uint32_t node, uint32_t other)
{
	uint32_t users[USERS];
	uint32_t others[USERS];

	find_users(places, node, users);
	find_users(places, other, others);
	for (int i = 0; i < USERS; i++) {
		for (int j = 0; j < USERS && users[i] != ITP_FUNCTION_UNKNOWN; j++) {
			if (users[i] == others[j]) {
				return true;
			}
		}
	}
	return false;
}

uint32_t itp_wait_places_root(const struct itp_wait_places *places, uint32_t node)
{
	uint32_t root = ITP_FUNCTION_UNKNOWN;

	for (; node != ITP_CONTEXT_ROOT; node = parent(places, node)) {
		if (function(places, node)->layer == ITP_LAYER_USER &&
		    !itp_module_is_go_between(function(places, node))) {
			root = function_id(places, node);
		}
	}
	return root;
}

void itp_wait_places_add_own_work(struct itp_wait_places *places, uint32_t node)
{
	for (; node != ITP_CONTEXT_ROOT && (facts_of_context(places, node) & IS_OWN_WORK) == 0;
	     node = parent(places, node)) {
		g_array_index(places->contexts, uint8_t, node) |= IS_OWN_WORK;
		g_hash_table_add(places->own_work, GUINT_TO_POINTER(function_id(places, node)));
	}
}

bool itp_wait_places_is_own_work(const struct itp_wait_places *places, uint32_t function)
{
	return function != ITP_FUNCTION_UNKNOWN &&
	       g_hash_table_contains(places->own_work, GUINT_TO_POINTER(function));
}

static bool are_of_lock(const struct itp_wait_places *places, uint32_t node, uint32_t waker_node)
{
	uint32_t above = ITP_CONTEXT_ROOT;
	uint32_t waker_above = ITP_CONTEXT_ROOT;
	const uint32_t syscall = syscall_of(places, node, &above);

	return syscall != ITP_FUNCTION_UNKNOWN &&
	       syscall == syscall_of(places, waker_node, &waker_above) &&
	       share_user(places, above, waker_above);
}

bool itp_wait_places_are_of_lock(struct itp_wait_places *places, uint32_t node, uint32_t waker_node)
{
	const gpointer key = itp_pair(node, waker_node);
	guint known;

	if (facts_of_context(places, node) & IS_OF_LOCK) {
		return true;
	}
	known = GPOINTER_TO_UINT(g_hash_table_lookup(places->pairs, key));
	if (known == 0) {
		known = 1 + are_of_lock(places, node, waker_node);
		if (g_hash_table_size(places->pairs) < PAIRS_MOST) {
			g_hash_table_insert(places->pairs, key, GUINT_TO_POINTER(known));
		}
	}
	return known == 2;
}
