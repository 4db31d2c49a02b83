/* SPDX-License-Identifier: MIT */
/*
 * See bpf-run.h, for builds without it.
 */
#include "plugins/perf/record/bpf-run.h"

char *itp_record_bpf_text(const struct itp_record_options *options)
{
	(void)options;
	return g_strdup("");
}

bool itp_record_bpf_run(const struct itp_record_options *options, const char *output,
			char *const *typed, struct itp_held *held, struct itp_recipe *ret_recipe,
			struct itp_record_bpf_end *ret_end, GError **error)
{
	(void)options;
	(void)output;
	(void)typed;
	(void)held;
	(void)ret_recipe;
	*ret_end = (struct itp_record_bpf_end){ .has_begun = false };
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
		    "this program was built without it, as there was no " ITP_RECORDER_LACKS
		    ": install that (Debian: clang, bpftool and libbpf-dev) and build it anew");
	return false;
}
