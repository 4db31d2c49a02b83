/* SPDX-License-Identifier: MIT */
/*
 * A gzipped protocol buffer of pprof: a sample for each context, with how often it was called, its
 * total and its own latency. The last is what readers show unless asked for another.
 *
 * Samples of a base are labelled and negative, as `pprof -diff_base` makes them: what is shown is
 * then the difference, in percent of the base.
 *
 * Two messages one behind the other are a single one with the members of both: each sample and each
 * name is a message of its own, and only their names are kept.
 */
#include "common/render/export/writers.h"

#include "common/base/context-function.h"
#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/base/labels.h"
#include "common/render/export/profile.pb-c.h"

#include <zlib.h>

/* For deflateInit2(): the largest window, with a header of gzip. */
#define WINDOW_BITS (15 + 16)
#define MEMORY_LEVEL 8
#define BUFFER_BYTES 16384

struct gzip {
	z_stream deflate;
	/* Weak. */
	FILE *stream;
};

struct pprof {
	/* Buffer, first, so that packed bytes arrive here. */
	ProtobufCBuffer buffer;
	const struct itp_export_tree *tree;
	/* Types of the values. */
	const struct value_type *types;
	struct gzip gzip;
	/* Number of each string; the keys are owned by this. */
	GHashTable *strings;
	/* Number of each module, by name and build. The keys are owned by this. */
	GHashTable *mappings;
	/* Build of each module, by name, as not all of its functions need to tell it. Both are
	 * weak. */
	GHashTable *builds;
	/* By function: it is in the file. */
	bool *is_known;
	/* uint32_t, of the path at hand; and as locations. */
	GArray *path;
	GArray *locations;
	int64_t base_key;
	int64_t base_value;
};

enum {
	VALUE_COUNT,
	VALUE_TOTAL,
	VALUE_OWN,
	VALUE_TYPE_COUNT
};

static const struct value_type {
	const char *type;
	const char *unit;
} latency_types[VALUE_TYPE_COUNT] = {
	[VALUE_COUNT] = { "count", "count" },
	[VALUE_TOTAL] = { "total", "nanoseconds" },
	[VALUE_OWN] = { "own", "nanoseconds" },
}, cpu_types[VALUE_TYPE_COUNT] = {
	/* Names as other profilers use them: number of ticks, and the time they stand for. */
	[VALUE_COUNT] = { "samples", "count" },
	[VALUE_TOTAL] = { "cpu_total", "nanoseconds" },
	[VALUE_OWN] = { "cpu", "nanoseconds" },
};

/* ---- Bytes into a stream, compressed by gzip; equal bytes each time ---- */

