/* SPDX-License-Identifier: MIT */
/*
 * Aligned columns of text. A column is as wide as its widest cell; the last one gets the rest of
 * the line. Nothing is written before all cells are there: results of any number of rows cost
 * memory for their cells, which text for a person can afford.
 *
 * Yellow and cyan are told apart by people who do not see red or green as well, on a bright and on
 * a dark background; large numbers are bold besides, and every sign is in the text.
 */
#include "common/render/table.h"

#include "common/base/labels.h"
#include "common/render/markdown-words.h"

/* Blanks before the first and between any two columns. */
#define MARGIN 1
#define GAP 2
/* Least columns of a last column worth showing. */
#define LAST_COLUMNS_LEAST 12

struct column {
	/* Owned by this. */
	char *head;
	unsigned int columns;
	bool right_aligned;
};

struct itp_table {
	/* struct column. Owned by this. */
	GArray *columns;
	/* char *, row by row. Owned by this. */
	GPtrArray *cells;
	/* char *, by row, up to the last one; NULL for none. Owned by this. */
	GPtrArray *tails;
	unsigned int width;
};
#define LARGE_SHARE 0.05
#define NOTABLE_SHARE 0.005

static const struct {
	const char *mark;
	const char *escape;
} styles[] = {
	{ ITP_STYLE_LARGE, "\033[1;33m" }, { ITP_STYLE_NOTABLE, "\033[33m" },
	{ ITP_STYLE_SAVED, "\033[36m" },   { ITP_STYLE_FACE, "\033[1m" },
	{ ITP_STYLE_FAINT, "\033[2m" },    { ITP_STYLE_END, "\033[m" },
};

static const struct {
	const char *character;
	char replacement;
} replacements[] = {
	{ "\u00b5", 'u' }, { "\u00b7", '.' }, { "\u00d7", 'x' }, { "\u0394", 'D' },
	{ "\u03a3", 'S' }, { "\u2013", '-' }, { "\u2026", '*' }, { "\u203a", '>' },
	{ "\u2192", '>' }, { "\u2264", '<' }, { "\u2265", '>' }, { "\u2212", '-' },
	{ "\u2500", '-' }, { "\u2502", '|' }, { "\u2514", '`' }, { "\u251c", '|' },
	{ "\u2581", '_' }, { "\u2582", '.' }, { "\u2583", ':' }, { "\u2584", '-' },
	{ "\u2585", '=' }, { "\u2586", '+' }, { "\u2587", '*' }, { "\u2588", '#' },
	{ "\u25b6", '>' }, { "\u25c0", '<' }, { "\u00b1", '~' },
};

#define UNKNOWN '?'

/* ---- Columns ---- */

static void clear_column(gpointer data)
{
	struct column *column = data;

	g_free(column->head);
}

struct itp_table *itp_table_new(unsigned int width)
{
	struct itp_table *table = g_new0(struct itp_table, 1);

	table->columns = g_array_new(FALSE, FALSE, sizeof(struct column));
	g_array_set_clear_func(table->columns, clear_column);
	table->cells = g_ptr_array_new_with_free_func(g_free);
	table->tails = g_ptr_array_new_with_free_func(g_free);
	table->width = width;
	return table;
}

void itp_table_free(struct itp_table *table)
{
	if (table == NULL) {
		return;
	}
	g_array_free(table->columns, TRUE);
	g_ptr_array_free(table->cells, TRUE);
	g_ptr_array_free(table->tails, TRUE);
	g_free(table);
}

void itp_table_column(struct itp_table *table, const char *head, bool right_aligned)
{
	struct column column = {
		.head = g_strdup(head),
		.columns = itp_label_columns(head),
		.right_aligned = right_aligned,
	};

	g_array_append_val(table->columns, column);
}

void itp_table_take(struct itp_table *table, char *cell)
{
	guint index = table->cells->len % table->columns->len;
	struct column *column = &g_array_index(table->columns, struct column, index);

	column->columns = MAX(column->columns, itp_label_columns(cell));
	g_ptr_array_add(table->cells, cell);
}

void itp_table_take_tail(struct itp_table *table, char *tail)
{
	guint row = table->cells->len / table->columns->len - 1;

	g_ptr_array_set_size(table->tails, (gint)row);
	g_ptr_array_add(table->tails, tail);
}

static const char *tail_of(const struct itp_table *table, size_t row)
{
	const char *tail = row < table->tails->len ? table->tails->pdata[row] : NULL;

	return tail ? tail : "";
}

static void append_cell(const struct column *column, const char *cell, GString *output)
{
	unsigned int blanks = column->columns - itp_label_columns(cell);

	itp_label_pad(output, column->right_aligned ? blanks : 0);
	g_string_append(output, cell);
	itp_label_pad(output, column->right_aligned ? 0 : blanks);
}

