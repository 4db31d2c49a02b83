/* SPDX-License-Identifier: MIT */
/* See trace-look.h. */
#include "plugins/babeltrace/graphs/trace-look.h"

#include <babeltrace2/babeltrace.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define METADATA "metadata"
/* Of the metadata: enough for the version in either form. */
#define BEGIN_BYTES 4096

/* Begin of metadata in packets, in either order of bytes. */
#define PACKET_MAGIC 0x75d11d57u

/* Opens like the reader, which needs all files. */
static char *look_at_access(const char *directory)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) entries = g_dir_open(directory, 0, &error);
	const char *name;
	char *problem = NULL;

	if (!entries) {
		return g_strdup(error->message);
	}
	while (!problem && (name = g_dir_read_name(entries))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		if (name[0] != '.' && access(path, R_OK) != 0) {
			problem = g_strdup_printf("its file \"%s\" cannot be read: %s", name,
						  g_strerror(errno));
		}
	}
	return problem;
}

/* Begin of a file as text, perhaps with bytes of 0. *ret_count is their number. */
static void read_begin(const char *directory, char *begin, size_t *ret_count)
{
	g_autofree char *path = g_build_filename(directory, METADATA, NULL);
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t count = file >= 0 ? read(file, begin, BEGIN_BYTES) : 0;

	if (file >= 0) {
		close(file);
	}
	*ret_count = (size_t)MAX(count, 0);
	begin[*ret_count] = '\0';
}

static char *tell_version(const char *version)
{
	const bool reads_2 = bt_version_get_minor() >= 1;

	if (strcmp(version, "2") == 0 && !reads_2) {
		return g_strdup_printf(
			"this is a trace of CTF 2, which takes Babeltrace 2.1, and here "
			"is %u.%u; read it there, or have `babeltrace2` 2.1 write it as "
			"CTF 1.8 (sink.ctf.fs, ctf-version=\"1\")",
			bt_version_get_major(), bt_version_get_minor());
	}
	return g_strdup_printf(
		"this is a trace of CTF %s, and Babeltrace %u.%u reads %s; record it in "
		"a version of these",
		version, bt_version_get_major(), bt_version_get_minor(),
		reads_2 ? "1.8 and 2" : "1.8");
}

/* CTF 2 is a sequence of JSON texts, the first of which has the version. */
static char *look_at_json(const char *begin)
{
	g_autoptr(GRegex) version =
		g_regex_new("\"version\"\\s*:\\s*([0-9]+)", G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *number = NULL;

	if (!g_regex_match(version, begin, 0, &match)) {
		return NULL;
	}
	number = g_match_info_fetch(match, 1);
	return strcmp(number, "2") == 0 && bt_version_get_minor() >= 1 ? NULL :
									 tell_version(number);
}

/* "CTF 1.8" in the first comment. */
static char *look_at_text(const char *begin)
{
	g_autoptr(GRegex) version =
		g_regex_new("^/\\*\\s*CTF\\s+([0-9]+\\.[0-9]+)", G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *number = NULL;

	if (!g_regex_match(version, begin, 0, &match)) {
		return g_strdup(
			"its file \"metadata\" does not begin with a version of CTF (\"/* CTF "
			"1.8 */\"): this is no trace, or the file is damaged; copy it anew");
	}
	number = g_match_info_fetch(match, 1);
	return strcmp(number, "1.8") == 0 ? NULL : tell_version(number);
}

static bool is_packet(const char *begin, size_t count)
{
	guint32 magic;

	if (count < sizeof(magic)) {
		return false;
	}
	memcpy(&magic, begin, sizeof(magic));
	return magic == PACKET_MAGIC || magic == GUINT32_SWAP_LE_BE(PACKET_MAGIC);
}

char *itp_trace_look(const char *directory)
{
	char begin[BEGIN_BYTES + 1];
	char *problem = look_at_access(directory);
	size_t count;

	if (problem) {
		return problem;
	}
	read_begin(directory, begin, &count);
	if (count == 0) {
		return g_strdup(
			"its file \"metadata\" is empty: nothing was recorded, or it was not "
			"written yet; record it again");
	}
	if (is_packet(begin, count)) {
		return NULL;
	}
	return begin[0] == '\x1e' || begin[0] == '{' ? look_at_json(begin) : look_at_text(begin);
}
