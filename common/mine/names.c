/* SPDX-License-Identifier: MIT */
/*
 * See names.h.
 */
#include "common/mine/names.h"

#include <stdbool.h>

#include "common/base/hash.h"
#include "common/base/order.h"

struct itp_word_table {
	/* Number + 1 by word. Owned by this. */
	GHashTable *numbers;
};

struct itp_word_table *itp_word_table_new(void)
{
	struct itp_word_table *table = g_new0(struct itp_word_table, 1);

	table->numbers = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
	return table;
}

void itp_word_table_free(struct itp_word_table *table)
{
	if (table) {
		g_hash_table_unref(table->numbers);
		g_free(table);
	}
}

/* Takes `word`. */
static uint32_t word_number(struct itp_word_table *table, char *word)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(table->numbers, word));

	if (number > 0) {
		g_free(word);
		return number - 1;
	}
	number = g_hash_table_size(table->numbers) + 1;
	g_hash_table_insert(table->numbers, word, GUINT_TO_POINTER(number));
	return number - 1;
}

/* True also for bytes beyond ASCII. */
static bool is_letter(char sign)
{
	return g_ascii_isalpha(sign) || (sign & 0x80);
}

/* True at the first letter, at an upper-case letter behind a lower-case one, and at the last of
 * several upper-case ones in front of a lower-case one. */
static bool begins_word(const char *name, const char *at)
{
	if (at == name || !is_letter(at[-1])) {
		return true;
	}
	return g_ascii_isupper(at[0]) && (g_ascii_islower(at[-1]) || g_ascii_islower(at[1]));
}

GArray *itp_name_words(struct itp_word_table *table, const char *name)
{
	GArray *words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const char *begin = NULL;

	for (const char *at = name; begin || *at; at++) {
		if (begin && (!is_letter(*at) || begins_word(name, at))) {
			uint32_t word = word_number(table, g_ascii_strdown(begin, at - begin));

			g_array_append_val(words, word);
			begin = NULL;
		}
		if (is_letter(*at) && !begin) {
			begin = at;
		}
		if (!*at) {
			break;
		}
	}
	g_array_sort(words, itp_order_of_ids);
	return words;
}

double itp_words_distance(const GArray *a, const GArray *b)
{
	guint common = 0;
	guint i = 0;
	guint k = 0;

	while (i < a->len && k < b->len) {
		uint32_t left = g_array_index(a, uint32_t, i);
		uint32_t right = g_array_index(b, uint32_t, k);

		common += left == right;
		i += left <= right;
		k += right <= left;
	}
	return a->len + b->len > 0 ? 1 - 2.0 * common / (a->len + b->len) : 0;
}
