/* SPDX-License-Identifier: MIT */
/*
 * Function table: a hash of the functions themselves and an array of them by id.
 *
 * Parts shared by many functions, their module above all, are kept once.
 */
#include "common/base/function-table.h"

#include <string.h>

#include "common/base/hash.h"

struct entry {
	struct itp_function function;
	uint32_t id;
};

struct itp_function_table {
	/* struct entry by id. Owned by this. */
	GPtrArray *entries;
	/* Set of the entries, found by their function. Keys are weak. */
	GHashTable *by_function;
	/* Names, and texts shared by many functions. Owned by this. */
	GStringChunk *names;
	GHashTable *texts;
};

static guint function_hash(gconstpointer key)
{
	const struct itp_function *function = key;

	return itp_hash_text(function->name) ^ (itp_hash_text(function->module) * 31u) ^
	       (itp_hash_text(function->build_id) * 1009u) ^ (guint)function->layer;
}

static gboolean function_equal(gconstpointer a, gconstpointer b)
{
	const struct itp_function *left = a;
	const struct itp_function *right = b;

	return left->layer == right->layer && g_str_equal(left->name, right->name) &&
	       g_str_equal(left->module, right->module) &&
	       g_str_equal(left->build_id, right->build_id);
}

struct itp_function_table *itp_function_table_new(void)
{
	struct itp_function_table *table = g_new0(struct itp_function_table, 1);
	const struct itp_function unknown = { .name = ITP_UNKNOWN_NAME,
					      .module = "",
					      .build_id = "",
					      .layer = ITP_LAYER_USER,
					      .is_unnamed = true };

	table->entries = g_ptr_array_new_with_free_func(g_free);
	table->by_function = g_hash_table_new(function_hash, function_equal);
	table->names = g_string_chunk_new(64 * 1024);
	table->texts = itp_texts_new();
	itp_function_table_intern(table, &unknown);
	return table;
}

void itp_function_table_free(struct itp_function_table *table)
{
	if (!table) {
		return;
	}
	g_hash_table_destroy(table->by_function);
	g_ptr_array_free(table->entries, TRUE);
	g_string_chunk_free(table->names);
	g_hash_table_unref(table->texts);
	g_free(table);
}

/* From a goroutine's stack to its thread's: for the runtime's own work, to call C, and the vdso.
 * All are written in assembler, and may be named with their calling convention. */
static bool leaves_stack(const struct itp_function *function)
{
	static const char *const names[] = {
		"runtime.asmcgocall",
		"runtime.asmcgocall.abi0",
		"runtime.nanotime1",
		"runtime.nanotime1.abi0",
		"runtime.systemstack",
		"runtime.systemstack.abi0",
		"runtime.walltime",
		"runtime.walltime.abi0",
		"time.now",
		"time.now.abi0",
		NULL,
	};

	return function->layer == ITP_LAYER_USER && g_strv_contains(names, function->name);
}

/* Entry of a program, or Go's ways from a goroutine's stack to its thread's, for good: the
 * scheduler goes on with any goroutine. */
static bool begins_stack(const struct itp_function *function)
{
	static const char *const names[] = {
		"_start",
		"runtime.mcall",
		"runtime.mcall.abi0",
		"runtime.morestack",
		"runtime.morestack.abi0",
		NULL,
	};

	return function->layer == ITP_LAYER_USER && g_strv_contains(names, function->name);
}

static bool is_named_inlined(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER &&
	       g_str_has_suffix(function->name, ITP_INLINED_SUFFIX);
}

uint32_t itp_function_table_intern(struct itp_function_table *table,
				   const struct itp_function *function)
{
	/* `function` is the first member of an entry, and serves as its key. */
	struct entry *entry = g_hash_table_lookup(table->by_function, function);

	if (entry) {
		return entry->id;
	}
	entry = g_new(struct entry, 1);
	entry->function.name = g_string_chunk_insert(table->names, function->name);
	entry->function.module = itp_texts_intern(table->texts, function->module);
	entry->function.build_id = itp_texts_intern(table->texts, function->build_id);
	entry->function.recorded_build_id = entry->function.build_id;
	entry->function.layer = function->layer;
	entry->function.file = itp_texts_intern(table->texts, function->file ? function->file : "");
	entry->function.is_signal_frame = function->is_signal_frame;
	entry->function.is_go = function->is_go;
	entry->function.leaves_stack = leaves_stack(function);
	entry->function.begins_stack = begins_stack(function);
	entry->function.is_system = function->is_system;
	entry->function.is_inlined = function->is_inlined || is_named_inlined(function);
	entry->function.is_unnamed = function->is_unnamed;
	entry->function.choices =
		itp_texts_intern(table->texts, function->choices ? function->choices : "");
	entry->id = table->entries->len;
	g_ptr_array_add(table->entries, entry);
	g_hash_table_add(table->by_function, entry);
	return entry->id;
}

void itp_function_table_tell_build(struct itp_function_table *table, uint32_t id,
				   const char *build_id)
{
	struct entry *entry = g_ptr_array_index(table->entries, id);

	if (!entry->function.recorded_build_id[0]) {
		entry->function.recorded_build_id = itp_texts_intern(table->texts, build_id);
	}
}

void itp_function_table_set_inlined(struct itp_function_table *table, uint32_t id, bool is_inlined)
{
	struct entry *entry = g_ptr_array_index(table->entries, id);

	entry->function.is_inlined = is_inlined;
}