/* ITP_ERROR_MEMORY. Errors of `stream` are left to the caller, as with all writers. */
static int gzip_init(struct gzip *gzip, FILE *stream)
{
	*gzip = (struct gzip){ .stream = stream };
	return deflateInit2(&gzip->deflate, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS,
			    MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK ?
		       ITP_OK :
		       ITP_ERROR_MEMORY;
}

static void deflate_all(struct gzip *gzip, int flush)
{
	unsigned char buffer[BUFFER_BYTES];

	do {
		gzip->deflate.next_out = buffer;
		gzip->deflate.avail_out = BUFFER_BYTES;
		(void)deflate(&gzip->deflate, flush);
		fwrite(buffer, 1, BUFFER_BYTES - gzip->deflate.avail_out, gzip->stream);
	} while (gzip->deflate.avail_out == 0);
}

static void gzip_write(struct gzip *gzip, const void *data, size_t bytes)
{
	gzip->deflate.next_in = (unsigned char *)data;
	gzip->deflate.avail_in = (unsigned int)bytes;
	deflate_all(gzip, Z_NO_FLUSH);
}

/* Writes the rest, and releases all. */
static void gzip_finish(struct gzip *gzip)
{
	gzip->deflate.avail_in = 0;
	deflate_all(gzip, Z_FINISH);
	(void)deflateEnd(&gzip->deflate);
}

/* ---- The profile ---- */

static void append_zipped(ProtobufCBuffer *buffer, size_t bytes, const uint8_t *data)
{
	gzip_write(&((struct pprof *)buffer)->gzip, data, bytes);
}

static void write_message(struct pprof *pprof, const Itp__Pprof__Profile *profile)
{
	itp__pprof__profile__pack_to_buffer(profile, &pprof->buffer);
}

/* Number of a string, which goes into the file when new; clean, as readers print it to their
 * terminals. */
static int64_t string_of(struct pprof *pprof, const char *text)
{
	Itp__Pprof__Profile profile = ITP__PPROF__PROFILE__INIT;
	char *clean = itp_label_clean_text(text);
	gpointer number;

	if (g_hash_table_lookup_extended(pprof->strings, clean, NULL, &number)) {
		g_free(clean);
		return GPOINTER_TO_UINT(number);
	}
	number = GUINT_TO_POINTER(g_hash_table_size(pprof->strings));
	profile.n_string_table = 1;
	profile.string_table = &clean;
	write_message(pprof, &profile);
	g_hash_table_insert(pprof->strings, clean, number);
	return GPOINTER_TO_UINT(number);
}

static void write_types(struct pprof *pprof)
{
	for (size_t i = 0; i < VALUE_TYPE_COUNT; i++) {
		Itp__Pprof__Profile profile = ITP__PPROF__PROFILE__INIT;
		Itp__Pprof__ValueType type = ITP__PPROF__VALUE_TYPE__INIT;
		Itp__Pprof__ValueType *types = &type;

		type.type = string_of(pprof, pprof->types[i].type);
		type.unit = string_of(pprof, pprof->types[i].unit);
		profile.n_sample_type = 1;
		profile.sample_type = &types;
		write_message(pprof, &profile);
	}
}

static void write_head(struct pprof *pprof, const char *name)
{
	const struct itp_infer_counts *counts = &pprof->tree->suspect->workload.counts;
	Itp__Pprof__Profile profile = ITP__PPROF__PROFILE__INIT;
	/* The first string must be empty. */
	int64_t comment = string_of(pprof, "");

	write_types(pprof);
	comment = string_of(pprof, name);
	profile.n_comment = 1;
	profile.comment = &comment;
	profile.duration_nanos = counts->end_ns - counts->begin_ns;
	profile.default_sample_type = string_of(pprof, pprof->types[VALUE_OWN].type);
	write_message(pprof, &profile);
	if (pprof->tree->base) {
		pprof->base_key = string_of(pprof, "pprof::base");
		pprof->base_value = string_of(pprof, "true");
	}
}

static void find_builds(struct pprof *pprof)
{
	for (uint32_t i = 0; i < itp_function_table_size(pprof->tree->functions); i++) {
		const struct itp_function *function =
			itp_function_table_get(pprof->tree->functions, i);

		if (function->recorded_build_id[0]) {
			g_hash_table_insert(pprof->builds, (gpointer)function->module,
					    (gpointer)function->recorded_build_id);
		}
	}
}

static const char *build_of(const struct pprof *pprof, const struct itp_function *function)
{
	const char *build = g_hash_table_lookup(pprof->builds, function->module);

	return function->recorded_build_id[0] || !build ? function->recorded_build_id : build;
}

/* Number of a function's module; 0 without a module. */
static uint64_t mapping_of(struct pprof *pprof, const struct itp_function *function)
{
	const char *build = build_of(pprof, function);
	Itp__Pprof__Profile profile = ITP__PPROF__PROFILE__INIT;
	Itp__Pprof__Mapping mapping = ITP__PPROF__MAPPING__INIT;
	Itp__Pprof__Mapping *mappings = &mapping;
	char *key;
	gpointer number;

	if (function->module[0] == '\0') {
		return 0;
	}
	key = g_strdup_printf("%s %s", build, function->module);
	number = g_hash_table_lookup(pprof->mappings, key);
	if (number) {
		g_free(key);
		return GPOINTER_TO_UINT(number);
	}
	mapping.id = g_hash_table_size(pprof->mappings) + 1;
	mapping.filename = string_of(pprof, function->module);
	mapping.build_id = string_of(pprof, build);
	mapping.has_functions = 1;
	profile.n_mapping = 1;
	profile.mapping = &mappings;
	write_message(pprof, &profile);
	g_hash_table_insert(pprof->mappings, key, GUINT_TO_POINTER((guint)mapping.id));
	return mapping.id;
}

/* Process with most of the time; ITP_CONTEXT_ROOT without any. */
static uint32_t main_process(const struct itp_export_tree *tree)
{
	uint32_t found = ITP_CONTEXT_ROOT;
	int64_t most_ns = -1;

	for (uint32_t node = 1; node < itp_context_tree_size(tree->contexts); node++) {
		int64_t total_ns = itp_profile_peek(tree->suspect, node)->total_ns;

		if (itp_context_tree_get(tree->contexts, node)->parent == ITP_CONTEXT_ROOT &&
		    total_ns > most_ns) {
			most_ns = total_ns;
			found = node;
		}
	}
	return found;
}

/* Readers take the first mapping for the program: the main process goes by its name, of which the
 * kernel keeps only the first bytes. */
static void write_program(struct pprof *pprof)
{
	const struct itp_export_tree *tree = pprof->tree;
	uint32_t process = main_process(tree);
	const char *name;

	if (process == ITP_CONTEXT_ROOT) {
		return;
	}
	name = itp_context_function(tree->contexts, tree->functions, process)->name;
	for (uint32_t i = 0; i < itp_function_table_size(tree->functions); i++) {
		const struct itp_function *function = itp_function_table_get(tree->functions, i);

		if (function->layer == ITP_LAYER_USER && name[0] &&
		    g_str_has_prefix(function->module, name)) {
			(void)mapping_of(pprof, function);
			return;
		}
	}
}

/* A function is its own, only location. Numbers begin with 1. */
static uint64_t location_of(struct pprof *pprof, uint32_t id)
{
	const struct itp_function *function = itp_function_table_get(pprof->tree->functions, id);
	Itp__Pprof__Profile profile = ITP__PPROF__PROFILE__INIT;
	Itp__Pprof__Function message = ITP__PPROF__FUNCTION__INIT;
	Itp__Pprof__Function *functions = &message;
	Itp__Pprof__Line line = ITP__PPROF__LINE__INIT;
	Itp__Pprof__Line *lines = &line;
	Itp__Pprof__Location location = ITP__PPROF__LOCATION__INIT;
	Itp__Pprof__Location *locations = &location;
	g_autofree char *shown = NULL;

	if (pprof->is_known[id]) {
		return (uint64_t)id + 1;
	}
	pprof->is_known[id] = true;
	shown = itp_function_shown_name(function);
	message.id = (uint64_t)id + 1;
	message.name = string_of(pprof, shown);
	message.system_name = message.name;
	message.filename = string_of(pprof, function->module);
	line.function_id = message.id;
	location.id = message.id;
	location.mapping_id = mapping_of(pprof, function);
	location.n_line = 1;
	location.line = &lines;
	profile.n_function = 1;
	profile.function = &functions;
	profile.n_location = 1;
	profile.location = &locations;
	write_message(pprof, &profile);
	return message.id;
}

/* The path to `node` as locations, the innermost first. */
static void find_locations(struct pprof *pprof, uint32_t node)
{
	itp_context_tree_path(pprof->tree->contexts, node, pprof->path);
	g_array_set_size(pprof->locations, 0);
	for (guint i = pprof->path->len; i > 0; i--) {
		uint64_t location = location_of(pprof, g_array_index(pprof->path, uint32_t, i - 1));

		g_array_append_val(pprof->locations, location);
	}
}

static void write_sample(struct pprof *pprof, uint32_t node, bool is_base)
{
	const struct itp_profile *from = is_base ? pprof->tree->base : pprof->tree->suspect;
	const struct itp_node_stats *stats = itp_profile_peek(from, node);
	int64_t sign = is_base ? -1 : 1;
	int64_t values[VALUE_TYPE_COUNT] = {
		[VALUE_COUNT] =
			sign * (int64_t)(pprof->types == cpu_types ? stats->samples : stats->count),
		[VALUE_TOTAL] = sign * MAX(stats->total_ns, 0),
		[VALUE_OWN] = sign * itp_export_own_ns(from, node),
	};
	Itp__Pprof__Profile profile = ITP__PPROF__PROFILE__INIT;
	Itp__Pprof__Sample sample = ITP__PPROF__SAMPLE__INIT;
	Itp__Pprof__Sample *samples = &sample;
	Itp__Pprof__Label label = ITP__PPROF__LABEL__INIT;
	Itp__Pprof__Label *labels = &label;

	if (values[VALUE_COUNT] == 0 && values[VALUE_TOTAL] == 0 && values[VALUE_OWN] == 0) {
		return;
	}
	find_locations(pprof, node);
	label.key = pprof->base_key;
	label.str = pprof->base_value;
	sample.n_location_id = pprof->locations->len;
	sample.location_id = (uint64_t *)(void *)pprof->locations->data;
	sample.n_value = VALUE_TYPE_COUNT;
	sample.value = values;
	sample.n_label = is_base;
	sample.label = &labels;
	profile.n_sample = 1;
	profile.sample = &samples;
	write_message(pprof, &profile);
}

static void write_samples(struct pprof *pprof)
{
	for (uint32_t node = 1; node < itp_context_tree_size(pprof->tree->contexts); node++) {
		write_sample(pprof, node, false);
		if (pprof->tree->base) {
			write_sample(pprof, node, true);
		}
	}
}

int itp_export_pprof(const struct itp_export_input *input, FILE *stream)
{
	const bool has_latencies = itp_workload_has_latencies(&input->tree->suspect->workload);
	struct pprof pprof = { .buffer = { .append = append_zipped },
			       .tree = input->tree,
			       .types = has_latencies ? latency_types : cpu_types };
	int code = gzip_init(&pprof.gzip, stream);

	if (code < 0) {
		return code;
	}
	pprof.strings = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
	pprof.mappings = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
	pprof.builds = g_hash_table_new(itp_hash_text, g_str_equal);
	pprof.is_known = g_new0(bool, itp_function_table_size(input->functions));
	pprof.path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	pprof.locations = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	write_head(&pprof, input->name);
	find_builds(&pprof);
	write_program(&pprof);
	write_samples(&pprof);
	gzip_finish(&pprof.gzip);
	g_array_unref(pprof.locations);
	g_array_unref(pprof.path);
	g_free(pprof.is_known);
	g_hash_table_unref(pprof.mappings);
	g_hash_table_unref(pprof.builds);
	g_hash_table_unref(pprof.strings);
	return ITP_OK;
}
