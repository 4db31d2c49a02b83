/* SPDX-License-Identifier: MIT */
/*
 * See output.h.
 */
#include "filters/infer/output.h"

void itp_infer_output_init(struct itp_infer_output *output, struct itp_filter_trace *trace,
			   struct itp_function_table *functions, struct itp_context_tree *tree)
{
	*output = (struct itp_infer_output){
		.trace = trace,
		.functions = functions,
		.tree = tree,
		/* The root of the tree is in every tree. */
		.sent_contexts = ITP_CONTEXT_ROOT + 1,
	};
}

static bool emit_functions(struct itp_infer_output *output, GError **error)
{
	uint32_t size = itp_function_table_size(output->functions);

	for (; output->sent_functions < size; output->sent_functions++) {
		const struct itp_function_record record = {
			.id = output->sent_functions,
			.function =
				*itp_function_table_get(output->functions, output->sent_functions),
		};

		if (!itp_filter_emit(output->trace, ITP_RECORD_FUNCTION, &record, error)) {
			return false;
		}
	}
	return true;
}

static bool emit_contexts(struct itp_infer_output *output, GError **error)
{
	uint32_t size = itp_context_tree_size(output->tree);

	for (; output->sent_contexts < size; output->sent_contexts++) {
		const struct itp_context *context =
			itp_context_tree_get(output->tree, output->sent_contexts);
		const struct itp_context_record record = {
			.id = output->sent_contexts,
			.parent = context->parent,
			.function = context->function,
		};

		if (!itp_filter_emit(output->trace, ITP_RECORD_CONTEXT, &record, error)) {
			return false;
		}
	}
	return true;
}

bool itp_infer_output_instance(struct itp_infer_output *output, enum itp_record_type type,
			       const struct itp_instance *instance, GError **error)
{
	const struct itp_context *context = itp_context_tree_get(output->tree, instance->node);
	const struct itp_instance_record record = {
		.function = itp_function_table_get(output->functions, context->function)->name,
		.instance = *instance,
	};

	return emit_functions(output, error) && emit_contexts(output, error) &&
	       itp_filter_emit(output->trace, type, &record, error);
}

bool itp_infer_output_share(struct itp_infer_output *output, const struct itp_share *share,
			    GError **error)
{
	return emit_functions(output, error) && emit_contexts(output, error) &&
	       itp_filter_emit(output->trace, ITP_RECORD_SHARE, share, error);
}

bool itp_infer_output_stretch(struct itp_infer_output *output, const struct itp_stretch *stretch,
			      GError **error)
{
	return emit_functions(output, error) && emit_contexts(output, error) &&
	       itp_filter_emit(output->trace, ITP_RECORD_STRETCH, stretch, error);
}

bool itp_infer_output_unplaced(struct itp_infer_output *output, const struct itp_instance *call,
			       uint32_t function, GError **error)
{
	const struct itp_unplaced_record record = { .function = function, .call = *call };

	return emit_functions(output, error) &&
	       itp_filter_emit(output->trace, ITP_RECORD_UNPLACED, &record, error);
}

bool itp_infer_output_wakers(struct itp_infer_output *output, const struct itp_wakers *wakers,
			     GError **error)
{
	if (!emit_functions(output, error) || !emit_contexts(output, error)) {
		return false;
	}
	for (uint32_t node = 0; node < itp_wakers_node_count(wakers); node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count; i++) {
			if (!itp_filter_emit(output->trace, ITP_RECORD_WAKER, &list[i], error)) {
				return false;
			}
		}
	}
	return true;
}
