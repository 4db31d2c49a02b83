/* SPDX-License-Identifier: MIT */
/*
 * See names.h. Suffixes stand in three forms behind a name: as the linker sees them, after names
 * that C could have; " [clone .SUFFIX]" as libiberty, and " (.SUFFIX)" as LLVM write them behind a
 * C++ name. They are taken off singly, so each built-in rule that matches makes the name shorter,
 * and rules are applied until none matches.
 */
#include "common/view/names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/view/patterns.h"

/* Pieces of a function, and copies of it. */
#define PART "\\.(?:part(?:\\.\\d+)+|cold(?:\\.\\d+)*|__part(?:\\.\\d+)+)"
#define COPY                                                                    \
	"\\.(?:(?:isra|constprop|lto_priv|llvm|__uniq|specialized)(?:\\.\\d+)+" \
	"|lto_priv|(?:localalias|argprom|argelim)(?:\\.\\d+)*)"
/* Prefixes of V8. */
#define SCRIPT "(?:JS|LazyCompile|Function|Script|Eval):[~*^+]?+"
/* A name of C, with other suffixes before the last. */
#define SYMBOL "[A-Za-z_$][\\w$.]*"

#define ARROW " =>"
#define BLANKS " \t"

struct builtin_rule {
	enum itp_names_subject subject;
	const char *pattern;
	const char *replacement;
	bool is_part;
};

static const struct builtin_rule builtin_rules[] = {
	{ ITP_NAMES_FUNCTION, " \\(inlined\\)$", "", false },
	{ ITP_NAMES_FUNCTION, "^(" SYMBOL ")" PART "$", "\\1", true },
	{ ITP_NAMES_FUNCTION, " (?:\\[clone " PART "\\]|\\(" PART "\\))$", "", true },
	{ ITP_NAMES_FUNCTION, "^(" SYMBOL ")" COPY "$", "\\1", false },
	{ ITP_NAMES_FUNCTION, " (?:\\[clone " COPY "\\]|\\(" COPY "\\))$", "", false },
	/* Rust: the hash of the older mangling, not demangled and demangled, and the crates' hashes
	 * of the newer. */
	{ ITP_NAMES_FUNCTION, "^(_ZN[\\w$.]+)17h[0-9a-f]{16}E$", "\\1E", false },
	{ ITP_NAMES_FUNCTION, "::h[0-9a-f]{16}$", "", false },
	{ ITP_NAMES_FUNCTION, "(?<=\\w)\\[[0-9a-f]{1,16}\\](?=::)", "", false },
	{ ITP_NAMES_FUNCTION, "\\[abi:[\\w.]+\\]", "", false },
	/* NAME@VERSION and NAME@@VERSION, but not NAME@plt and Windows' NAME@12. */
	{ ITP_NAMES_FUNCTION, "^(" SYMBOL ")@{1,3}(?!plt$)[A-Za-z_][\\w.+-]*(@plt)?$", "\\1\\2",
	  false },
	/* V8: tier of a function's translation, and its place in the file; functions without a name
	 * keep the place. */
	{ ITP_NAMES_FUNCTION, "^" SCRIPT "(\\S+ .*?)(?::\\d+){1,2}$", "\\1", false },
	{ ITP_NAMES_FUNCTION, "^" SCRIPT "(?= )", "(anonymous)", false },
	/* HotSpot: numbers and addresses in code made of lambda expressions. */
	{ ITP_NAMES_FUNCTION,
	  "(\\$\\$Lambda|LambdaForm\\$\\w+)(?:\\$\\d+)?(?:[/+.](?:0x[0-9a-f]+|\\d+))?(?=[.:])",
	  "\\1", false },
	/* Mark of a file that was replaced while it was mapped. */
	{ ITP_NAMES_MODULE, " \\(deleted\\)$", "", false },
	/* glibc up to 2.33. */
	{ ITP_NAMES_MODULE, "^(libc|libm)-2\\.\\d+\\.so$", "\\1.so.6", false },
	{ ITP_NAMES_MODULE, "^ld-2\\.\\d+\\.so$", "ld-linux.so", false },
	/* The first number is the interface's, with which a program is linked. */
	{ ITP_NAMES_MODULE, "^(lib.*\\.so\\.\\d+)\\.[\\w.]+$", "\\1", false },
	{ ITP_NAMES_MODULE, "^(lib.+)-\\d+(?:\\.\\d+)+\\.so$", "\\1.so", false },
};

const char *const itp_names_subject_names[] = {
	[ITP_NAMES_FUNCTION] = "function",
	[ITP_NAMES_MODULE] = "module",
	[ITP_NAMES_PROCESS] = "process",
	NULL,
};

