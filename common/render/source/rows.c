/* SPDX-License-Identifier: MIT */
/*
 * See listing.h: rows of text.
 */
#include "common/base/labels.h"
#include "common/render/source/listing.h"

#define NOTHING ""
#define GAP 2
/* Columns of text that are not cut in the narrowest terminal. */
#define TEXT_LEAST 20

void itp_source_rows_init(struct itp_source_rows *rows, unsigned int width)
{
	*rows = (struct itp_source_rows){
		.table = itp_table_new(width),
		.texts = g_ptr_array_new_with_free_func(g_free),
		.width = width,
	};
}

void itp_source_rows_take(struct itp_source_rows *rows, char *place,
			  const struct itp_source_entry *entry)
{
	itp_table_take(rows->table, place);
	itp_table_take(rows->table, g_strdup(NOTHING));
	g_ptr_array_add(rows->texts, itp_source_entry_text(entry));
}

/* Appends `text` as far as `columns` have room; a sign stands for the rest. */
static void append_cut(const char *text, unsigned int columns, GString *output)
{
	unsigned int room = itp_label_columns(text) > columns ? columns - 1 : columns;
	const char *at = text;

	for (unsigned int used = 0; *at; at = g_utf8_next_char(at)) {
		used += itp_label_character_columns(g_utf8_get_char(at));
		if (used > room) {
			break;
		}
	}
	g_string_append_len(output, text, at - text);
	g_string_append(output, *at ? "…" : "");
}

static void append_source_row(const struct itp_source_rows *rows, guint i, GString *output)
{
	const char *text = g_ptr_array_index(rows->texts, i);
	gsize begin = output->len;
	unsigned int used;

	itp_table_append_row(rows->table, i, output);
	if (text[0] != '\0') {
		g_string_truncate(output, output->len - 1);
		used = itp_label_columns(output->str + begin) + GAP;
		itp_label_pad(output, GAP);
		append_cut(text, MAX(rows->width, used + TEXT_LEAST) - used, output);
		itp_label_end_line(output);
	}
}

void itp_source_append_wrapped(char *text, unsigned int indent, unsigned int width, GString *output)
{
	itp_label_wrap(output, text, 0, indent, width);
	g_free(text);
}

void itp_source_rows_append(struct itp_source_rows *rows, char *name, GString *output)
{
	g_string_append_c(output, '\n');
	itp_source_append_wrapped(name, 2, rows->width, output);
	itp_table_append_heads(rows->table, output);
	for (guint i = 0; i < rows->texts->len; i++) {
		append_source_row(rows, i, output);
	}
	itp_table_free(rows->table);
	g_ptr_array_unref(rows->texts);
}
