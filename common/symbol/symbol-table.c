/* SPDX-License-Identifier: MIT */
/*
 * Sorted symbols, the choice among aliases, and readable names.
 *
 * Readable names come from libiberty, which knows C++ and both manglings of Rust, and which perf
 * uses too. A few hundred bytes can expand to more text than memory holds, and libiberty goes on to
 * the end whatever its caller thinks of it. Its output is counted here, and the way out of it is a
 * long jump. The functions used hold nothing then that would be lost.
 */
#include "common/symbol/symbol-table.h"

#include "common/base/function-table.h"
#include "common/base/memory.h"
#include "common/base/order.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Symbols searched backwards for one around later, smaller ones. */
#define MAX_NESTING 16

#define OPTIONS (DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP)

struct output {
	/* Text so far. Owned by this. */
	GString *text;
	jmp_buf too_long;
};

void itp_symbol_table_init(struct itp_symbol_table *table)
{
	table->symbols = g_array_new(FALSE, FALSE, sizeof(struct itp_symbol));
}

void itp_symbol_table_release(struct itp_symbol_table *table)
{
	if (table->symbols) {
		g_array_free(table->symbols, TRUE);
		table->symbols = NULL;
	}
}

void itp_symbol_table_add(struct itp_symbol_table *table, const struct itp_symbol *symbol)
{
	if (table->symbols->len < ITP_MAX_SYMBOLS) {
		g_array_append_vals(table->symbols, symbol, 1);
	}
}

static uint32_t underscores(const struct itp_symbol *symbol)
{
	uint32_t count = 0;

	while (count < symbol->name_length && symbol->name[count] == '_') {
		count++;
	}
	return count;
}

static int compare_ranks(uint64_t left, uint64_t right)
{
	return left < right ? -1 : left > right;
}

/* Negative when `left` is the better name for an address. */
static int compare_aliases(const struct itp_symbol *left, const struct itp_symbol *right)
{
	int order = (left->binding == ITP_BINDING_LOCAL) - (right->binding == ITP_BINDING_LOCAL);

	if (order == 0) {
		order = compare_ranks(underscores(left), underscores(right));
	}
	if (order == 0) {
		order = compare_ranks(left->binding, right->binding);
	}
	if (order == 0) {
		order = compare_ranks(left->name_length, right->name_length);
	}
	return order != 0 ? order : memcmp(left->name, right->name, left->name_length);
}

static gint compare_symbols(gconstpointer a, gconstpointer b)
{
	const struct itp_symbol *left = a;
	const struct itp_symbol *right = b;
	int order = compare_ranks(left->start, right->start);

	return order != 0 ? order : compare_aliases(left, right);
}

/* Keeps the first symbol of each address, with the largest size that any alias has. */
static void merge_aliases(GArray *symbols)
{
	struct itp_symbol *all = (struct itp_symbol *)(void *)symbols->data;
	guint kept = 0;

	for (guint i = 0; i < symbols->len; i++) {
		struct itp_symbol *last = kept > 0 ? &all[kept - 1] : NULL;

		if (last && last->start == all[i].start) {
			last->end = MAX(last->end, all[i].end);
			last->is_sized |= all[i].is_sized;
		} else {
			all[kept++] = all[i];
		}
	}
	g_array_set_size(symbols, kept);
}

/* Sorts symbols. A file in the order of addresses, as the kernel writes it, needs only its aliases
 * sorted, in a tenth of the time. */
static void sort_symbols(GArray *symbols)
{
	struct itp_symbol *all = (struct itp_symbol *)(void *)symbols->data;
	guint begin = 0;

	for (guint i = 1; i < symbols->len; i++) {
		if (all[i].start < all[i - 1].start) {
			g_array_sort(symbols, compare_symbols);
			return;
		}
	}
	for (guint i = 1; i <= symbols->len; i++) {
		if (i == symbols->len || all[i].start != all[begin].start) {
			if (i - begin > 1) {
				qsort(all + begin, i - begin, sizeof(all[0]), compare_symbols);
			}
			begin = i;
		}
	}
}

