/* SPDX-License-Identifier: MIT */
/*
 * Prints the words of results, with what they mean, as introperf(7) has them:
 *
 *   tests/cli/words >SECTION
 *
 * test-man-pages.sh compares the page with this.
 */
#include <stdio.h>

#include "common/render/words.h"

/* Each sentence begins a line, as is the custom in sources of manual pages. */
static void print_text(const char *text)
{
	for (const char *at = text; *at; at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);

		if (character == '~') {
			fputs("\\(ti", stdout);
		} else if (character >= 0x80) {
			printf("\\[u%04X]", character);
		} else if (character == ' ' && at > text && at[-1] == '.') {
			putchar('\n');
		} else {
			putchar((int)character);
		}
	}
	putchar('\n');
}

int main(void)
{
	for (const struct itp_word *word = itp_words; word->word; word++) {
		fputs(".It ", stdout);
		print_text(word->word);
		print_text(word->meaning);
	}
	return 0;
}
