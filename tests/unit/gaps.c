/* SPDX-License-Identifier: MIT */
/*
 * See gaps.h.
 */
#include "tests/unit/gaps.h"

#include "tests/unit/support.h"

static uint32_t add_process(struct gaps *gaps, const char *name)
{
	const struct itp_function function = {
		.name = name, .module = "", .build_id = "", .layer = ITP_LAYER_PROCESS
	};

	return itp_context_tree_child(gaps->tree, ITP_CONTEXT_ROOT,
				      itp_function_table_intern(gaps->functions, &function));
}

static uint32_t add_callee(struct gaps *gaps, uint32_t caller, const char *name)
{
	return itp_context_tree_child(gaps->tree, caller, test_function(gaps->functions, name));
}

static void set_up(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps->functions = itp_function_table_new();
	gaps->tree = itp_context_tree_new();
	gaps->strata = itp_strata_new(gaps->functions, gaps->tree);
	itp_gap_log_init(&gaps->log);
	gaps->process = add_process(gaps, "p");
	gaps->a = add_callee(gaps, gaps->process, "A");
	gaps->b = add_callee(gaps, gaps->a, "B");
	gaps->c = add_callee(gaps, gaps->a, "C");
	gaps->call = add_callee(gaps, gaps->a, "syscall:read");
	gaps->other_a = add_callee(gaps, add_callee(gaps, gaps->process, "E"), "A");
	gaps->other_b = add_callee(gaps, gaps->other_a, "B");
	gaps->told = g_array_new(FALSE, FALSE, sizeof(struct itp_share));
}

static void tear_down(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	itp_gap_log_release(&gaps->log);
	itp_strata_free(gaps->strata);
	itp_context_tree_free(gaps->tree);
	itp_function_table_free(gaps->functions);
	g_array_free(gaps->told, TRUE);
}

void gaps_begin(struct gaps *gaps, uint32_t before, int64_t given_ns)
{
	itp_gap_log_begin(&gaps->log, before, ITP_GAP_EDGE_EXIT);
	itp_gap_log_give(&gaps->log, before, given_ns);
}

void gaps_tick(struct gaps *gaps, uint32_t node, int count)
{
	while (count-- > 0) {
		itp_strata_tick(gaps->strata, &gaps->log, node, 1);
	}
}

void gaps_end(struct gaps *gaps, uint32_t after)
{
	itp_strata_end_gap(gaps->strata, &gaps->log, after, ITP_GAP_EDGE_ENTER);
}

static void take(const struct itp_share *share, void *data)
{
	g_array_append_vals(data, share, 1);
}

void gaps_tell(struct gaps *gaps)
{
	g_array_set_size(gaps->told, 0);
	itp_strata_tell(gaps->strata, take, gaps->told);
}

struct itp_share gaps_told_of(const struct gaps *gaps, uint32_t node)
{
	struct itp_share sum = { .node = node };

	for (guint i = 0; i < gaps->told->len; i++) {
		const struct itp_share *share = &g_array_index(gaps->told, struct itp_share, i);

		if (share->node == node) {
			sum.within = share->within;
			sum.cpu_ns += share->cpu_ns;
			sum.samples += share->samples;
			sum.variance_us2 += share->variance_us2;
		}
	}
	return sum;
}

void gaps_add_tests(const char *module, const struct test_on_gaps *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		g_autofree char *path = g_strdup_printf("/%s/%s", module, tests[i].sentence);

		g_test_add(path, struct gaps, NULL, set_up, tests[i].check, tear_down);
	}
}
