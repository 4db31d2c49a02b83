/* SPDX-License-Identifier: MIT */
/*
 * See page-source.h. The page gets a JSON array (source.js of common/render/report reads it), each
 * of its objects for the culprit of some paths, or, without paths, for all other paths:
 *
 *   { "paths": [rank, …], "side": "suspect" or "base", "of": recording, … }
 *
 * with common/render/source/json.c's members for a function, or only "lack", the reason for their
 * absence.
 */
#include "plugins/perf/command/page-source.h"

#include "common/base/failure.h"
#include "common/engine/perf-inputs.h"
#include "common/rank/detail.h"
#include "common/render/entries.h"
#include "common/render/json.h"
#include "common/render/source/source.h"
#include "plugins/perf/command/source-reading.h"

/* Most culprits, those of the first paths; and most rows of each. */
#define CULPRITS_MOST 8
#define ROWS_MOST 300

#define INTERRUPTED                                                                                   \
	"There are no source lines: the reading of the recording for them was interrupted. Make the " \
	"page again."

/* Culprit of one or several paths. */
struct culprit {
	/* Weak. */
	const struct itp_function *function;
	/* Ranks. Owned by this. */
	json_t *paths;
	/* Found in the recording at hand. */
	bool is_found;
};

struct finding {
	/* Weak. */
	const struct itp_page_source *source;
	/* "suspect" or "base". Weak. */
	const char *side;
	/* Of the recording. Owned by this. */
	char *name;
	/* struct culprit. Owned by this. */
	GArray *culprits;
	/* Owned by this. */
	struct itp_names *names;
	json_t *result;
	/* Of the first recording that could not be read, or not to its end; NULL: none. Owned by
	 * this. */
	GError *failure;
};

/* ---- Culprits ---- */

static void culprit_clear(gpointer data)
{
	json_decref(((struct culprit *)data)->paths);
}

static struct culprit *culprit_of(GArray *culprits, const struct itp_function *function)
{
	for (guint i = 0; i < culprits->len; i++) {
		struct culprit *culprit = &g_array_index(culprits, struct culprit, i);

		if (culprit->function == function) {
			return culprit;
		}
	}
	return NULL;
}

static GArray *list_culprits(const struct itp_ranking *ranking)
{
	GArray *culprits = g_array_new(FALSE, FALSE, sizeof(struct culprit));

	g_array_set_clear_func(culprits, culprit_clear);
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);
		const struct itp_ranked_frame *face = itp_path_face(path);
		const struct itp_function *function =
			face ? itp_function_at(ranking, face->function) : NULL;
		struct culprit fresh = { .function = function };
		struct culprit *culprit;

		if (path->culprit < 0 || function->layer != ITP_LAYER_USER) {
			continue;
		}
		culprit = culprit_of(culprits, function);
		if (!culprit && culprits->len < CULPRITS_MOST) {
			fresh.paths = json_array();
			g_array_append_val(culprits, fresh);
			culprit = &g_array_index(culprits, struct culprit, culprits->len - 1);
		}
		if (culprit) {
			json_array_append_new(culprit->paths, json_integer(path->rank));
		}
	}
	return culprits;
}

/* Gets the finding. */
static bool is_wanted_function(const struct itp_function *function, void *data)
{
	const struct finding *finding = data;

	for (guint i = 0; i < finding->culprits->len; i++) {
		const struct itp_function *wanted =
			g_array_index(finding->culprits, struct culprit, i).function;

		if (itp_source_is_meant(finding->names, function, wanted->name, wanted->module)) {
			return true;
		}
	}
	return false;
}

/* ---- Output ---- */

/* `object` is for these paths, NULL: for all others. */
static void take_object(const struct finding *finding, json_t *object, json_t *paths)
{
	if (paths) {
		json_object_set_nocheck(object, "paths", paths);
	} else {
		json_object_set_new_nocheck(object, "paths", json_array());
	}
	itp_json_set_text(object, "side", finding->side);
	itp_json_set_text(object, "of", finding->name ? finding->name : "");
	json_array_append_new(finding->result, object);
}

static void take_lack(const struct finding *finding, const char *lack, json_t *paths)
{
	json_t *object = json_object();

	itp_json_set_text(object, "lack", lack);
	take_object(finding, object, paths);
}

static void take_page(struct finding *finding, const struct itp_source_page *page,
		      const struct itp_source_looks *looks)
{
	const struct itp_function *function =
		itp_function_table_get(looks->functions, page->function);

	for (guint i = 0; i < finding->culprits->len; i++) {
		struct culprit *culprit = &g_array_index(finding->culprits, struct culprit, i);

		if (itp_source_is_meant(finding->names, function, culprit->function->name,
					culprit->function->module)) {
			take_object(finding, itp_render_source_object(page, looks, ROWS_MOST),
				    culprit->paths);
			culprit->is_found = true;
			return;
		}
	}
}

static void take_missing(const struct finding *finding)
{
	for (guint i = 0; i < finding->culprits->len; i++) {
		const struct culprit *culprit =
			&g_array_index(finding->culprits, struct culprit, i);

		if (!culprit->is_found) {
			take_lack(finding, "No stack of this recording has the function.",
				  culprit->paths);
		}
	}
	take_lack(
		finding,
		"The page has source lines of the culprits of the first paths only; perf introperf "
		"annotate -s FUNCTION shows those of others.",
		NULL);
}

