/* SPDX-License-Identifier: MIT */
/*
 * A ranking as one JSON document, for whoever reads a result as a whole: the sentence, how to ask
 * for more, and the records of the JSON lines, each as it is there.
 *
 * {"schema":1,"sentence":"…","next":"…","by_work":{"per":"…","sentence":"…"},"header":{…},
 *  "entries":[{…},…],"summary":{…}}
 */
#include "common/render/formats/composed.h"

#include <string.h>

#include "common/render/json.h"
#include "common/render/records/records.h"
#include "common/render/text/page.h"

static void append_key_text(GString *output, const char *key, const char *text)
{
	json_t *value = text ? itp_json_text(text) : json_null();
	g_autofree char *quoted = itp_json_dump(value, JSON_ENCODE_ANY);

	json_decref(value);
	g_string_append_printf(output, ",\"%s\":%s", key, quoted);
}

/* Count of the work where its amounts are doubted, as `per`, and the sentence by it; else null. */
static void append_by_work(GString *output, const struct itp_ranking *ranking,
			   const struct itp_render_options *options)
{
	g_autofree char *sentence = NULL;
	json_t *by_work = json_null();
	g_autofree char *quoted = NULL;

	if (ranking->by_work) {
		sentence = itp_page_sentence(ranking->by_work, options);
		by_work = json_object();
		itp_json_set_text(by_work, "per", ranking->work);
		json_object_set_new_nocheck(by_work, "sentence",
					    sentence ? itp_json_text(sentence) : json_null());
	}
	quoted = itp_json_dump(by_work, JSON_ENCODE_ANY);
	json_decref(by_work);
	g_string_append_printf(output, ",\"by_work\":%s", quoted);
}

void itp_render_json(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autofree char *sentence = itp_page_sentence(ranking, options);
	g_auto(GStrv) records = NULL;
	guint last;

	itp_render_jsonl(ranking, options, lines);
	records = g_strsplit(g_strchomp(lines->str), "\n", -1);
	last = g_strv_length(records) - 1;
	g_string_append_printf(output, "{\"schema\":%d", ITP_RENDER_SCHEMA);
	append_key_text(output, "sentence", sentence);
	append_key_text(output, "next", options->next);
	append_by_work(output, ranking, options);
	g_string_append_printf(output, ",\"header\":%s,\"entries\":[", records[0]);
	for (guint i = 1; i < last; i++) {
		g_string_append_printf(output, "%s%s", i > 1 ? "," : "", records[i]);
	}
	g_string_append_printf(output, "],\"summary\":%s}\n", records[last]);
}