static void append_last(const struct itp_table *table, unsigned int used, const char *cell,
			const char *tail, GString *output)
{
	unsigned int tail_columns = itp_label_columns(tail);
	g_autofree char *fitting = NULL;

	if (used + LAST_COLUMNS_LEAST > table->width) {
		return;
	}
	if (used + LAST_COLUMNS_LEAST + tail_columns > table->width) {
		tail = "";
		tail_columns = 0;
	}
	fitting = itp_label_shorten_function(cell, table->width - used - tail_columns);
	g_string_append_printf(output, "%s%s", fitting, tail);
}

/* Appends one line; `cells` are the first cells of a row, or NULL for the heads. */
static void append_cells(const struct itp_table *table, gpointer *cells, const char *tail,
			 GString *output)
{
	unsigned int used = MARGIN;

	itp_label_pad(output, MARGIN);
	for (guint i = 0; i < table->columns->len; i++) {
		const struct column *column = &g_array_index(table->columns, struct column, i);
		const char *cell = cells == NULL ? column->head : cells[i];

		if (i + 1 == table->columns->len) {
			append_last(table, used, cell, tail, output);
			break;
		}
		append_cell(column, cell, output);
		itp_label_pad(output, GAP);
		used += column->columns + GAP;
	}
	itp_label_end_line(output);
}

void itp_table_append_heads(const struct itp_table *table, GString *output)
{
	append_cells(table, NULL, "", output);
}

void itp_table_append_row(const struct itp_table *table, size_t row, GString *output)
{
	append_cells(table, table->cells->pdata + row * table->columns->len, tail_of(table, row),
		     output);
}

static void append_markdown_cells(const struct itp_table *table, gpointer *cells, const char *tail,
				  GString *output)
{
	for (guint i = 0; i < table->columns->len; i++) {
		const struct column *column = &g_array_index(table->columns, struct column, i);
		const bool is_last = i + 1 == table->columns->len;
		g_autofree char *cell =
			itp_label_shorten_function(cells ? cells[i] : column->head, table->width);

		g_string_append(output, "| ");
		itp_markdown_append(output, cell);
		itp_markdown_append(output, is_last ? tail : "");
		g_string_append_c(output, ' ');
	}
	g_string_append(output, "|\n");
}

void itp_table_append_markdown(const struct itp_table *table, GString *output)
{
	append_markdown_cells(table, NULL, "", output);
	for (guint i = 0; i < table->columns->len; i++) {
		g_string_append(output,
				g_array_index(table->columns, struct column, i).right_aligned ?
					"| ---: " :
					"| --- ");
	}
	g_string_append(output, "|\n");
	for (guint i = 0; i < table->cells->len; i += table->columns->len) {
		append_markdown_cells(table, table->cells->pdata + i,
				      tail_of(table, i / table->columns->len), output);
	}
}

/* ---- Styles ---- */

const char *itp_style_of_share(int64_t part_ns, int64_t whole_ns)
{
	double share = (double)ABS(part_ns) / (double)MAX(ABS(whole_ns), 1);

	if (share < NOTABLE_SHARE) {
		return "";
	}
	if (part_ns < 0) {
		return ITP_STYLE_SAVED;
	}
	return share < LARGE_SHARE ? ITP_STYLE_NOTABLE : ITP_STYLE_LARGE;
}

char *itp_style_take(const char *style, char *text)
{
	char *styled;

	if (style[0] == '\0') {
		return text;
	}
	styled = g_strconcat(style, text, ITP_STYLE_END, NULL);
	g_free(text);
	return styled;
}

/* The escape sequence behind a mark; NULL when `at` is none. */
static const char *find_escape(const char *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
		if (g_str_has_prefix(at, styles[i].mark)) {
			return styles[i].escape;
		}
	}
	return NULL;
}

static char find_replacement(const char *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(replacements); i++) {
		if (g_str_has_prefix(at, replacements[i].character)) {
			return replacements[i].replacement;
		}
	}
	return UNKNOWN;
}

/* Appends the character at `at` in as many columns as it takes. */
static void append_ascii(GString *output, const char *at)
{
	for (unsigned int i = itp_label_character_columns(g_utf8_get_char(at)); i > 0; i--) {
		g_string_append_c(output, find_replacement(at));
	}
}

void itp_style_append(GString *output, const char *text, bool color, bool ascii)
{
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		const char *escape = (guchar)*at < 0x80 ? NULL : find_escape(at);

		if (escape) {
			g_string_append(output, color ? escape : "");
		} else if (ascii && (guchar)*at >= 0x80) {
			append_ascii(output, at);
		} else {
			g_string_append_len(output, at, g_utf8_next_char(at) - at);
		}
	}
}
