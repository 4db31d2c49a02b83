/* SPDX-License-Identifier: MIT */
/*
 * See report.h.
 */
#include "sinks/report/report.h"

#include "common/engine/page-job.h"
#include "messages/param-maps.h"
#include "sinks/profiles/component.h"

bt_component_class_initialize_method_status itp_report_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	g_autoptr(GHashTable) values = itp_values_of_map(params);
	GError *error = NULL;
	struct itp_rank_job *job = itp_page_new(values, NULL, &error);

	(void)configuration;
	(void)data;
	return itp_rank_sink_init(self, itp_rank_sink_of_job(job), error);
}