/* ---- Reading ---- */

/* Takes `failure`. */
static void note_failure(struct finding *finding, GError *failure)
{
	if (!finding->failure) {
		finding->failure = g_steal_pointer(&failure);
	}
	g_clear_error(&failure);
}

static void take_pages(struct finding *finding, const struct itp_source_request *request)
{
	const struct itp_source_looks looks = { .costs = request->costs,
						.functions = request->functions,
						.width = G_MAXUINT16 };
	g_autoptr(GPtrArray) pages = itp_source_pages(request);

	for (guint i = 0; i < finding->culprits->len; i++) {
		g_array_index(finding->culprits, struct culprit, i).is_found = false;
	}
	for (guint i = 0; i < pages->len; i++) {
		take_page(finding, g_ptr_array_index(pages, i), &looks);
	}
	take_missing(finding);
}

/* Undamaged parts of a damaged recording count, as for the ranking. Parts before an interrupt do
 * not: the ranking is of more. */
static void read_session(struct finding *finding, const struct itp_perf_input *input)
{
	struct itp_perf_session *session = input->opened;
	const struct itp_page_source *source = finding->source;
	struct itp_source_costs *costs =
		itp_source_costs_new(session->functions, is_wanted_function, finding);
	const struct itp_source_request request = { .costs = costs,
						    .functions = session->functions,
						    .symfs = source->params->symbols.symfs,
						    .debuginfod =
							    source->params->symbols.debuginfod };
	int result =
		itp_source_read_events(session->reader, costs, source->line, source->interrupt);

	if (result > 0) {
		take_lack(finding, INTERRUPTED, NULL);
	} else {
		take_pages(finding, &request);
	}
	if (result < 0) {
		note_failure(finding,
			     itp_failure_of_part(itp_perf_session_failure(session, input, result),
						 NULL));
	}
	itp_source_costs_free(costs);
}

static void read_recording(struct finding *finding, const char *path)
{
	const struct itp_perf_options options =
		itp_symbol_params_options(&finding->source->params->symbols);
	GError *error = NULL;
	struct itp_perf_input *input = itp_perf_input_new(path, &options, &error);

	if (!input) {
		take_lack(finding, error->message, NULL);
		note_failure(finding, error);
		return;
	}
	g_free(finding->name);
	finding->name = itp_perf_input_name(input);
	read_session(finding, input);
	itp_perf_input_free(input);
}

/* By the path as given or its last part, as the parameter `base` names inputs. */
static bool is_base(const struct itp_page_source *source, const char *path)
{
	g_autofree char *last = g_path_get_basename(path);

	for (guint i = 0; i < source->base->len; i++) {
		const char *name = g_ptr_array_index(source->base, i);

		if (g_str_equal(name, path) || g_str_equal(name, last)) {
			return true;
		}
	}
	return false;
}

guint itp_page_source_first(const struct itp_page_source *source, bool of_base)
{
	for (guint i = 0; i < source->inputs->recordings->len; i++) {
		if (is_base(source, g_ptr_array_index(source->inputs->recordings, i)) == of_base) {
			return i;
		}
	}
	return G_MAXUINT;
}

static void find_side(struct finding *finding, bool of_base)
{
	guint first = itp_page_source_first(finding->source, of_base);
	const char *path = first == G_MAXUINT ?
				   NULL :
				   g_ptr_array_index(finding->source->inputs->recordings, first);

	finding->side = of_base ? "base" : "suspect";
	if (itp_interrupt_has_ended_early(finding->source->interrupt)) {
		take_lack(finding, INTERRUPTED, NULL);
	} else if (!path) {
		take_lack(finding, "There are no source lines of a saved profile.", NULL);
	} else if (g_str_equal(path, ITP_PERF_STANDARD_INPUT)) {
		take_lack(finding,
			  "There are no source lines, as the recording would be read once more for "
			  "them, and standard input is read once: make the page of a file.",
			  NULL);
	} else {
		read_recording(finding, path);
	}
}

bool itp_page_source_find(const struct itp_ranking *ranking, void *data, char **ret_source,
			  GError **error)
{
	struct finding finding = { .source = data,
				   .side = "suspect",
				   .culprits = list_culprits(ranking),
				   .names = itp_names_new(true),
				   .result = json_array() };
	bool is_whole;

	*ret_source = NULL;
	if (finding.source->is_left_out) {
		take_lack(&finding, "The source lines were left out (--no-source).", NULL);
	} else if (finding.culprits->len > 0 && finding.source->inputs->recordings->len > 0) {
		find_side(&finding, false);
		if (ranking->base) {
			find_side(&finding, true);
		}
	}
	if (json_array_size(finding.result) > 0) {
		*ret_source = itp_json_dump(finding.result, JSON_COMPACT);
	}
	is_whole = !finding.failure && !itp_interrupt_has_ended_early(finding.source->interrupt);
	if (finding.failure) {
		g_propagate_error(error, finding.failure);
	}
	json_decref(finding.result);
	itp_names_free(finding.names);
	g_array_unref(finding.culprits);
	g_free(finding.name);
	return is_whole;
}
