/* SPDX-License-Identifier: MIT */
/*
 * See refusal.h. The kind of a refusal is known by words of Babeltrace 2.0 and 2.1 in any of the
 * causes; a refusal without known words is told with the reader's own.
 */
#include "messages/refusal.h"

#include <string.h>

#include "common/base/failure.h"
#include "messages/failure.h"

#define OWN_PLUGIN "introperf"
#define ANEW "copy it anew from where it was recorded, or record it again"
#define WORDS_MOST 3

static const char *const babeltrace_plugins[] = { "ctf", "utils", "lttng-utils" };

/* A kind of refusal; the first with a word in a cause is taken. */
struct kind {
	const char *words[WORDS_MOST];
	/* The sentence, or NULL if `tell` makes it. */
	const char *text;
	char *(*tell)(const bt_error *error);
};

static uint64_t count_causes(const bt_error *error)
{
	return error ? bt_error_get_cause_count(error) : 0;
}

static const char *message_at(const bt_error *error, uint64_t i)
{
	return bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i));
}

/* The plugin of a cause's component; NULL for a class linked in by a host. *ret_is_component is
 * false for a cause of the library or of a host. */
static const char *plugin_of(const bt_error_cause *cause, bool *ret_is_component)
{
	*ret_is_component = true;
	switch (bt_error_cause_get_actor_type(cause)) {
	case BT_ERROR_CAUSE_ACTOR_TYPE_COMPONENT:
		return bt_error_cause_component_actor_get_plugin_name(cause);
	case BT_ERROR_CAUSE_ACTOR_TYPE_MESSAGE_ITERATOR:
		return bt_error_cause_message_iterator_actor_get_plugin_name(cause);
	default:
		*ret_is_component = false;
		return NULL;
	}
}

bool itp_refusal_is_ours(const bt_error_cause *cause)
{
	bool is_component;
	const char *plugin = plugin_of(cause, &is_component);

	return is_component && (!plugin || g_str_equal(plugin, OWN_PLUGIN));
}

static bool is_babeltraces(const char *plugin)
{
	bool is_it = false;

	for (size_t i = 0; plugin && i < G_N_ELEMENTS(babeltrace_plugins); i++) {
		is_it = is_it || g_str_equal(plugin, babeltrace_plugins[i]);
	}
	return is_it;
}

/* The first part of a cause's message, before names and values of variables. */
static char *reason_of(const char *message)
{
	g_autoptr(GRegex) variables =
		g_regex_new(":? [a-z][a-z-]*=.*", G_REGEX_DOTALL | G_REGEX_RAW, 0, NULL);
	g_autofree char *line = itp_failure_line(message);

	return g_regex_replace_literal(variables, line, -1, 0, "", 0, NULL);
}

/* Value of a variable in a message: "20" of "ts=20, ". NULL without the variable. */
static char *value_in_message(const bt_error *error, const char *name)
{
	for (uint64_t i = 0; i < count_causes(error); i++) {
		const char *at = strstr(message_at(error, i), name);

		if (at) {
			at += strlen(name);
			return g_strndup(at, strspn(at, "-0123456789"));
		}
	}
	return NULL;
}

static char *tell_order(const bt_error *error)
{
	g_autofree char *time = value_in_message(error, " ts=");
	g_autofree char *before = value_in_message(error, "last-returned-ts=");
	g_autofree char *where =
		time && before ? g_strdup_printf(" (%s ns, behind %s ns)", time, before) : NULL;

	return g_strdup_printf(
		"an event is older than the one before it%s, and Babeltrace reads no "
		"further; record it anew with a clock that does not go back",
		where ? where : "");
}

/* The name of the file in the first quoted path of a stream file; NULL without. */
static char *stream_of(const bt_error *error)
{
	g_autoptr(GRegex) path =
		g_regex_new("stream file[^/]*['`]/[^'`]*?([^/'`]+)['`]", G_REGEX_RAW, 0, NULL);

	for (uint64_t i = 0; i < count_causes(error); i++) {
		g_autoptr(GMatchInfo) match = NULL;

		if (g_regex_match(path, message_at(error, i), 0, &match)) {
			return g_match_info_fetch(match, 1);
		}
	}
	return NULL;
}

