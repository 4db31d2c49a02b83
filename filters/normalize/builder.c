/* SPDX-License-Identifier: MIT */
/*
 * See builder.h.
 */
#include "filters/normalize/builder.h"

#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/infer/kept.h"
#include "common/infer/normalize.h"
#include "common/schema/unit-records.h"

static const struct itp_context_record *record_of_context(const struct itp_profile_builder *builder,
							  uint32_t node)
{
	return &g_array_index(builder->contexts, struct itp_context_record, node);
}

static const struct itp_function *function_of_context(const void *data, uint32_t node)
{
	const struct itp_profile_builder *builder = data;

	return itp_function_table_get(builder->functions,
				      record_of_context(builder, node)->function);
}

static uint32_t parent_of_context(const void *data, uint32_t node)
{
	return record_of_context(data, node)->parent;
}

struct itp_profile_builder *itp_profile_builder_new(const char *name,
						    const struct itp_normalize_options *options)
{
	struct itp_profile_builder *builder = g_new0(struct itp_profile_builder, 1);
	const struct itp_context_record root = { .id = ITP_CONTEXT_ROOT };
	const struct itp_node_lookup lookup = {
		.function_of = function_of_context,
		.parent_of = parent_of_context,
		.data = builder,
	};

	builder->functions = itp_function_table_new();
	builder->function_ids = itp_id_map_new("function");
	builder->unit_ids = itp_id_map_new("unit");
	builder->contexts = g_array_new(FALSE, TRUE, sizeof(struct itp_context_record));
	g_array_append_val(builder->contexts, root);
	builder->profile = itp_profile_new(name);
	builder->normalizer = itp_normalizer_new(options->estimate, builder->profile, &lookup);
	if (options->latencies) {
		itp_normalizer_keep_latencies(builder->normalizer);
	}
	return builder;
}

void itp_profile_builder_free(struct itp_profile_builder *builder)
{
	itp_normalizer_free(builder->normalizer);
	itp_profile_free(builder->profile);
	g_array_unref(builder->contexts);
	itp_id_map_free(builder->function_ids);
	itp_id_map_free(builder->unit_ids);
	itp_function_table_free(builder->functions);
	g_free(builder);
}

static const char *name_of_workload(const struct itp_profile_builder *builder)
{
	return builder->profile->workload.name;
}

static bool add_context(struct itp_profile_builder *builder, const struct itp_context_record *input,
			GError **error)
{
	struct itp_context_record context = *input;

	if (context.id != builder->contexts->len || context.parent >= context.id) {
		itp_failure_set(error, "%s: context %u comes out of order",
				name_of_workload(builder), context.id);
		return false;
	}
	if (!itp_id_map_get(builder->function_ids, input->function, &context.function, error)) {
		return false;
	}
	g_array_append_val(builder->contexts, context);
	return true;
}

static bool check_node(const struct itp_profile_builder *builder, uint32_t node, GError **error)
{
	if (node == ITP_CONTEXT_ROOT || node >= builder->contexts->len) {
		itp_failure_set(error, "%s: context %u: %s", name_of_workload(builder), node,
				itp_error_text(ITP_ERROR_UNKNOWN_ID));
		return false;
	}
	return true;
}

static bool sum_instance(struct itp_profile_builder *builder, const struct itp_instance *instance,
			 bool is_running, GError **error)
{
	int code;

	if (!check_node(builder, instance->node, error)) {
		return false;
	}
	code = is_running ? itp_normalizer_push_open(builder->normalizer, instance) :
			    itp_normalizer_push(builder->normalizer, instance);
	if (code < 0) {
		itp_failure_set(error, "%s: %s", name_of_workload(builder), itp_error_text(code));
	}
	return code >= 0;
}

static bool add_share(struct itp_profile_builder *builder, const struct itp_share *share,
		      GError **error)
{
	if (!check_node(builder, share->node, error)) {
		return false;
	}
	itp_normalizer_push_share(builder->normalizer, share);
	return true;
}

static bool add_waker_record(struct itp_profile_builder *builder, const struct itp_waker *input,
			     GError **error)
{
	struct itp_waker waker = *input;

	if (!check_node(builder, input->node, error) ||
	    !itp_id_map_get(builder->function_ids, input->process, &waker.process, error) ||
	    !itp_id_map_get(builder->function_ids, input->function, &waker.function, error)) {
		return false;
	}
	itp_wakers_add(builder->profile->wakers, &waker);
	return true;
}

bool itp_profile_builder_take(struct itp_profile_builder *builder, const struct itp_record *record,
			      GError **error)
{
	switch (record->type) {
	case ITP_RECORD_FUNCTION:
		itp_id_map_put(
			builder->function_ids, record->function.id,
			itp_function_table_intern(builder->functions, &record->function.function));
		return true;
	case ITP_RECORD_CONTEXT:
		return add_context(builder, &record->context, error);
	case ITP_RECORD_INSTANCE:
		return sum_instance(builder, &record->instance.instance, false, error);
	case ITP_RECORD_RUNNING:
		return sum_instance(builder, &record->instance.instance, true, error);
	case ITP_RECORD_SHARE:
		return add_share(builder, &record->share, error);
	case ITP_RECORD_WAKER:
		return add_waker_record(builder, &record->waker, error);
	default:
		return itp_unit_records_take(builder->profile->units, builder->unit_ids, record,
					     error);
	}
}

static void get_context(const void *contexts, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context_record *context =
		&g_array_index((const GArray *)contexts, struct itp_context_record, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

struct itp_profile_source itp_profile_builder_source(struct itp_profile_builder *builder,
						     uint64_t period)
{
	itp_normalizer_conclude(builder->normalizer);
	itp_profile_keep_watched(builder->profile, parent_of_context, builder);
	return (struct itp_profile_source){
		.profile = builder->profile,
		.functions = builder->functions,
		.node_count = builder->contexts->len,
		.get_context = get_context,
		.contexts = builder->contexts,
		.period = period,
	};
}

void itp_profile_builder_restart(struct itp_profile_builder *builder)
{
	struct itp_profile *profile = itp_profile_new(name_of_workload(builder));

	itp_normalizer_set_profile(builder->normalizer, profile);
	itp_profile_free(builder->profile);
	builder->profile = profile;
}
