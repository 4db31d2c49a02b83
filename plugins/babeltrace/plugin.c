/* SPDX-License-Identifier: MIT */
/*
 * The Babeltrace plugin "introperf": descriptors only.
 *
 *   source.introperf.perf       sources/perf
 *   filter.introperf.infer      filters/infer
 *   filter.introperf.normalize  filters/normalize
 *   filter.introperf.symbolize  filters/symbolize
 *   filter.introperf.unit       filters/unit
 *   filter.introperf.wait       filters/wait
 *   sink.introperf.export       sinks/export
 *   sink.introperf.mine         sinks/mine
 *   sink.introperf.rank         sinks/rank
 *   sink.introperf.report       sinks/report
 *
 * Initialisation cannot fail, as it would break every run of babeltrace2 with this plugin in its
 * path.
 */
#include <babeltrace2/babeltrace.h>

#include "filters/infer/infer.h"
#include "filters/normalize/normalize.h"
#include "filters/symbolize/symbolize.h"
#include "filters/unit/unit.h"
#include "filters/wait/wait.h"
#include "messages/filter.h"
#include "messages/mip.h"
#include "sinks/export/export.h"
#include "sinks/mine/mine.h"
#include "sinks/profiles/component.h"
#include "sinks/rank/rank.h"
#include "sinks/report/report.h"
#include "sources/perf/source.h"

BT_PLUGIN_MODULE();
BT_PLUGIN(introperf);
BT_PLUGIN_DESCRIPTION("Find the calling contexts that explain a slow run");
BT_PLUGIN_AUTHOR("The introperf authors");
BT_PLUGIN_LICENSE("MIT");

/* Pointer to the manual page with the parameters. */
#define ITP_CLASS_HELP(type, name) \
	"Parameters: see the manual page, man babeltrace2-" type ".introperf." #name

BT_PLUGIN_SOURCE_COMPONENT_CLASS(perf, itp_perf_iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(perf, "Read stack events from perf.data files");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(perf, ITP_CLASS_HELP("source", perf));
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(perf, itp_perf_source_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(perf, itp_perf_source_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD(perf, itp_perf_source_query);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(perf, itp_source_mip_versions);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(perf,
									  itp_perf_iterator_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(perf,
									itp_perf_iterator_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	perf, itp_perf_iterator_seek_beginning, itp_perf_iterator_can_seek_beginning);

/* Methods shared by all filters. */
#define ITP_FILTER_CLASS(name, description, initialize)                                 \
	BT_PLUGIN_FILTER_COMPONENT_CLASS(name, itp_filter_iterator_next);               \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(name, description);                \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(name, ITP_CLASS_HELP("filter", name));    \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(name, initialize);           \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(name, itp_filter_finalize);    \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(             \
		name, itp_filter_mip_versions);                                         \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(      \
		name, itp_filter_iterator_init);                                        \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(        \
		name, itp_filter_iterator_finalize);                                    \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS( \
		name, itp_filter_iterator_seek_beginning, itp_filter_iterator_can_seek_beginning)

ITP_FILTER_CLASS(infer, "Turn stack events into function instances with latencies",
		 itp_infer_filter_init);
ITP_FILTER_CLASS(normalize, "Sum function instances into a profile over calling contexts",
		 itp_normalize_filter_init);
ITP_FILTER_CLASS(unit, "Find units of work, such as requests, and types of them",
		 itp_unit_filter_init);
ITP_FILTER_CLASS(wait, "Find what held up slow calls, and who", itp_wait_filter_init);

BT_PLUGIN_FILTER_COMPONENT_CLASS(symbolize, itp_symbolize_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(
	symbolize, "Add the names of functions and modules to the stacks of events");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(symbolize, ITP_CLASS_HELP("filter", symbolize));
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(symbolize, itp_symbolize_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(symbolize, itp_symbolize_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(symbolize,
								   itp_filter_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(
	symbolize, itp_symbolize_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	symbolize, itp_symbolize_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	symbolize, itp_symbolize_iterator_seek_beginning,
	itp_symbolize_iterator_can_seek_beginning);

/* Methods shared by the sinks of profiles. */
#define ITP_SINK_CLASS(name, description, initialize)                                            \
	BT_PLUGIN_SINK_COMPONENT_CLASS(name, itp_rank_sink_consume);                             \
	BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(name, description);                           \
	BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(name, ITP_CLASS_HELP("sink", name));                 \
	BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(name, initialize);                      \
	BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(name, itp_rank_sink_finalize);            \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(name,                   \
									 itp_sink_mip_versions); \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(                               \
		name, itp_rank_sink_graph_is_configured)

ITP_SINK_CLASS(export, "Write profiles or timelines as files of other programs", itp_export_init);
ITP_SINK_CLASS(mine, "Find patterns that explain the slow calls of many traces", itp_mine_init);
ITP_SINK_CLASS(rank, "Rank the calling contexts of a profile, or of a slow one against a good one",
	       itp_rank_init);
ITP_SINK_CLASS(report, "Draw a profile, or a slow one over a good one, as a page to look at",
	       itp_report_init);
