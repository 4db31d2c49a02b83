/* SPDX-License-Identifier: MIT */
/*
 * See like.h. perf keeps its command line in the recording: "perf record -k CLOCK_MONOTONIC
 * --call-graph dwarf,16384 -e raw_syscalls:sys_enter,… -e cpu-clock/freq=997/ …".
 */
#include "plugins/perf/record/like.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/perf-data/feature.h"

#define DWARF "dwarf"
#define TIMER_FREQUENCY "freq="
/* Bytes of a stack's copy by perf's default. */
#define PERF_STACK_BYTES 8192

/* Words of its command line; NULL with an error where it cannot be read, or has none. Owned by the
 * caller. */
static char **read_command_line(const char *path, GError **error)
{
	struct itp_perf_file file;
	int code = itp_perf_file_init(&file, path);
	g_autofree char *line = NULL;
	g_auto(GStrv) words = NULL;

	if (code < 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "--like %s: %s", path,
			    code == ITP_ERROR_IO ? g_strerror(errno) :
						   "this is no recording of perf that can be read");
		return NULL;
	}
	line = itp_perf_feature_strings(&file, ITP_FEATURE_COMMAND_LINE);
	itp_perf_file_release(&file);
	words = g_strsplit(line ? line : "", " ", -1);
	if (!g_strv_contains((const char *const *)words, "record")) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "--like %s: the recording does not tell how it was made; give the "
			    "options of both (--light, --fp, --stack-size)",
			    path);
		return NULL;
	}
	return g_steal_pointer(&words);
}

/* "fp", "dwarf" or "dwarf,BYTES". */
static void take_call_graph(const char *how, struct itp_overhead_wishes *wishes)
{
	wishes->wants_dwarf = g_str_has_prefix(how, DWARF);
	wishes->wants_fp = !wishes->wants_dwarf;
	wishes->stack_bytes = 0;
	if (wishes->wants_dwarf) {
		const char *comma = strchr(how, ',');

		wishes->stack_bytes = comma ? atoi(comma + 1) : PERF_STACK_BYTES;
	}
}

/* Presets contain those with fewer events. */
static void take_events(const char *events, struct itp_overhead_wishes *wishes)
{
	const char *frequency = strstr(events, TIMER_FREQUENCY);
	enum itp_preset preset = strstr(events, "page-faults")   ? ITP_PRESET_FULL :
				 strstr(events, "raw_syscalls:") ? ITP_PRESET_USUAL :
				 strstr(events, "sched_switch")  ? ITP_PRESET_LIGHT :
								   ITP_PRESET_TIMER;

	wishes->preset = MAX(wishes->preset, preset);
	if (frequency) {
		wishes->frequency_hz = atoi(frequency + strlen(TIMER_FREQUENCY));
	}
}

/* Of a perf record. */
static void take_words(char **words, struct itp_overhead_wishes *wishes)
{
	wishes->has_preset = true;
	wishes->preset = ITP_PRESET_TIMER;
	for (size_t i = 0; words[i] && words[i + 1] && !g_str_equal(words[i], "--"); i++) {
		if (g_str_equal(words[i], "--call-graph")) {
			take_call_graph(words[i + 1], wishes);
		} else if (g_str_equal(words[i], "-e")) {
			take_events(words[i + 1], wishes);
		} else if (g_str_equal(words[i], "-F")) {
			wishes->frequency_hz = atoi(words[i + 1]);
		} else if (g_str_equal(words[i], "-g")) {
			take_call_graph("fp", wishes);
		}
	}
}

/* Value of an option that begins at `word`, written in any way: -F 99, -F99, --freq 99, --freq=99;
 * NULL where the word is none of these. `letter` may be "". */
static const char *value_of(char *const *word, const char *letter, const char *name)
{
	const size_t length = strlen(name);

	if (g_str_equal(word[0], name) || (letter[0] != '\0' && g_str_equal(word[0], letter))) {
		return word[1];
	}
	if (g_str_has_prefix(word[0], name)) {
		return word[0][length] == '=' ? word[0] + length + 1 : NULL;
	}
	return letter[0] != '\0' && g_str_has_prefix(word[0], letter) ? word[0] + strlen(letter) :
									NULL;
}

static void take_value(char **value, const char *found)
{
	if (found) {
		g_free(*value);
		*value = g_strdup(found);
	}
}

/* Words of perf introperf record --bpf. */
static void take_bpf_words(char **words, struct itp_record_options *options)
{
	options->is_bpf = true;
	for (char **word = words; *word && !g_str_equal(*word, "--"); word++) {
		options->is_light |= g_str_equal(*word, "--light");
		options->is_full |= g_str_equal(*word, "--full");
		take_value(&options->frequency, value_of(word, "-F", "--freq"));
		take_value(&options->overhead, value_of(word, "", "--overhead"));
	}
}

bool itp_like_read(const char *path, struct itp_record_options *options, GError **error)
{
	g_auto(GStrv) words = read_command_line(path, error);

	if (!words) {
		return false;
	}
	if (g_strv_contains((const char *const *)words, "--bpf")) {
		take_bpf_words(words, options);
	} else {
		options->is_perf = true;
		take_words(words, &options->wishes);
	}
	return true;
}
