/* SPDX-License-Identifier: MIT */
/*
 * See graph.h: the linked component classes, with the methods that plugins/babeltrace/plugin.c
 * gives them.
 */
#include "filters/infer/infer.h"
#include "filters/normalize/normalize.h"
#include "filters/unit/unit.h"
#include "filters/wait/wait.h"
#include "messages/filter.h"
#include "messages/mip.h"
#include "plugins/babeltrace/graphs/graph.h"
#include "sinks/profiles/component.h"
#include "sources/perf/source.h"

bt_component_class_source *itp_perf_source_class_new(void)
{
	bt_message_iterator_class *iterator =
		bt_message_iterator_class_create(itp_perf_iterator_next);
	bt_component_class_source *source;

	bt_message_iterator_class_set_initialize_method(iterator, itp_perf_iterator_init);
	bt_message_iterator_class_set_finalize_method(iterator, itp_perf_iterator_finalize);
	source = bt_component_class_source_create("perf", iterator);
	bt_message_iterator_class_put_ref(iterator);
	bt_component_class_source_set_initialize_method(source, itp_perf_source_init);
	bt_component_class_source_set_finalize_method(source, itp_perf_source_finalize);
	bt_component_class_source_set_get_supported_mip_versions_method(source,
									itp_source_mip_versions);
	return source;
}

static bt_component_class_filter *filter_class_new(
	const char *name, bt_component_class_filter_initialize_method initialize)
{
	bt_message_iterator_class *iterator =
		bt_message_iterator_class_create(itp_filter_iterator_next);
	bt_component_class_filter *filter;

	bt_message_iterator_class_set_initialize_method(iterator, itp_filter_iterator_init);
	bt_message_iterator_class_set_finalize_method(iterator, itp_filter_iterator_finalize);
	filter = bt_component_class_filter_create(name, iterator);
	bt_message_iterator_class_put_ref(iterator);
	bt_component_class_filter_set_initialize_method(filter, initialize);
	bt_component_class_filter_set_finalize_method(filter, itp_filter_finalize);
	bt_component_class_filter_set_get_supported_mip_versions_method(filter,
									itp_filter_mip_versions);
	return filter;
}

bt_component_class_filter *itp_infer_class_new(void)
{
	return filter_class_new("infer", itp_infer_filter_init);
}

bt_component_class_filter *itp_normalize_class_new(void)
{
	return filter_class_new("normalize", itp_normalize_filter_init);
}

bt_component_class_filter *itp_unit_class_new(void)
{
	return filter_class_new("unit", itp_unit_filter_init);
}

bt_component_class_filter *itp_wait_class_new(void)
{
	return filter_class_new("wait", itp_wait_filter_init);
}

bt_component_class_sink *itp_sink_class_new(const char *name,
					    bt_component_class_sink_initialize_method initialize)
{
	bt_component_class_sink *sink = bt_component_class_sink_create(name, itp_rank_sink_consume);

	bt_component_class_sink_set_initialize_method(sink, initialize);
	bt_component_class_sink_set_finalize_method(sink, itp_rank_sink_finalize);
	bt_component_class_sink_set_graph_is_configured_method(sink,
							       itp_rank_sink_graph_is_configured);
	bt_component_class_sink_set_get_supported_mip_versions_method(sink, itp_sink_mip_versions);
	return sink;
}
