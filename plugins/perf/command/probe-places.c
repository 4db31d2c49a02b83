/* SPDX-License-Identifier: MIT */
/*
 * See probe-places.h.
 */
#include "plugins/perf/command/probe-places.h"

#include <string.h>

#include "common/symbol/elf-symbols.h"
#include "common/symbol/module.h"

/* A name that stands for more is a mistake. */
#define MAX_PLACES 64

struct wish {
	/* NULL for any file. Owned by this. */
	char *file;
	/* NULL where there is an address. Owned by this. */
	char *name;
	uint64_t vaddr;
};

static void wish_release(struct wish *wish)
{
	g_free(wish->file);
	g_free(wish->name);
}

void itp_probe_place_clear(gpointer place)
{
	g_free(((struct itp_probe_place *)place)->path);
}

/* The colon behind a file's name, which is none of C++'s; NULL when there is none. */
static const char *find_colon(const char *text)
{
	for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
		if (at[1] == ':') {
			at++;
		} else {
			return at > text ? at : NULL;
		}
	}
	return NULL;
}

static struct wish parse(const char *function)
{
	const char *plus = strrchr(function, '+');
	const char *colon = find_colon(function);
	char *end = NULL;
	uint64_t vaddr = plus && g_str_has_prefix(plus, "+0x") ? strtoull(plus + 1, &end, 16) : 0;

	if (end && *end == '\0' && plus > function) {
		return (struct wish){ .file = g_strndup(function, (gsize)(plus - function)),
				      .vaddr = vaddr };
	}
	if (colon) {
		return (struct wish){ .file = g_strndup(function, (gsize)(colon - function)),
				      .name = g_strdup(colon + 1) };
	}
	return (struct wish){ .name = g_strdup(function) };
}

static bool is_known(const GArray *places, const char *path, uint64_t offset)
{
	for (guint i = 0; i < places->len; i++) {
		const struct itp_probe_place *place =
			&g_array_index(places, struct itp_probe_place, i);

		if (place->offset == offset && g_str_equal(place->path, path)) {
			return true;
		}
	}
	return false;
}

/* Returns how many there are at `vaddr`: 1, or 0 where there is no code. */
static guint add_place(const char *path, const struct itp_elf_symbols *symbols, uint64_t vaddr,
		       GArray *places)
{
	struct itp_bytes code = itp_elf_image_at(&symbols->image, vaddr);
	uint64_t offset = code.size > 0 ? (uint64_t)(code.data - symbols->image.map.bytes.data) : 0;

	if (code.size > 0 && !is_known(places, path, offset)) {
		const struct itp_probe_place place = { .path = g_strdup(path), .offset = offset };

		g_array_append_val(places, place);
	}
	return code.size > 0;
}

/* Returns how many of the places in the file are meant, as far as they are not too many. */
static guint search(const char *path, const struct wish *wish, GArray *places)
{
	const struct itp_module_origin origin = { .path = path, .build_id = "" };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_module *module = itp_module_new(&origin, functions);
	const struct itp_elf_symbols *symbols = itp_module_symbols(module);
	guint found = 0;

	if (symbols && !wish->name) {
		found = add_place(path, symbols, wish->vaddr, places);
	}
	for (guint i = 0; symbols && wish->name && i < symbols->table.symbols->len; i++) {
		const struct itp_symbol *symbol =
			&g_array_index(symbols->table.symbols, struct itp_symbol, i);

		if (found <= MAX_PLACES && itp_symbol_is_meant(symbol, wish->name)) {
			found += add_place(path, symbols, symbol->start, places);
		}
	}
	itp_module_free(module);
	itp_function_table_free(functions);
	return found;
}

/* The files that are meant. */
static GPtrArray *choose_files(const struct wish *wish, const GPtrArray *files)
{
	GPtrArray *chosen = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < files->len; i++) {
		const char *path = g_ptr_array_index(files, i);
		g_autofree char *name = g_path_get_basename(path);

		if (!wish->file || g_str_equal(wish->file, name) || g_str_equal(wish->file, path)) {
			g_ptr_array_add(chosen, g_strdup(path));
		}
	}
	/* One that is loaded later. */
	if (chosen->len == 0 && wish->file && g_path_is_absolute(wish->file)) {
		g_ptr_array_add(chosen, g_strdup(wish->file));
	}
	return chosen;
}

/* "program, libz.so.1 and 3 more" */
static char *names_of(const GPtrArray *files)
{
	const guint shown = MIN(files->len, 3);
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < shown; i++) {
		g_autofree char *name = g_path_get_basename(g_ptr_array_index(files, i));

		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", name);
	}
	if (files->len > shown) {
		g_string_append_printf(names, " and %u more", files->len - shown);
	}
	return g_string_free(names, FALSE);
}

static void explain(const char *function, const struct wish *wish, const GPtrArray *all,
		    const GPtrArray *chosen, guint found, GError **error)
{
	g_autofree char *names = names_of(chosen->len > 0 ? chosen : all);

	if (chosen->len == 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "--count %s: the target has no file %s, only %s; name others by their "
			    "path",
			    function, wish->file ? wish->file : "with code", names);
	} else if (found > 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "--count %s: more than %d functions are called so; name one as "
			    "FILE:F or FILE+0xADDRESS",
			    function, MAX_PLACES);
	} else {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			"--count %s: %s in %s; functions are named as results name them, and one "
			"that is part of another (inlined) has no calls",
			function, wish->name ? "no such function" : "no code at that address",
			names);
	}
}

bool itp_probe_places_find(const char *function, const GPtrArray *files, GArray *places,
			   GError **error)
{
	struct wish wish = parse(function);
	g_autoptr(GPtrArray) chosen = choose_files(&wish, files);
	guint found = 0;

	for (guint i = 0; i < chosen->len && found <= MAX_PLACES; i++) {
		found += search(g_ptr_array_index(chosen, i), &wish, places);
	}
	if (found == 0 || found > MAX_PLACES) {
		explain(function, &wish, files, chosen, found, error);
	}
	wish_release(&wish);
	return found > 0 && found <= MAX_PLACES;
}
