/* SPDX-License-Identifier: MIT */
/*
 * What recordings do not hold: `scene hostile FORMAT` writes names that try to be something else,
 * `scene calls COUNT FORMAT` so many calls, and then the peak of its memory in KiB to standard
 * error. `scene names` prints the hostile names, each with a NUL behind it.
 *
 * The hostile names call each other: the first is a process, which calls the second, which calls
 * the third and so on; the n-th takes n ns of its own.
 */
#include <string.h>
#include <sys/resource.h>

#include "common/base/error.h"
#include "common/render/export/export.h"

#define LONG_NAME_BYTES 65536
#define THREADS 4
#define FUNCTIONS 100
#define DEPTH 6
#define CALL_NS 1000

static const char *const hostile_names[] = {
	"</script><script>alert(1)</script>",
	"quote\"back\\slash'",
	"line\nend\r\ttab\001\033[31m\177 and \302\23331m and \363\240\200\201",
	"\377\376 no UTF-8 \303(",
	"a;b;c 12",
	"(3) a number",
	"fn=(1) a function",
	"calls=1 2",
	"",
	"separator \342\200\250 and \342\200\256 direction",
	"ends like a number 7",
	"and like two 1 2.5",
	"# comment",
	"{\"name\":%s%n}",
	"функция",
	"NULL",
};

struct scene {
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *contexts;
	struct itp_profile *profile;
	struct itp_timeline *timeline;
};

static uint32_t add_function(struct scene *scene, const char *name, enum itp_layer layer)
{
	const struct itp_function function = {
		.name = name,
		.module = name,
		.build_id = "",
		.layer = layer,
	};

	return itp_function_table_intern(scene->functions, &function);
}

static void add_call(struct scene *scene, uint32_t function, int32_t tid, uint32_t depth,
		     int64_t begin_ns, int64_t end_ns)
{
	const struct itp_instance instance = {
		.pid = 1,
		.tid = tid,
		.depth = depth,
		.max_calls = 1,
		.best_begin_ns = begin_ns,
		.best_ns = end_ns - begin_ns,
	};

	if (itp_timeline_add(scene->timeline, function, &instance) != ITP_OK) {
		g_error("no room for a call");
	}
}

static void scene_init(struct scene *scene)
{
	const struct itp_timeline_options options = { .directory = g_get_tmp_dir(),
						      .begin_ns = INT64_MIN,
						      .end_ns = INT64_MAX };

	scene->functions = itp_function_table_new();
	scene->contexts = itp_context_tree_new();
	scene->profile = itp_profile_new(hostile_names[0]);
	scene->timeline = itp_timeline_new(&options);
	g_assert(scene->timeline);
}

static void scene_release(struct scene *scene)
{
	itp_timeline_free(scene->timeline);
	itp_profile_free(scene->profile);
	itp_context_tree_free(scene->contexts);
	itp_function_table_free(scene->functions);
}

/* The hostile names and one that is too long. Free with g_ptr_array_unref(). */
static GPtrArray *make_names(void)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < G_N_ELEMENTS(hostile_names); i++) {
		g_ptr_array_add(names, g_strdup(hostile_names[i]));
	}
	g_ptr_array_add(names, g_strnfill(LONG_NAME_BYTES, 'x'));
	return names;
}

static void fill_hostile(struct scene *scene)
{
	g_autoptr(GPtrArray) names = make_names();
	uint32_t node = ITP_CONTEXT_ROOT;
	int64_t left_ns = 0;

	for (guint i = 0; i < names->len; i++) {
		uint32_t function = add_function(scene, g_ptr_array_index(names, i),
						 i == 0 ? ITP_LAYER_PROCESS : ITP_LAYER_USER);

		node = itp_context_tree_child(scene->contexts, node, function);
		itp_profile_node(scene->profile, node)->own_ns = i + 1;
		itp_profile_node(scene->profile, node)->count = 1;
	}
	for (uint32_t depth = names->len; depth > 0; depth--) {
		left_ns += depth;
		add_call(scene, itp_context_tree_get(scene->contexts, depth)->function, 1,
			 depth - 1, 0, left_ns);
	}
}

/* The innermost first, each caller with two of the next. */
static void fill_calls(struct scene *scene, uint64_t count)
{
	uint32_t functions[FUNCTIONS];
	int64_t time_ns = 0;

	for (size_t i = 0; i < FUNCTIONS; i++) {
		g_autofree char *name = g_strdup_printf("function_%zu", i);

		functions[i] = add_function(scene, name, ITP_LAYER_USER);
	}
	for (uint64_t i = 0; i < count; time_ns += CALL_NS) {
		for (uint32_t depth = DEPTH; depth > 0; depth--, i++) {
			add_call(scene, functions[(i + depth) % FUNCTIONS],
				 (int32_t)(time_ns / CALL_NS % THREADS) + 1, depth, time_ns + depth,
				 time_ns + CALL_NS - depth);
		}
	}
}

static enum itp_export_format find_format(const char *name)
{
	enum itp_export_format format = 0;

	while (!g_str_equal(itp_export_format_names[format], name)) {
		format++;
	}
	return format;
}

static int write_scene(struct scene *scene, enum itp_export_format format)
{
	const struct itp_export_tree tree = { .functions = scene->functions,
					      .contexts = scene->contexts,
					      .suspect = scene->profile,
					      .base = itp_export_needs_base(format) ?
							      scene->profile :
							      NULL };
	const struct itp_export_input input = {
		.name = hostile_names[1],
		.functions = scene->functions,
		.tree = itp_export_shows_tree(format) ? &tree : NULL,
		.timeline = itp_export_shows_timeline(format) ? scene->timeline : NULL,
	};
	int code;

	itp_timeline_finish(scene->timeline);
	code = itp_export(format, &input, stdout);
	return code == ITP_OK && fflush(stdout) == 0 ? 0 : 1;
}

static void print_names(void)
{
	g_autoptr(GPtrArray) names = make_names();

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);

		fwrite(name, 1, strlen(name) + 1, stdout);
	}
}

int main(int argc, char **argv)
{
	struct scene scene;
	struct rusage usage;
	int code = 0;

	if (argc == 2) {
		print_names();
		return 0;
	}
	scene_init(&scene);
	if (argc == 3) {
		fill_hostile(&scene);
		code = write_scene(&scene, find_format(argv[2]));
	} else {
		fill_calls(&scene, g_ascii_strtoull(argv[2], NULL, 10));
		code = write_scene(&scene, find_format(argv[3]));
		getrusage(RUSAGE_SELF, &usage);
		fprintf(stderr, "%ld\n", usage.ru_maxrss);
	}
	scene_release(&scene);
	return code;
}