static char *tell_stream(const bt_error *error)
{
	g_autofree char *stream = stream_of(error);
	g_autofree char *which = stream ? g_strdup_printf("its stream \"%s\"", stream) :
					  g_strdup("one of its streams");
	g_autofree char *reason = reason_of(message_at(error, 0));

	/* A first cause that only names the stream file tells no reason. */
	if (strstr(reason, "stream file")) {
		return g_strdup_printf("%s is damaged or cut short; " ANEW, which);
	}
	return g_strdup_printf("%s is damaged or cut short (Babeltrace: \"%s\"); " ANEW, which,
			       reason);
}

static char *tell_clocks(const bt_error *error)
{
	g_autofree char *reason = reason_of(message_at(error, 0));

	return g_strdup_printf("its streams have clocks with nothing in common, so their events "
			       "cannot be put in order (Babeltrace: \"%s\"); read them one by one",
			       reason);
}

static char *tell_other(const bt_error *error)
{
	g_autofree char *reason = reason_of(message_at(error, 0));

	return g_strdup_printf("Babeltrace reads no further (\"%s\"); " ANEW, reason);
}

static const struct kind kinds[] = {
	{ .words = { "last-returned-ts=", "timestamp is less than" }, .tell = tell_order },
	{ .words = { "overflows the signed 64-bit" },
	  .text = "a time does not fit into 64 bits of nanoseconds: an event, or what its clock "
		  "counts from, is damaged; " ANEW },
	{ .words = { "stream file", "CTF message iterator", "Cannot handle state" },
	  .tell = tell_stream },
	{ .words = { "lock class" }, .tell = tell_clocks },
	{ .words = { "metadata", "Cannot create trace" },
	  .text = "its metadata is damaged, so nothing is known of its events; `babeltrace2` with "
		  "its name tells the line; " ANEW },
};

static bool has_word(const bt_error *error, const struct kind *kind)
{
	for (uint64_t i = 0; i < count_causes(error); i++) {
		for (size_t k = 0; k < WORDS_MOST && kind->words[k]; k++) {
			if (strstr(message_at(error, i), kind->words[k])) {
				return true;
			}
		}
	}
	return false;
}

/* The first component with a cause is Babeltrace's, and none is ours. */
static bool is_refusal(const bt_error *error)
{
	bool has_component = false;

	for (uint64_t i = 0; i < count_causes(error); i++) {
		const bt_error_cause *cause = bt_error_borrow_cause_by_index(error, i);
		bool is_component;
		const char *plugin = plugin_of(cause, &is_component);

		if (itp_refusal_is_ours(cause) ||
		    (is_component && !has_component && !is_babeltraces(plugin))) {
			return false;
		}
		has_component = has_component || is_component;
	}
	return has_component;
}

char *itp_refusal_text(const bt_error *error)
{
	if (!is_refusal(error)) {
		return NULL;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (has_word(error, &kinds[i])) {
			return kinds[i].tell ? kinds[i].tell(error) : g_strdup(kinds[i].text);
		}
	}
	return tell_other(error);
}

/* Makes the sentence about the error of the thread; the error stays there. */
static bool explain_thread(GError **error)
{
	const bt_error *raised = bt_current_thread_take_error();
	g_autofree char *text = itp_refusal_text(raised);

	if (raised) {
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(raised);
	}
	if (text) {
		itp_failure_set(error, "%s", text);
	}
	return text;
}

void itp_refusal_tell(bt_self_component *self)
{
	GError *error = NULL;

	if (explain_thread(&error)) {
		itp_failure_from_component(self, error);
	}
}

void itp_refusal_tell_from_iterator(bt_self_message_iterator *self)
{
	GError *error = NULL;

	if (explain_thread(&error)) {
		itp_failure_from_iterator(self, error);
	}
}