struct rule {
	enum itp_names_subject subject;
	/* Both owned by this. */
	GRegex *regex;
	char *replacement;
	bool is_part;
};

struct itp_names {
	/* struct rule. Both owned by this. */
	GArray *builtin;
	GArray *added;
};

static void clear_rule(gpointer data)
{
	struct rule *rule = data;

	g_regex_unref(rule->regex);
	g_free(rule->replacement);
}

static GArray *rules_new(void)
{
	GArray *rules = g_array_new(FALSE, FALSE, sizeof(struct rule));

	g_array_set_clear_func(rules, clear_rule);
	return rules;
}

struct itp_names *itp_names_new(bool with_builtin)
{
	struct itp_names *names = g_new0(struct itp_names, 1);

	names->builtin = rules_new();
	names->added = rules_new();
	itp_memory_begin();
	for (size_t i = 0; with_builtin && i < G_N_ELEMENTS(builtin_rules); i++) {
		const struct builtin_rule *builtin = &builtin_rules[i];
		struct rule rule = { .subject = builtin->subject,
				     .regex = g_regex_new(builtin->pattern, 0, 0, NULL),
				     .replacement = g_strdup(builtin->replacement),
				     .is_part = builtin->is_part };

		g_array_append_val(names->builtin, rule);
	}
	itp_memory_end();
	return names;
}

void itp_names_free(struct itp_names *names)
{
	if (!names) {
		return;
	}
	g_array_free(names->builtin, TRUE);
	g_array_free(names->added, TRUE);
	g_free(names);
}

/* Adds a rule, and takes a reference of `regex`. The replacement was checked. */
static void append_rule(struct itp_names *names, enum itp_names_subject subject, GRegex *regex,
			const char *replacement)
{
	struct rule rule = { .subject = subject,
			     .regex = g_regex_ref(regex),
			     .replacement = g_strdup(replacement) };

	g_array_append_val(names->added, rule);
}

void itp_canonical_clear(struct itp_canonical *canonical)
{
	g_free(canonical->name);
	g_free(canonical->module);
}

/* Applies a rule to `*text`; *ret_changed tells whether it differs then. */
static bool apply_rule(const struct rule *rule, char **text, bool *ret_changed, GError **error)
{
	g_autofree char *result = NULL;
	g_autoptr(GMatchInfo) match = NULL;
	GError *reason = NULL;

	*ret_changed = false;
	if (g_regex_match_full(rule->regex, *text, -1, 0, 0, &match, &reason)) {
		result = g_regex_replace(rule->regex, *text, -1, 0, rule->replacement, 0, &reason);
	}
	if (reason) {
		g_propagate_error(error, reason);
		return false;
	}
	if (result && result[0] != '\0' && !g_str_equal(result, *text)) {
		g_free(*text);
		*text = g_steal_pointer(&result);
		*ret_changed = true;
	}
	return true;
}

/* Applies `rules` in their order, once. Sets flags, and never clears them. */
static bool apply_rules(const GArray *rules, enum itp_names_subject subject, char **text,
			bool *changed, bool *is_part, GError **error)
{
	for (guint i = 0; i < rules->len; i++) {
		const struct rule *rule = &g_array_index(rules, struct rule, i);
		bool matched;

		if (rule->subject != subject) {
			continue;
		}
		if (!apply_rule(rule, text, &matched, error)) {
			return false;
		}
		*changed |= matched;
		*is_part |= matched && rule->is_part;
	}
	return true;
}

static bool rewrite(const struct itp_names *names, enum itp_names_subject subject, char **text,
		    bool *is_part, GError **error)
{
	bool changed;

	do {
		changed = false;
		if (!apply_rules(names->builtin, subject, text, &changed, is_part, error)) {
			return false;
		}
	} while (changed);
	return apply_rules(names->added, subject, text, &changed, is_part, error);
}

bool itp_names_apply(const struct itp_names *names, const struct itp_function *function,
		     struct itp_canonical *ret_canonical, GError **error)
{
	struct itp_canonical canonical = {
		.name = g_utf8_make_valid(function->name, -1),
		.module = g_utf8_make_valid(function->module, -1),
	};
	bool done = rewrite(names, ITP_NAMES_MODULE, &canonical.module, &canonical.is_part, error);

	if (done && function->layer == ITP_LAYER_PROCESS) {
		done = rewrite(names, ITP_NAMES_PROCESS, &canonical.name, &canonical.is_part,
			       error);
	} else if (done && function->layer != ITP_LAYER_SYSCALL && !function->is_unnamed) {
		done = rewrite(names, ITP_NAMES_FUNCTION, &canonical.name, &canonical.is_part,
			       error);
	}
	if (!done) {
		itp_canonical_clear(&canonical);
		return false;
	}
	*ret_canonical = canonical;
	return true;
}

