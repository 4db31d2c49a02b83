/* SPDX-License-Identifier: MIT */
/*
 * See params.h.
 */
#include "filters/infer/params.h"

#include "common/base/failure.h"
#include "common/base/hash.h"
#include "common/engine/period.h"
#include "common/engine/stages.h"

static const struct itp_param filter_params[] = {
	ITP_INFER_PARAMS(struct itp_infer_params, infer),
	{ "period", ITP_PARAM_STRING, offsetof(struct itp_infer_params, period), NULL },
	{ "exclude-pid", ITP_PARAM_STRINGS, offsetof(struct itp_infer_params, exclude_pids), NULL },
	{ "symfs", ITP_PARAM_STRING, offsetof(struct itp_infer_params, foreign.symfs), NULL },
	{ "kallsyms", ITP_PARAM_STRING, offsetof(struct itp_infer_params, foreign.kallsyms), NULL },
	{ "maps", ITP_PARAM_STRINGS, offsetof(struct itp_infer_params, foreign.maps), NULL },
	{ "fill", ITP_PARAM_CHOICE, offsetof(struct itp_infer_params, foreign.fill),
	  itp_fill_names },
	{ "inline", ITP_PARAM_BOOL, offsetof(struct itp_infer_params, foreign.inlines), NULL },
	{ "calls", ITP_PARAM_BOOL, offsetof(struct itp_infer_params, calls), NULL },
	{ "stretches", ITP_PARAM_BOOL, offsetof(struct itp_infer_params, stretches), NULL },
	{ "pass-through", ITP_PARAM_BOOL, offsetof(struct itp_infer_params, pass_through), NULL },
};

const struct itp_param_table itp_infer_filter_table = { filter_params,
							G_N_ELEMENTS(filter_params) };

const struct itp_infer_params itp_infer_filter_defaults = { .infer = ITP_INFER_DEFAULTS,
							    .foreign = { .inlines = true } };

GHashTable *itp_infer_params_excluded(const struct itp_infer_params *params, GError **error)
{
	const GPtrArray *texts = params->exclude_pids;
	g_autoptr(GHashTable) pids = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = 0; texts && i < texts->len; i++) {
		const char *text = g_ptr_array_index(texts, i);
		guint64 pid;

		if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &pid, NULL)) {
			itp_failure_set(error,
					"parameter \"exclude-pid\": \"%s\" is no number of a "
					"process",
					text);
			return NULL;
		}
		g_hash_table_add(pids, GINT_TO_POINTER((gint)pid));
	}
	return g_steal_pointer(&pids);
}

bool itp_infer_params_check(const void *params, GError **error)
{
	const struct itp_infer_params *infer = params;
	g_autoptr(GHashTable) pids = itp_infer_params_excluded(infer, error);
	struct itp_period period;

	return pids && itp_period_parse(infer->period, &period, error) &&
	       itp_foreign_options_check(&infer->foreign, error);
}
