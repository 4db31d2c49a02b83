/* SPDX-License-Identifier: MIT */
/*
 * See memory-profile.h.
 */
#include "common/engine/memory-profile.h"

struct itp_set_workload *itp_memory_workload_add(struct itp_rank_job *job, const char *name,
						 const char *input_path, const char *architecture,
						 const struct itp_clock *clock)
{
	struct itp_set_workload *workload =
		itp_workload_set_add(job->workloads, name, clock, architecture);

	workload->input_path = g_strdup(input_path);
	return workload;
}

void itp_memory_profile_rank(const struct itp_memory_profile *profile, struct itp_rank_job *job)
{
	struct itp_set_workload *workload = itp_memory_workload_add(
		job, profile->source.profile->workload.name, profile->input_path,
		profile->architecture, &profile->clock);

	itp_workload_set_add_source(job->workloads, workload, &profile->source);
	profile->forget(profile->data);
}

static bool tell_facts(const void *data, itp_fact_func *tell, void *tell_data)
{
	const struct itp_set_workload *workload = data;

	for (guint i = 0; i < workload->facts->len; i++) {
		const struct itp_set_fact *fact =
			&g_array_index(workload->facts, struct itp_set_fact, i);

		if (!tell(fact->name, fact->text, tell_data)) {
			return false;
		}
	}
	return true;
}

/* The set keeps what it has. */
static void forget_nothing(void *workload)
{
	(void)workload;
}

static void get_context(const void *tree, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context *context = itp_context_tree_get(tree, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

static struct itp_memory_profile profile_of(const struct itp_workload_set *set,
					    struct itp_set_workload *workload)
{
	const struct itp_context_tree *tree = itp_workload_set_tree(set);
	const struct itp_workload *description = &workload->profile->workload;

	return (struct itp_memory_profile){
		.input_path = workload->input_path,
		.architecture = description->architecture,
		.clock = description->clock,
		.name = description->name,
		.tell_facts = tell_facts,
		.forget = forget_nothing,
		.data = workload,
		.source = { .profile = workload->profile,
			    .functions = itp_workload_set_functions(set),
			    .node_count = itp_context_tree_size(tree),
			    .get_context = get_context,
			    .contexts = tree,
			    .period = workload->periods },
	};
}

GArray *itp_memory_profiles_of_set(struct itp_workload_set *set)
{
	GArray *profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	g_autoptr(GPtrArray) workloads = NULL;

	itp_workload_set_finish(set);
	workloads = itp_workload_set_list(set);
	for (guint i = 0; i < workloads->len; i++) {
		const struct itp_memory_profile profile =
			profile_of(set, g_ptr_array_index(workloads, i));

		g_array_append_val(profiles, profile);
	}
	return profiles;
}
