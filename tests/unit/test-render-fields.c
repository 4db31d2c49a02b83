/* SPDX-License-Identifier: MIT */
/*
 * Tables of fields: names are unique, JSON lines have the columns of CSV, and a line of names has
 * the columns of all tables.
 */
#include "common/render/records/fields.h"

#include <string.h>

#include "tests/unit/render-scene.h"

typedef const char *(*name_of)(const struct itp_field *field);

static const char *key_of(const struct itp_field *field)
{
	return field->key;
}

static const char *column_of(const struct itp_field *field)
{
	return field->column;
}

/* Name of the table with two equal names of a kind, and the name: "path: rank"; "" for none. */
static char *find_double(name_of name)
{
	for (size_t i = 0; itp_field_tables[i]; i++) {
		const struct itp_field_table *table = itp_field_tables[i];

		for (size_t k = 0; k < table->count; k++) {
			const char *one = name(&table->fields[k]);

			for (size_t before = 0; one && before < k; before++) {
				if (g_strcmp0(one, name(&table->fields[before])) == 0) {
					return g_strdup_printf("%s: %s", table->name, one);
				}
			}
		}
	}
	return g_strdup("");
}

static void test_unique(void)
{
	g_autofree char *key = find_double(key_of);
	g_autofree char *column = find_double(column_of);

	g_assert_cmpstr(key, ==, "");
	g_assert_cmpstr(column, ==, "");
}

/* A path's columns and those of parts of it are in the same line. */
static void test_flat(void)
{
	const struct itp_field_table *const flat[] = {
		&itp_header_table, &itp_summary_table, &itp_path_table,
		&itp_delta_table,  &itp_doubt_table,   &itp_frame_table,
	};
	g_autoptr(GHashTable) columns = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < G_N_ELEMENTS(flat); i++) {
		for (size_t k = 0; k < flat[i]->count; k++) {
			const char *column = flat[i]->fields[k].column;

			g_assert_true(!column || g_hash_table_add(columns, (gpointer)column));
		}
	}
}

static void test_reasons(void)
{
	for (size_t i = 0; itp_field_tables[i]; i++) {
		for (size_t k = 0; k < itp_field_tables[i]->count; k++) {
			const struct itp_field *field = &itp_field_tables[i]->fields[k];

			g_assert_true(field->key || field->column);
			g_assert_true(field->key || (field->why && field->why[0] != '\0'));
		}
	}
}

/* Line of names in CSV, and back: each has a table. */
static void test_columns(void)
{
	struct scene *scene = scene_comparison();
	g_autofree char *output = scene_rendered(scene, ITP_FORMAT_CSV, 80, false);
	g_autofree char *line = g_strndup(output, strcspn(output, "\r"));
	g_auto(GStrv) names = g_strsplit(line, ",", -1);
	g_autoptr(GHashTable) columns = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; itp_field_tables[i]; i++) {
		for (size_t k = 0; k < itp_field_tables[i]->count; k++) {
			const char *column = itp_field_tables[i]->fields[k].column;

			if (column) {
				g_hash_table_add(columns, (gpointer)column);
				g_assert_true(g_strv_contains((const char *const *)names, column));
			}
		}
	}
	g_assert_cmpuint(g_strv_length(names), ==, g_hash_table_size(columns));
	scene_free(scene);
}

/* The unit of the metric stands for the underscore. */
static void test_units(void)
{
	struct scene *scene = scene_comparison();
	const struct itp_ranked_path *path =
		&g_array_index(scene->ranking.paths, struct itp_ranked_path, 0);
	json_t *of_time = itp_path_record(&scene->ranking, path, ITP_LAYOUT_JSON);
	json_t *of_calls;

	scene->ranking.options.metric = ITP_METRIC_COUNT;
	of_calls = itp_path_record(&scene->ranking, path, ITP_LAYOUT_JSON);
	g_assert_nonnull(json_object_get(of_time, "cost_ns"));
	g_assert_nonnull(json_object_get(of_calls, "cost_calls"));
	g_assert_null(json_object_get(of_calls, "cost_ns"));
	json_decref(of_time);
	json_decref(of_calls);
	scene_free(scene);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/fields/names of a table are unique", test_unique);
	g_test_add_func("/fields/a line of CSV has each column once", test_flat);
	g_test_add_func("/fields/JSON lines have the columns of CSV, or a table says why not",
			test_reasons);
	g_test_add_func("/fields/CSV has the columns of the tables, and no others", test_columns);
	g_test_add_func("/fields/keys end in the unit of the metric", test_units);
	return g_test_run();
}
