/* SPDX-License-Identifier: MIT */
/*
 * One regular expression takes off the last thing that is not the name, until it finds none.
 */
#include "common/rank/stem.h"

#include <string.h>

#include "common/base/memory.h"

#define NUMBER "[-_.+~]?v?\\d+(?:\\.\\d+)*(?:[-+~._]?(?:alpha|beta|rc|pre|dev|git|p|r)\\.?\\d*)?"
#define HASH "[-_.+](?=[a-z]*\\d)[0-9a-f]{7,64}"
#define MARK                                                                                  \
	"[-_.](?:old|new|orig|original|bak|backup|prev|previous|next|good|bad|slow|fast|base" \
	"|baseline|before|after|fixed|broken|patched|debug|release|stable|test|dev)"
/* Names of processes are cut, also behind one of these. */
#define REST "[-_.+~]+"

#define LIBRARY ".so"

GRegex *itp_stem_additions(void)
{
	GRegex *additions;

	itp_memory_begin();
	additions = g_regex_new("(?:" NUMBER "|" HASH "|" MARK "|" REST ")$", G_REGEX_OPTIMIZE, 0,
				NULL);
	itp_memory_end();
	return additions;
}

/* Where ".so" ends the name, or a version of it follows; its end if nowhere. */
static const char *library_suffix(const char *name)
{
	const char *found = g_strrstr(name, LIBRARY);

	if (found && (found[strlen(LIBRARY)] == '\0' || found[strlen(LIBRARY)] == '.')) {
		return found;
	}
	return name + strlen(name);
}

char *itp_stem(const GRegex *additions, const char *name)
{
	const char *suffix = library_suffix(name);
	char *stem = g_strndup(name, (gsize)(suffix - name));
	GMatchInfo *match = NULL;
	int begin;

	while (g_regex_match(additions, stem, 0, &match) &&
	       g_match_info_fetch_pos(match, 0, &begin, NULL) && begin > 0) {
		stem[begin] = '\0';
		g_clear_pointer(&match, g_match_info_free);
	}
	g_match_info_free(match);
	if (suffix[0] != '\0') {
		char *library = g_strconcat(stem, LIBRARY, NULL);

		g_free(stem);
		stem = library;
	}
	return stem;
}
