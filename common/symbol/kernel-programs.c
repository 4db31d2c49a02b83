/* SPDX-License-Identifier: MIT */
/*
 * A tree of ranges of addresses. Most addresses of a kernel are outside of all of them, which is
 * found out without the tree.
 */
#include "common/symbol/kernel-programs.h"

#include <glib.h>

struct program {
	uint64_t start;
	uint64_t length;
	/* Weak. */
	const char *module;
	/* Owned by this. */
	char *name;
	/* ITP_FUNCTION_UNKNOWN until asked for. */
	uint32_t function;
};

struct itp_kernel_programs {
	/* Weak. */
	struct itp_function_table *functions;
	/* Set of struct program. Owned by this. */
	GTree *tree;
	/* Range of all programs ever there. */
	uint64_t first;
	uint64_t last;
};

/* Overlapping ranges count as equal: no two in the tree do overlap. */
static gint compare_ranges(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct program *left = a;
	const struct program *right = b;

	(void)data;
	if (left->start < right->start) {
		return right->start - left->start >= left->length ? -1 : 0;
	}
	return left->start - right->start >= right->length ? 1 : 0;
}

static void free_program(gpointer data)
{
	struct program *program = data;

	g_free(program->name);
	g_free(program);
}

struct itp_kernel_programs *itp_kernel_programs_new(struct itp_function_table *functions)
{
	struct itp_kernel_programs *programs = g_new0(struct itp_kernel_programs, 1);

	programs->functions = functions;
	programs->tree = g_tree_new_full(compare_ranges, NULL, free_program, NULL);
	programs->first = UINT64_MAX;
	return programs;
}

void itp_kernel_programs_free(struct itp_kernel_programs *programs)
{
	g_tree_destroy(programs->tree);
	g_free(programs);
}

void itp_kernel_programs_add(struct itp_kernel_programs *programs, uint64_t start, uint64_t length,
			     const char *module, const char *name)
{
	struct program *program;

	/* Ranges end with the address space. */
	length = MIN(length, UINT64_MAX - start);
	if (length == 0) {
		return;
	}
	program = g_new0(struct program, 1);
	program->start = start;
	program->length = length;
	program->module = module;
	program->name = g_utf8_make_valid(name, -1);
	while (g_tree_remove(programs->tree, program)) {
	}
	g_tree_insert(programs->tree, program, program);
	programs->first = MIN(programs->first, start);
	programs->last = MAX(programs->last, start + length - 1);
}

bool itp_kernel_programs_find(struct itp_kernel_programs *programs, uint64_t address,
			      uint32_t *ret_function)
{
	const struct program place = { .start = address, .length = 1 };
	struct program *program;

	if (address < programs->first || address > programs->last ||
	    !(program = g_tree_lookup(programs->tree, &place))) {
		return false;
	}
	if (program->function == ITP_FUNCTION_UNKNOWN) {
		const struct itp_function function = { .name = program->name,
						       .module = program->module,
						       .build_id = "",
						       .file = "",
						       .layer = ITP_LAYER_KERNEL };

		program->function = itp_function_table_intern(programs->functions, &function);
	}
	*ret_function = program->function;
	return true;
}
