/* SPDX-License-Identifier: MIT */
/*
 * ask FILE POINTS QUESTIONS: asks FILE the questions in the form of cases.txt and prints "ok" or
 * "not ok" for each sentence. The points are labels of POINTS, which is the same file before it
 * lost them.
 */
#include "common/control-flow/control-flow.h"
#include "tests/flow/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One behaviour: the questions under one sentence. */
struct sentence {
	char *text;
	unsigned int wrong_count;
	unsigned int count;
};

static const char *const answers[] = {
	[ITP_FLOW_NEVER] = "never",
	[ITP_FLOW_REACHES] = "reaches",
	[ITP_FLOW_UNKNOWN] = "unknown",
};

static bool find_point(GHashTable *points, const char *name, struct itp_flow_point *ret_point)
{
	const uint64_t *vaddr;

	ret_point->is_behind_call = name[0] != '=';
	vaddr = g_hash_table_lookup(points, ret_point->is_behind_call ? name : name + 1);
	ret_point->vaddr = vaddr ? *vaddr : 0;
	return vaddr != NULL;
}

static void end_sentence(struct sentence *sentence)
{
	if (sentence->text) {
		printf("%sok - %s\n",
		       sentence->wrong_count > 0 || sentence->count == 0 ? "not " : "",
		       sentence->text);
	}
	g_free(sentence->text);
	*sentence = (struct sentence){ .text = NULL };
}

/* The answer to the first two words of a question; NULL when they are none. */
static const char *answer_to(struct itp_control_flow *flow, GHashTable *points, char **words)
{
	struct itp_flow_point from;
	struct itp_flow_point to;

	if (g_strv_length(words) != 3 || !find_point(points, words[0], &from)) {
		return NULL;
	}
	if (words[1][0] == '>') {
		bool is_here = find_point(points, words[1] + 1, &to);

		return itp_control_flow_may_jump_away(flow, from, is_here ? &to : NULL) ? "may" :
											  "never";
	}
	if (g_str_has_prefix(words[1], "before:")) {
		const char *name = words[1] + strlen("before:");
		bool is_end = g_str_equal(name, "end");

		if (!is_end && !find_point(points, name, &to)) {
			return NULL;
		}
		return itp_control_flow_may_avoid(flow, from, is_end ? NULL : &to) ? "may" :
										     "always";
	}
	if (g_str_has_prefix(words[1], "calls:")) {
		if (!find_point(points, words[1] + strlen("calls:"), &to)) {
			return NULL;
		}
		return itp_control_flow_always_calls(flow, from, to) ? "always" : "may";
	}
	return find_point(points, words[1], &to) ? answers[itp_control_flow_ask(flow, from, to)] :
						   NULL;
}

static void ask(struct itp_control_flow *flow, GHashTable *points, struct sentence *sentence,
		const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 3);
	const char *answer = answer_to(flow, points, words);

	sentence->count++;
	if (!answer) {
		printf("# not a question: %s\n", line);
		sentence->wrong_count++;
		return;
	}
	if (strcmp(answer, words[2]) != 0) {
		printf("# %s %s: %s, expected %s\n", words[0], words[1], answer, words[2]);
		sentence->wrong_count++;
	}
}

static void ask_all(struct itp_control_flow *flow, GHashTable *points, const char *questions)
{
	g_auto(GStrv) lines = g_strsplit(questions, "\n", -1);
	struct sentence sentence = { .text = NULL };

	for (size_t i = 0; lines[i]; i++) {
		if (g_str_has_prefix(lines[i], ": ")) {
			end_sentence(&sentence);
			sentence.text = g_strdup(lines[i] + 2);
		} else if (lines[i][0] != '#' && lines[i][0] != '\0') {
			ask(flow, points, &sentence, lines[i]);
		}
	}
	end_sentence(&sentence);
}

int main(int argc, char **argv)
{
	g_autofree char *questions = NULL;
	struct itp_elf_symbols *symbols;
	struct itp_control_flow *flow;
	enum itp_error error;
	GHashTable *points;

	if (argc != 4 || !g_file_get_contents(argv[3], &questions, NULL, NULL)) {
		fprintf(stderr, "usage: %s FILE POINTS QUESTIONS\n", argv[0]);
		return 2;
	}
	symbols = itp_elf_symbols_new(argv[1], &error);
	flow = symbols ? itp_control_flow_new(symbols) : NULL;
	points = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	test_points_add(points, argv[2], 0);
	if (flow) {
		ask_all(flow, points, questions);
	} else {
		printf("not ok - control flow can be known\n");
	}
	g_hash_table_unref(points);
	itp_control_flow_free(flow);
	itp_elf_symbols_free(symbols);
	return 0;
}
