/* SPDX-License-Identifier: MIT */
/*
 * JSON lines: valid whatever names hold, and what each object says.
 */
#include "tests/unit/render-scene.h"

#include <jansson.h>
#include <string.h>

static void test_jsonl(void)
{
	scene_check(scene_comparison(), ITP_FORMAT_JSONL, 80, "comparison.jsonl");
}

static void test_jsonl_single(void)
{
	scene_check(scene_single(), ITP_FORMAT_JSONL, 80, "single.jsonl");
}

static void test_jsonl_incomplete(void)
{
	scene_check(scene_incomplete(), ITP_FORMAT_JSONL, 80, "incomplete.jsonl");
}

static void test_jsonl_nothing(void)
{
	scene_check(scene_new("good.data", "slow.data"), ITP_FORMAT_JSONL, 80, "nothing.jsonl");
}

static void test_jsonl_calls(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = NULL;

	scene->ranking.options.metric = ITP_METRIC_COUNT;
	output = scene_rendered(scene, ITP_FORMAT_JSONL, 80, false);
	g_assert_nonnull(strstr(output, "\"rank\":1,\"cost_calls\":"));
	g_assert_null(strstr(output, "\"cost_ns\":"));
	scene_free(scene);
}

static void test_jsonl_poor(void)
{
	scene_check(scene_poor(), ITP_FORMAT_JSONL, 80, "poor.jsonl");
}

static void test_jsonl_changes(void)
{
	scene_check(scene_changes(), ITP_FORMAT_JSONL, 80, "changes.jsonl");
}

static void test_jsonl_functions(void)
{
	scene_check(scene_functions(ITP_RANK_BY_FUNCTION), ITP_FORMAT_JSONL, 80, "functions.jsonl");
	scene_check(scene_functions(ITP_RANK_BY_MODULE), ITP_FORMAT_JSONL, 80, "modules.jsonl");
	scene_check(scene_processes(false), ITP_FORMAT_JSONL, 80, "processes.jsonl");
}

static void test_jsonl_waits(void)
{
	scene_check(scene_waits(), ITP_FORMAT_JSONL, 80, "waits.jsonl");
}

static void test_jsonl_hostile(void)
{
	struct scene *scene = scene_hostile();
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_JSONL, 80, false);
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	guint count = g_strv_length(lines);

	g_assert_cmpuint(count, ==, 1 + 8 + 1 + 1);
	for (guint i = 0; i + 1 < count; i++) {
		json_t *object = json_loads(lines[i], JSON_REJECT_DUPLICATES, NULL);

		g_assert_true(json_is_object(object));
		json_decref(object);
	}
	scene_free(scene);
}

/* Controls of both sets, a direction, a character that is not seen of more than 16 bits; and one
 * that is seen. */
static void test_jsonl_terminals(void)
{
	const char *const name = "\x1b[2J\x7f\xc2\x9b"
				 "1m\u202e\u2028\U000e0001\u6f22";
	struct scene *scene = scene_new(name, name);
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_JSONL, 80, false);
	json_t *header = json_loads(output, JSON_DISABLE_EOF_CHECK, NULL);

	g_assert_nonnull(strstr(output, "\"suspect\":\"\\u001B[2J\\u007F\\u009B1m\\u202E\\u2028"
					"\\uDB40\\uDC01\u6f22\""));
	g_assert_cmpstr(json_string_value(json_object_get(header, "suspect")), ==, name);
	json_decref(header);
	scene_free(scene);
}

/* The document holds the lines, and the sentence in one of its own. */
static void test_document(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_JSON, 80, false);
	g_autofree char *lines = scene_rendered(scene, ITP_FORMAT_JSONL, 80, false);
	g_autofree char *text = scene_rendered(scene, ITP_FORMAT_TEXT, 200, false);
	g_autofree char *first = g_strndup(text, (gsize)(strchr(text, '\n') - text));
	g_auto(GStrv) records = g_strsplit(g_strchomp(lines), "\n", -1);
	guint count = g_strv_length(records);
	json_t *document = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
	json_t *entries = json_object_get(document, "entries");

	g_assert_cmpstr(json_string_value(json_object_get(document, "sentence")), ==, first);
	g_assert_cmpuint(json_array_size(entries), ==, count - 2);
	for (guint i = 0; i < count; i++) {
		json_t *record = json_loads(records[i], 0, NULL);

		g_assert_true(json_equal(record, i == 0 ? json_object_get(document, "header") :
						 i + 1 == count ?
							  json_object_get(document, "summary") :
							  json_array_get(entries, i - 1)));
		json_decref(record);
	}
	json_decref(document);
	scene_free(scene);
}

/* One without entries; and names that mean something in JSON. */
static void test_document_hostile(void)
{
	struct scene *scenes[] = { scene_new("good.data", "slow.data"), scene_hostile() };

	for (guint i = 0; i < G_N_ELEMENTS(scenes); i++) {
		g_autofree char *output = scene_rendered(scenes[i], ITP_FORMAT_JSON, 80, false);
		json_t *document = json_loads(output, JSON_REJECT_DUPLICATES, NULL);

		g_assert_true(json_is_array(json_object_get(document, "entries")));
		json_decref(document);
		scene_free(scenes[i]);
	}
}

static void test_markdown(void)
{
	scene_check(scene_comparison(), ITP_FORMAT_MARKDOWN, 80, "comparison.md");
	scene_check(scene_hostile(), ITP_FORMAT_MARKDOWN, 80, "hostile.md");
	scene_check(scene_functions(ITP_RANK_BY_FUNCTION), ITP_FORMAT_MARKDOWN, 80, "functions.md");
}

static void test_same_bytes(void)
{
	for (int format = ITP_FORMAT_TEXT; format <= ITP_FORMAT_MARKDOWN; format++) {
		struct scene *scene = scene_hostile();
		g_autofree char *first = scene_rendered(scene, (enum itp_format)format, 80, false);
		g_autofree char *second = scene_rendered(scene, (enum itp_format)format, 80, false);

		g_assert_cmpstr(first, ==, second);
		scene_free(scene);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/jsonl of a comparison", test_jsonl);
	g_test_add_func("/render/jsonl of a recording alone has no base", test_jsonl_single);
	g_test_add_func("/render/jsonl counts what is missing", test_jsonl_incomplete);
	g_test_add_func("/render/jsonl without paths has header and summary", test_jsonl_nothing);
	g_test_add_func("/render/jsonl of calls has no keys of times for them", test_jsonl_calls);
	g_test_add_func("/render/jsonl is valid whatever names hold", test_jsonl_hostile);
	g_test_add_func("/render/jsonl keeps names, and nothing in it harms a terminal",
			test_jsonl_terminals);
	g_test_add_func("/render/jsonl tells how sure a difference is, and what has moved",
			test_jsonl_changes);
	g_test_add_func("/render/jsonl of functions, of modules and of processes",
			test_jsonl_functions);
	g_test_add_func("/render/jsonl of what holds up others", test_jsonl_waits);
	g_test_add_func("/render/jsonl says how bad the input is", test_jsonl_poor);
	g_test_add_func("/render/a document has the sentence and the lines", test_document);
	g_test_add_func("/render/a document is valid whatever names hold", test_document_hostile);
	g_test_add_func("/render/markdown has the sentence, the table and the text", test_markdown);
	g_test_add_func("/render/the same ranking gives the same bytes in every format",
			test_same_bytes);
	return g_test_run();
}
