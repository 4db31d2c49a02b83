/* SPDX-License-Identifier: MIT */
/*
 * See view-options.h. Options own their members here.
 */
#include "common/engine/view-options.h"

#include "common/base/failure.h"
#include "common/view/names.h"

enum itp_rank_naming {
	NAMING_SHORT = 0,
	NAMING_CANONICAL = 1,
	NAMING_RAW = 2,
};

const char *const itp_rank_naming_names[] = {
	[NAMING_SHORT] = "short",
	[NAMING_CANONICAL] = "canonical",
	[NAMING_RAW] = "raw",
	NULL,
};

/* NULL after an error. */
static struct itp_names *read_names(const struct itp_rank_view_params *params, GError **error)
{
	struct itp_names *names = itp_names_new(params->names != NAMING_RAW);
	g_autoptr(GError) reason = NULL;

	if (params->names_file && !itp_names_read(names, params->names_file, &reason)) {
		itp_failure_set(error, "parameter \"names-file\": %s", reason->message);
		g_clear_pointer(&names, itp_names_free);
	}
	return names;
}

static bool read_patterns(const struct itp_rank_view_params *params,
			  struct itp_view_options *options, GError **error)
{
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		if (!params->patterns[i]) {
			continue;
		}
		options->patterns[i] =
			itp_patterns_new(itp_view_pattern_names[i], params->patterns[i], error);
		if (!options->patterns[i]) {
			return false;
		}
	}
	return true;
}

/* Writes a parameter with several values, which may be NULL. */
static void write_texts(GString *text, const char *name, const GPtrArray *values)
{
	for (guint i = 0; values && i < values->len; i++) {
		g_string_append_printf(text, " %s=\"%s\"", name,
				       (char *)g_ptr_array_index(values, i));
	}
}

/* Parameters other than the defaults. The caller frees it. */
static char *write_text(const struct itp_rank_view_params *params)
{
	GString *text = g_string_new(NULL);

	if (params->names != NAMING_SHORT) {
		g_string_append_printf(text, " names=%s", itp_rank_naming_names[params->names]);
	}
	if (params->names_file) {
		g_string_append_printf(text, " names-file=\"%s\"", params->names_file);
	}
	write_texts(text, "process", params->processes);
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		write_texts(text, itp_view_pattern_names[i], params->patterns[i]);
	}
	if (params->fold_recursion) {
		g_string_append(text, " fold-recursion=yes");
	}
	if (params->max_depth > 0) {
		g_string_append_printf(text, " max-depth=%" G_GUINT64_FORMAT, params->max_depth);
	}
	write_texts(text, "pair", params->pairs);
	return g_strchug(g_string_free(text, FALSE));
}

struct itp_view_options *itp_rank_view_options_new(const struct itp_rank_view_params *params,
						   GError **error)
{
	struct itp_view_options *options = g_new0(struct itp_view_options, 1);

	options->fold_recursion = params->fold_recursion;
	options->max_depth = params->max_depth;
	options->pairs.named = params->pairs;
	options->processes = params->processes;
	options->shortens = params->names == NAMING_SHORT;
	options->text = write_text(params);
	options->names = read_names(params, error);
	if (!options->names || !read_patterns(params, options, error)) {
		g_clear_pointer(&options, itp_rank_view_options_free);
	}
	return options;
}

void itp_rank_view_options_free(struct itp_view_options *options)
{
	if (!options) {
		return;
	}
	itp_names_free((struct itp_names *)options->names);
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		itp_patterns_free((struct itp_patterns *)options->patterns[i]);
	}
	g_free((char *)options->text);
	g_free(options);
}
