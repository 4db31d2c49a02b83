/* SPDX-License-Identifier: MIT */
/*
 * Aligned columns of text. A column is as wide as its widest cell; the last one gets the rest of
 * the line. Nothing is written before all cells are there, so results of any number of rows cost
 * memory for their cells; that is what text for a person can afford.
 */
#include "common/render/table.h"

#include "common/base/labels.h"

/* Blanks before the first and between any two columns. */
#define MARGIN 1
#define GAP 2
/* A last column that is narrower than this says nothing. */
#define LAST_COLUMNS_LEAST 12

struct column {
	/* Static or longer lived than the table. Weak. */
	const char *head;
	unsigned int columns;
	bool right_aligned;
};

struct itp_table {
	/* struct column. Owned by this. */
	GArray *columns;
	/* char *, row by row. Owned by this. */
	GPtrArray *cells;
	unsigned int width;
};

struct itp_table *itp_table_new(unsigned int width)
{
	struct itp_table *table = g_new0(struct itp_table, 1);

	table->columns = g_array_new(FALSE, FALSE, sizeof(struct column));
	table->cells = g_ptr_array_new_with_free_func(g_free);
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
	g_free(table);
}

void itp_table_column(struct itp_table *table, const char *head, bool right_aligned)
{
	struct column column = {
		.head = head,
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

static void append_cell(const struct column *column, const char *cell, GString *output)
{
	unsigned int blanks = column->columns - itp_label_columns(cell);

	itp_label_pad(output, column->right_aligned ? blanks : 0);
	g_string_append(output, cell);
	itp_label_pad(output, column->right_aligned ? 0 : blanks);
}

static void append_last(const struct itp_table *table, unsigned int used, const char *cell,
			GString *output)
{
	g_autofree char *fitting = NULL;

	if (used + LAST_COLUMNS_LEAST > table->width) {
		return;
	}
	fitting = itp_label_shorten_function(cell, table->width - used);
	g_string_append(output, fitting);
}

/* Appends one line; `cells` are the first cells of a row, or NULL for the heads. */
static void append_line(const struct itp_table *table, gpointer *cells, GString *output)
{
	unsigned int used = MARGIN;

	itp_label_pad(output, MARGIN);
	for (guint i = 0; i < table->columns->len; i++) {
		const struct column *column = &g_array_index(table->columns, struct column, i);
		const char *cell = cells == NULL ? column->head : cells[i];

		if (i + 1 == table->columns->len) {
			append_last(table, used, cell, output);
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
	append_line(table, NULL, output);
}

void itp_table_append_row(const struct itp_table *table, size_t row, GString *output)
{
	append_line(table, table->cells->pdata + row * table->columns->len, output);
}