/* ---- Rules from a file; columns count characters from 1 ---- */

struct line {
	const char *path;
	unsigned int number;
	const char *text;
};

G_GNUC_PRINTF(4, 5)
static bool fail(const struct line *line, const char *at, GError **error, const char *format, ...)
{
	g_autofree char *reason = NULL;
	va_list arguments;

	va_start(arguments, format);
	reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%u:%ld: %s", line->path,
		    line->number, g_utf8_pointer_to_offset(line->text, at) + 1, reason);
	return false;
}

/* Fails with the problem in the part of the line that begins at `part`. */
static bool fail_in(const struct line *line, const char *part, struct itp_regex_problem *problem,
		    GError **error)
{
	fail(line, g_utf8_offset_to_pointer(part, (glong)problem->at), error, "%s",
	     problem->reason);
	g_free(problem->reason);
	return false;
}

/* Moves `*at` behind the first word of the line. */
static bool read_subject(const struct line *line, const char **at,
			 enum itp_names_subject *ret_subject, GError **error)
{
	size_t length = strcspn(*at, BLANKS);
	g_autofree char *word = g_strndup(*at, length);
	g_autofree char *known = NULL;

	for (size_t i = 0; itp_names_subject_names[i]; i++) {
		if (g_str_equal(word, itp_names_subject_names[i])) {
			*ret_subject = (enum itp_names_subject)i;
			*at += length;
			*at += strspn(*at, BLANKS);
			return true;
		}
	}
	known = g_strjoinv(", ", (char **)itp_names_subject_names);
	return fail(line, *at, error, "\"%s\" is not one of %s", word, known);
}

static bool add_rule(struct itp_names *names, const struct line *line,
		     enum itp_names_subject subject, const char *pattern, const char *arrow,
		     GError **error)
{
	g_autofree char *expression = g_strchomp(g_strndup(pattern, (gsize)(arrow - pattern)));
	const char *replacement = arrow + strlen(ARROW);
	g_autoptr(GRegex) regex = NULL;
	struct itp_regex_problem problem;

	replacement += strspn(replacement, BLANKS);
	regex = itp_regex_new(expression, &problem);
	if (!regex) {
		return fail_in(line, pattern, &problem, error);
	}
	if (!itp_regex_check_replacement(replacement, &problem)) {
		return fail_in(line, replacement, &problem, error);
	}
	append_rule(names, subject, regex, replacement);
	return true;
}

static bool parse_line(struct itp_names *names, const struct line *line, GError **error)
{
	const char *at = line->text + strspn(line->text, BLANKS);
	enum itp_names_subject subject = ITP_NAMES_FUNCTION;
	const char *arrow;

	if (*at == '\0' || *at == '#') {
		return true;
	}
	if (!read_subject(line, &at, &subject, error)) {
		return false;
	}
	/* The arrow's blank may be the blank behind the subject. */
	arrow = strstr(at - 1, ARROW);
	if (!arrow) {
		return fail(line, line->text + strlen(line->text), error,
			    "\"=>\" and a replacement are missing");
	}
	if (arrow < at) {
		return fail(line, at, error, "there is no regular expression before \"=>\"");
	}
	return add_rule(names, line, subject, at, arrow, error);
}

bool itp_names_parse(struct itp_names *names, const char *text, size_t length, const char *path,
		     GError **error)
{
	const char *end;
	bool is_text = g_utf8_validate(text, (gssize)length, &end);
	g_autofree char *valid = g_strndup(text, (gsize)(end - text));
	g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
	struct line line = { .path = path };

	for (char **at = lines; *at; at++) {
		line.text = at[1] || is_text ? g_strchomp(*at) : *at;
		line.number++;
		if (!at[1] && !is_text) {
			return fail(&line, line.text + strlen(line.text), error,
				    "this is not UTF-8");
		}
		if (!parse_line(names, &line, error)) {
			return false;
		}
	}
	return true;
}

bool itp_names_read(struct itp_names *names, const char *path, GError **error)
{
	g_autofree char *text = g_malloc(ITP_MAX_NAMES_FILE_BYTES + 1);
	FILE *file = fopen(path, "re");
	size_t length = 0;
	int code = errno;

	if (file) {
		length = fread(text, 1, ITP_MAX_NAMES_FILE_BYTES + 1, file);
		code = ferror(file) ? errno : 0;
		(void)fclose(file);
	}
	if (!file || code != 0) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", path,
			    g_strerror(code));
		return false;
	}
	if (length > ITP_MAX_NAMES_FILE_BYTES) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
			    "%s: longer than the %d bytes that rules may take", path,
			    ITP_MAX_NAMES_FILE_BYTES);
		return false;
	}
	return itp_names_parse(names, text, length, path, error);
}
