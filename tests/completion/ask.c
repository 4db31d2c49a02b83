/* SPDX-License-Identifier: MIT */
/*
 * ask QUESTIONS BUILD-ID FILE [POINTS]: which function is missing between two frames? Asks the
 * questions in the form of cases.txt about FILE and library.so beside it, and prints "ok" or
 * "not ok" for each sentence. The points are labels of POINTS, which is FILE before it lost them,
 * and of that library. BUILD-ID is what the recording is to tell of FILE, "-" for nothing.
 */
#include "common/completion/completion.h"
#include "tests/flow/points.h"

#include <stdio.h>
#include <string.h>

#define FILE_ADDRESS UINT64_C(0x10000000)
#define LIBRARY_ADDRESS UINT64_C(0x20000000)
/* Of code that the program has made; the point "jit" is in it. */
#define JIT_ADDRESS UINT64_C(0x30000000)
#define IMAGE_BYTES UINT64_C(0x100000)

struct asker {
	struct itp_function_table *functions;
	struct itp_symbolizer *symbolizer;
	struct itp_address_space *space;
	struct itp_completion *completion;
	/* Name to uint64_t, the address in memory. */
	GHashTable *points;
	/* Of the sentence. */
	unsigned int wrong_count;
};

static void map(struct asker *asker, const char *path, const char *build_id, uint64_t start)
{
	const struct itp_map_request request = {
		.extent = ITP_MAP_IMAGE,
		.start = start,
		.length = IMAGE_BYTES,
		.path = path,
		.build_id = build_id,
	};

	itp_symbolizer_map(asker->symbolizer, &asker->space, &request);
}

static void init(struct asker *asker, char **argv, int argc)
{
	const struct itp_symbolizer_options options = { .kallsyms = "/dev/null" };
	const uint64_t jit = JIT_ADDRESS + 16;
	g_autofree char *file = g_canonicalize_filename(argv[3], NULL);
	g_autofree char *directory = g_path_get_dirname(file);
	g_autofree char *library = g_build_filename(directory, "library.so", NULL);

	asker->functions = itp_function_table_new();
	asker->symbolizer = itp_symbolizer_new(&options, asker->functions);
	asker->space = itp_address_space_new();
	asker->completion = itp_completion_new(asker->functions);
	asker->points = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	map(asker, file, g_str_equal(argv[2], "-") ? NULL : argv[2], FILE_ADDRESS);
	map(asker, library, NULL, LIBRARY_ADDRESS);
	map(asker, "//anon", NULL, JIT_ADDRESS);
	g_hash_table_insert(asker->points, g_strdup("jit"), g_memdup2(&jit, sizeof(jit)));
	test_points_add(asker->points, argc > 4 ? argv[4] : file, FILE_ADDRESS);
	test_points_add(asker->points, library, LIBRARY_ADDRESS);
}

static void release(struct asker *asker)
{
	itp_completion_free(asker->completion);
	itp_address_space_unref(asker->space);
	itp_symbolizer_free(asker->symbolizer);
	itp_function_table_free(asker->functions);
	g_hash_table_destroy(asker->points);
}

static bool find_frame(struct asker *asker, const char *name,
		       struct itp_completion_frame *ret_frame)
{
	bool is_exact = name[0] == '=';
	const uint64_t *address = g_hash_table_lookup(asker->points, name + is_exact);

	if (!address) {
		return false;
	}
	*ret_frame = (struct itp_completion_frame){ .address = *address, .is_exact = is_exact };
	ret_frame->function = itp_symbolizer_user(asker->symbolizer, asker->space,
						  *address - !is_exact, &ret_frame->slide);
	return true;
}

/* NULL when the first two words are no question. */
static char *answer_to(struct asker *asker, char **words)
{
	struct itp_completion_frame caller;
	struct itp_completion_frame callee;
	const uint32_t *functions;
	GString *answer;
	size_t count;

	if (g_strv_length(words) != 3 || !find_frame(asker, words[0], &caller) ||
	    !find_frame(asker, words[1], &callee)) {
		return NULL;
	}
	answer = g_string_new("");
	count = itp_completion_find(asker->completion, asker->space, &caller, &callee, &functions);
	for (size_t i = 0; i < count; i++) {
		g_string_append_printf(
			answer, "%s%s", i > 0 ? " > " : "",
			itp_function_table_get(asker->functions, functions[i])->name);
	}
	return g_string_free(g_string_append(answer, count == 0 ? "-" : ""), FALSE);
}

static void ask(struct asker *asker, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 3);

	/* What was found out once is remembered. */
	for (unsigned int i = 0; i < 2; i++) {
		g_autofree char *answer = answer_to(asker, words);

		if (!answer) {
			printf("# not a question: %s\n", line);
			asker->wrong_count++;
		} else if (strcmp(answer, words[2]) != 0) {
			printf("# %s %s: %s, expected %s\n", words[0], words[1], answer, words[2]);
			asker->wrong_count++;
		}
	}
}

static void end_sentence(struct asker *asker, const char *sentence)
{
	if (sentence) {
		printf("%sok - %s\n", asker->wrong_count > 0 ? "not " : "", sentence);
	}
	asker->wrong_count = 0;
}

int main(int argc, char **argv)
{
	g_autofree char *questions = NULL;
	g_auto(GStrv) lines = NULL;
	const char *sentence = NULL;
	struct asker asker;

	if (argc < 4 || !g_file_get_contents(argv[1], &questions, NULL, NULL)) {
		fprintf(stderr, "usage: %s QUESTIONS BUILD-ID FILE [POINTS]\n", argv[0]);
		return 2;
	}
	asker = (struct asker){ .wrong_count = 0 };
	init(&asker, argv, argc);
	lines = g_strsplit(questions, "\n", -1);
	for (size_t i = 0; lines[i]; i++) {
		if (g_str_has_prefix(lines[i], ": ")) {
			end_sentence(&asker, sentence);
			sentence = lines[i] + 2;
		} else if (lines[i][0] != '#' && lines[i][0] != '\0') {
			ask(&asker, lines[i]);
		}
	}
	end_sentence(&asker, sentence);
	release(&asker);
	return 0;
}
