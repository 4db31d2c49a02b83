/* SPDX-License-Identifier: MIT */
/*
 * See short-names.h. Rules make a name shorter, and are applied until none does any more.
 */
#include "common/view/short-names.h"

#include <string.h>

#include "common/base/hash.h"

/* Text in angle brackets, which are in pairs. */
#define BRACKETS "(<(?:[^<>]++|(?1))*+>)"

static const struct {
	const char *pattern;
	const char *replacement;
} rules[] = {
	{ "\\bstd::(?:__cxx11|__debug|__ndk1|__[12])::", "std::" },
	{ ", ?std::(?:allocator|char_traits|less|equal_to|hash|default_delete)" BRACKETS
	  " ?(?=[,>])",
	  "" },
	{ "\\bstd::basic_(string|string_view|[io]{0,2}stream|ios|streambuf|filebuf|[io]?fstream"
	  "|[io]?stringstream|stringbuf)<char>",
	  "std::\\1" },
	{ "(?<=[\\w>*&]) (?=>(?:[,>(: ]|$))", "" },
	{ "::" BRACKETS "(?=$|::)", "" },
	/* Rust's own types, which are known by their first word (modules.c), and as arguments. */
	{ "^(<?(?:core|alloc|std))::(?:[a-z_0-9]+::)+(?=[A-Z])", "\\1::" },
	{ "(?<!^)(?<!^<)\\b(?:core|alloc|std)::(?:[a-z_0-9]+::)+(?=[A-Z])", "" },
	/* Packages of Go from a server; its own, as net/http, are known by their whole names
	 * (modules.c). */
	{ "^[\\w%~-]+\\.[\\w.%~-]+/(?:[\\w.%~-]+/)*(?=[\\w%-]+\\.[\\w(])", "" },
	{ "^py::(.+?):(?:.*/)?([^/]+)$", "\\1 (\\2)" },
};

struct itp_short_names {
	/* GRegex, by rule. Owned by this. */
	GRegex *expressions[G_N_ELEMENTS(rules)];
	/* Canonical names by "MODULE!SHORT NAME"; "" for several. Owned by this. */
	GHashTable *known;
};

/* True if any rule may match. */
static bool may_be_shorter(const char *name)
{
	return strchr(name, '<') || strchr(name, '/') || strstr(name, "::");
}

/* Short name, owned by the caller; a name on which an expression gives up stays. */
static char *shorten(const struct itp_short_names *names, const char *name)
{
	char *text = g_strdup(name);
	bool is_shorter;

	do {
		const size_t length = strlen(text);

		for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
			char *result = g_regex_replace(names->expressions[i], text, -1, 0,
						       rules[i].replacement, 0, NULL);

			if (result && result[0] != '\0') {
				g_free(text);
				text = result;
			} else {
				g_free(result);
			}
		}
		is_shorter = strlen(text) < length;
	} while (is_shorter);
	return text;
}

static char *key_of(const char *module, const char *name)
{
	return g_strdup_printf("%s!%s", module, name);
}

/* Learns that `name` is short for `full`, perhaps the same text. */
static void learn(struct itp_short_names *names, const char *module, const char *name,
		  const char *full)
{
	g_autofree char *key = key_of(module, name);
	const char *known = g_hash_table_lookup(names->known, key);

	if (!known || strcmp(known, full) != 0) {
		g_hash_table_insert(names->known, g_steal_pointer(&key),
				    g_strdup(known ? "" : full));
	}
}

static bool learn_function(struct itp_short_names *shorts, const struct itp_names *names,
			   const struct itp_function *function, GError **error)
{
	struct itp_canonical canonical;
	g_autofree char *name = NULL;

	if (!itp_names_apply(names, function, &canonical, error)) {
		return false;
	}
	name = may_be_shorter(canonical.name) ? shorten(shorts, canonical.name) :
						g_strdup(canonical.name);
	learn(shorts, canonical.module, name, canonical.name);
	itp_canonical_clear(&canonical);
	return true;
}

struct itp_short_names *itp_short_names_new(const struct itp_names *names,
					    const struct itp_function_table *functions,
					    GError **error)
{
	struct itp_short_names *shorts = g_new0(struct itp_short_names, 1);

	shorts->known = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, g_free);
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		shorts->expressions[i] = g_regex_new(rules[i].pattern, 0, 0, NULL);
	}
	for (uint32_t id = 0; id < itp_function_table_size(functions); id++) {
		const struct itp_function *function = itp_function_table_get(functions, id);

		if (function->layer == ITP_LAYER_USER && !function->is_unnamed &&
		    !learn_function(shorts, names, function, error)) {
			itp_short_names_free(shorts);
			return NULL;
		}
	}
	return shorts;
}

void itp_short_names_free(struct itp_short_names *names)
{
	if (!names) {
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		g_clear_pointer(&names->expressions[i], g_regex_unref);
	}
	g_hash_table_destroy(names->known);
	g_free(names);
}

void itp_short_names_apply(const struct itp_short_names *names, struct itp_canonical *canonical)
{
	g_autofree char *name = NULL;
	g_autofree char *key = NULL;

	if (!may_be_shorter(canonical->name)) {
		return;
	}
	name = shorten(names, canonical->name);
	key = key_of(canonical->module, name);
	if (g_strcmp0(g_hash_table_lookup(names->known, key), canonical->name) == 0) {
		g_free(canonical->name);
		canonical->name = g_steal_pointer(&name);
	}
}