uint32_t itp_function_table_intern_stand_in(struct itp_function_table *table, const char *name,
					    enum itp_layer layer)
{
	const struct itp_function function = {
		.name = name,
		.module = layer == ITP_LAYER_KERNEL ? "[kernel]" : "",
		.build_id = "",
		.layer = layer,
	};

	return itp_function_table_intern(table, &function);
}

uint32_t itp_function_table_intern_syscall(struct itp_function_table *table, const char *call)
{
	g_autofree char *name = g_strconcat(ITP_SYSCALL_PREFIX, call, NULL);
	const struct itp_function function = {
		.name = name, .module = "[syscall]", .build_id = "", .layer = ITP_LAYER_SYSCALL
	};

	return itp_function_table_intern(table, &function);
}

const char *itp_function_syscall(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_SYSCALL &&
			       g_str_has_prefix(function->name, ITP_SYSCALL_PREFIX) ?
		       function->name + strlen(ITP_SYSCALL_PREFIX) :
		       NULL;
}

const struct itp_function *itp_function_table_get(const struct itp_function_table *table,
						  uint32_t id)
{
	const struct entry *entry = g_ptr_array_index(table->entries, id);

	return &entry->function;
}

uint32_t itp_function_table_size(const struct itp_function_table *table)
{
	return table->entries->len;
}

int itp_function_compare(const struct itp_function_table *table, uint32_t a, uint32_t b)
{
	const struct itp_function *left = itp_function_table_get(table, a);
	const struct itp_function *right = itp_function_table_get(table, b);
	int order = strcmp(left->name, right->name);

	if (order == 0) {
		order = strcmp(left->module, right->module);
	}
	if (order == 0) {
		order = (int)left->layer - (int)right->layer;
	}
	return order != 0 ? order : strcmp(left->build_id, right->build_id);
}

bool itp_function_is_in_no_file(const struct itp_function *function)
{
	return strcmp(function->module, ITP_ANONYMOUS_MODULE) == 0 ||
	       strcmp(function->module, ITP_JIT_MODULE) == 0 ||
	       strcmp(function->module, ITP_PYTHON_MODULE) == 0;
}

char *itp_function_shown_name(const struct itp_function *function)
{
	return g_strconcat(
		function->name,
		function->is_inlined && !is_named_inlined(function) ? ITP_INLINED_SUFFIX : "",
		NULL);
}

bool itp_function_may_be(const struct itp_function *choice, const struct itp_function *function)
{
	const size_t length = strlen(function->name);

	for (const char *at = choice->choices; length > 0 && (at = strstr(at, function->name));
	     at += length) {
		if ((at == choice->choices || at[-1] == '\n') &&
		    (at[length] == '\n' || at[length] == '\0')) {
			return true;
		}
	}
	return false;
}

bool itp_function_is_of_loader(const struct itp_function *function)
{
	return g_str_has_prefix(function->module, "ld-") && strstr(function->module, ".so");
}

bool itp_function_is_nameless_code(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER && function->is_unnamed &&
	       itp_function_is_in_no_file(function);
}

/* Name without text in angle brackets, its parameters and the type of its result: "shop::process".
 * Owned by the caller; NULL where brackets are not paired, as in operators. */
static char *plain_name(const char *shown)
{
	g_autoptr(GString) plain = g_string_new(NULL);
	int depth = 0;

	for (const char *at = shown; *at && depth >= 0; at++) {
		const char last = plain->len > 0 ? plain->str[plain->len - 1] : ' ';

		depth += (*at == '<') - (*at == '>');
		if (depth > 0 || *at == '>') {
			continue;
		}
		if (*at == '(' && (g_ascii_isalnum(last) || last == '_')) {
			break;
		}
		g_string_append_c(plain, *at);
		if (*at == ' ') {
			g_string_truncate(plain, 0);
		}
	}
	if (g_str_has_suffix(plain->str, "::")) {
		g_string_truncate(plain, plain->len - strlen("::"));
	}
	return depth == 0 ? g_strdup(plain->str) : NULL;
}

/* Behind a namespace or a path. */
static bool is_end_of(const char *name, const char *typed)
{
	const size_t before = strlen(name) - MIN(strlen(typed), strlen(name));

	return strcmp(name + before, typed) == 0 &&
	       (before == 0 || name[before - 1] == '/' ||
		(before > 1 && strncmp(name + before - 2, "::", 2) == 0));
}

static bool is_meant(const char *shown, const char *typed)
{
	size_t length = strlen(typed);
	g_autofree char *plain = NULL;

	if (strncmp(shown, typed, length) == 0) {
		if (shown[length] == '\0' || (length > 0 && shown[length] == '(')) {
			return true;
		}
	}
	if (length == 0 || !(strstr(shown, "::") || strchr(shown, '<') || strchr(shown, '/'))) {
		return false;
	}
	plain = plain_name(shown);
	return plain && is_end_of(plain, typed);
}

bool itp_name_is_meant(const char *shown, const char *typed)
{
	g_autofree char *base = NULL;

	if (is_meant(shown, typed)) {
		return true;
	}
	if (!g_str_has_suffix(shown, ITP_INLINED_SUFFIX)) {
		return false;
	}
	base = g_strndup(shown, strlen(shown) - strlen(ITP_INLINED_SUFFIX));
	return is_meant(base, typed);
}