void itp_symbol_table_finish(struct itp_symbol_table *table)
{
	GArray *symbols = table->symbols;

	for (guint i = 0; i < symbols->len; i++) {
		struct itp_symbol *symbol = &g_array_index(symbols, struct itp_symbol, i);

		/* From an earlier time: more may follow now. */
		if (!symbol->is_sized) {
			symbol->end = symbol->start;
		}
	}
	sort_symbols(symbols);
	merge_aliases(symbols);
	for (guint i = 0; i < symbols->len; i++) {
		struct itp_symbol *symbol = &g_array_index(symbols, struct itp_symbol, i);

		if (!symbol->is_sized) {
			symbol->end = i + 1 < symbols->len ? symbol[1].start : UINT64_MAX;
		}
	}
}

const struct itp_symbol *itp_symbol_table_find(const struct itp_symbol_table *table,
					       uint64_t address)
{
	guint count = itp_count_up_to(table->symbols, offsetof(struct itp_symbol, start), address);
	const struct itp_symbol *unsized = NULL;

	for (guint i = 0; i < MAX_NESTING && i < count; i++) {
		const struct itp_symbol *symbol =
			&g_array_index(table->symbols, struct itp_symbol, count - 1 - i);

		if (address < symbol->end && symbol->is_sized) {
			return symbol;
		}
		if (address < symbol->end && !unsized) {
			unsized = symbol;
		}
	}
	return unsized;
}

/* ---- Names ---- */

static void append_demangled(const char *part, size_t length, void *data)
{
	struct output *output = data;

	if (length > ITP_MAX_DEMANGLED_BYTES - output->text->len) {
		longjmp(output->too_long, 1);
	}
	g_string_append_len(output->text, part, (gssize)length);
}

static bool demangle(const char *name, struct output *output)
{
	if (setjmp(output->too_long) != 0) {
		return false;
	}
	/* Rust's older mangling is valid C++, only less readable then. */
	if (rust_demangle_callback(name, OPTIONS, append_demangled, output)) {
		return true;
	}
	g_string_truncate(output->text, 0);
	return cplus_demangle_v3_callback(name, OPTIONS, append_demangled, output);
}

char *itp_demangle(const char *name)
{
	struct output output;
	bool done;

	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') ||
	    strlen(name) > ITP_MAX_MANGLED_BYTES) {
		return NULL;
	}
	output.text = g_string_new(NULL);
	itp_memory_begin();
	done = demangle(name, &output);
	itp_memory_end();
	return g_string_free(output.text, !done);
}

static bool is_symbol_named(const struct itp_symbol *symbol, const char *name)
{
	g_autofree char *own = g_strndup(symbol->name, symbol->name_length);
	g_autofree char *readable = itp_demangle(own);

	return strcmp(own, name) == 0 || (readable && strcmp(readable, name) == 0);
}

bool itp_symbol_is_meant(const struct itp_symbol *symbol, const char *name)
{
	g_autofree char *own = g_strndup(symbol->name, symbol->name_length);
	g_autofree char *readable = itp_demangle(own);

	return itp_name_is_meant(own, name) || (readable && itp_name_is_meant(readable, name));
}

const struct itp_symbol *itp_symbol_table_find_name(const struct itp_symbol_table *table,
						    const char *name)
{
	const struct itp_symbol *found = NULL;

	for (guint i = 0; i < table->symbols->len; i++) {
		const struct itp_symbol *symbol =
			&g_array_index(table->symbols, struct itp_symbol, i);

		if (is_symbol_named(symbol, name)) {
			if (found) {
				return NULL;
			}
			found = symbol;
		}
	}
	return found;
}

void itp_symbol_strip_part(char *name)
{
	char *part = g_strrstr(name, ".cold");

	if (part && part != name &&
	    (part[5] == '\0' || (part[5] == '.' && g_ascii_isdigit(part[6]) &&
				 strspn(part + 6, "0123456789") == strlen(part + 6)))) {
		*part = '\0';
	}
}
