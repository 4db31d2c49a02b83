/* SPDX-License-Identifier: MIT */
/*
 * The file of saved profiles: random ones come back as they were, and damaged ones are refused, or
 * read, but never crash or hang a program.
 */
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/infer/node-fields.h"
#include "common/profile-file/bytes.h"
#include "common/profile-file/format.h"

#define SEEDS 30
#define PATH "x.profile"

/* Profile with contexts of its own. */
struct scene {
	GRand *random;
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_profile *profile;
};

static void get_context(const void *tree, uint32_t node, uint32_t *ret_parent,
			uint32_t *ret_function)
{
	const struct itp_context *context = itp_context_tree_get(tree, node);

	*ret_parent = context->parent;
	*ret_function = context->function;
}

static bool tell_facts(const void *data, itp_fact_func *tell, void *tell_data)
{
	(void)data;
	return tell("hostname", "host\xff", tell_data) && tell("nothing", NULL, tell_data) &&
	       tell("architecture", "x86_64", tell_data);
}

static struct itp_memory_profile profile_of(const struct scene *scene)
{
	return (struct itp_memory_profile){
		.name = "name.data",
		.input_path = "dir/name.data",
		.architecture = "x86_64",
		.clock = { .has_epoch = true, .offset_ns = -5 },
		.tell_facts = tell_facts,
		.source = { .profile = scene->profile,
			    .functions = scene->functions,
			    .node_count = itp_context_tree_size(scene->tree),
			    .get_context = get_context,
			    .contexts = scene->tree },
	};
}

static uint64_t random_number(struct scene *scene)
{
	const uint64_t all = (uint64_t)g_rand_int(scene->random) << 32 | g_rand_int(scene->random);

	return all >> g_rand_int_range(scene->random, 1, 64);
}

static int64_t random_signed(struct scene *scene)
{
	const int64_t number = (int64_t)random_number(scene);

	return g_rand_boolean(scene->random) ? number : -number;
}

/* Names of any bytes, also such as are no UTF-8. */
static char *random_text(struct scene *scene)
{
	GString *text = g_string_new("f");

	for (int length = g_rand_int_range(scene->random, 0, 12); length > 0; length--) {
		g_string_append_c(text, (char)g_rand_int_range(scene->random, 1, 256));
	}
	return g_string_free(text, FALSE);
}

/* A function, in most cases an earlier one. */
static uint32_t random_function(struct scene *scene)
{
	const uint32_t size = itp_function_table_size(scene->functions);
	g_autofree char *name = random_text(scene);
	g_autofree char *choices = random_text(scene);
	const struct itp_function function = {
		.name = name,
		.module = "m",
		.build_id = g_rand_boolean(scene->random) ? "" : "ab12",
		.layer = (enum itp_layer)g_rand_int_range(scene->random, 0, ITP_LAYER_COUNT),
		.file = "",
		.choices = g_rand_boolean(scene->random) ? "" : choices,
	};

	return size > 1 && g_rand_int_range(scene->random, 0, 3) > 0 ?
		       (uint32_t)g_rand_int_range(scene->random, 1, (gint32)size) :
		       itp_function_table_intern(scene->functions, &function);
}

/* Sums and extremes of any size, but as the fields of a node agree. */
static void fill_stats(struct scene *scene, struct itp_node_stats *stats)
{
	uint64_t *numbers = (uint64_t *)(void *)stats;

	for (size_t i = 0; i < offsetof(struct itp_node_stats, histogram) / sizeof(uint64_t); i++) {
		numbers[i] = random_number(scene);
	}
	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		stats->histogram[i] = g_rand_int(scene->random) >>
				      g_rand_int_range(scene->random, 0, 32);
	}
	stats->count += 1;
	stats->own_ns = -stats->own_ns;
	stats->min_ns = (int64_t)(random_number(scene) >> 2);
	stats->max_ns = stats->min_ns + (int64_t)(random_number(scene) >> 2);
}

static void add_node(struct scene *scene)
{
	const uint32_t size = itp_context_tree_size(scene->tree);
	const uint32_t parent = (uint32_t)g_rand_int_range(scene->random, 0, (gint32)size);
	const uint32_t node = itp_context_tree_child(scene->tree, parent, random_function(scene));
	struct itp_slow_call call = { .node = node, .pid = -1, .flags = 255 };

	if (node < size) {
		return;
	}
	fill_stats(scene, itp_profile_node(scene->profile, node));
	for (int i = g_rand_int_range(scene->random, 0, 4); i > 0; i--) {
		const struct itp_waker waker = {
			.node = node,
			.role = (uint32_t)g_rand_int_range(scene->random, 0, ITP_WAKER_ROLE_COUNT),
			.process = random_function(scene),
			.function = random_function(scene),
			.count = random_number(scene),
			.blocked_ns = random_signed(scene),
			.square_us2 = random_number(scene),
		};

		itp_wakers_add(scene->profile->wakers, &waker);
		call.tid = (int32_t)g_rand_int(scene->random);
		call.begin_ns = random_signed(scene) / 2;
		call.latency_ns = (int64_t)(random_number(scene) >> 2);
		call.lower_ns = random_signed(scene) / 2;
		call.upper_ns = call.lower_ns + (int64_t)(random_number(scene) >> 2);
		itp_slowest_add(scene->profile->slowest, &call);
		itp_latencies_add(scene->profile->latencies, node, call.latency_ns,
				  random_number(scene));
	}
}

static void add_units(struct scene *scene)
{
	g_autofree char *process = random_text(scene);
	const struct itp_unit_sum sum = {
		.process = process,
		.loop = "loop",
		.wait = "epoll_wait",
		.telling = "a; b",
		.count = random_number(scene) + 1,
		.total_ns = random_signed(scene),
		.min_ns = 3,
		.max_ns = 77,
		.use = { random_signed(scene), random_signed(scene), random_signed(scene) },
	};
	const struct itp_slow_call span = { .node = itp_unit_sums_add(scene->profile->units, &sum),
					    .pid = 7,
					    .tid = 8,
					    .begin_ns = -9,
					    .latency_ns = 70,
					    .lower_ns = 70,
					    .upper_ns = 70 };

	itp_latencies_add(itp_unit_sums_latencies(scene->profile->units), span.node, 70, 5);
	itp_slowest_add(itp_unit_sums_slowest(scene->profile->units), &span);
}

static void fill_counts(struct scene *scene, struct itp_infer_counts *counts)
{
	uint64_t *numbers = (uint64_t *)(void *)counts;

	for (size_t i = 0; i < offsetof(struct itp_infer_counts, cut) / sizeof(uint64_t); i++) {
		numbers[i] = random_number(scene) >> 1;
	}
	counts->end_ns = counts->begin_ns + 1;
	counts->cut = g_rand_boolean(scene->random);
}

/* Functions and nodes are numbered in the order of their first use, as in a file. */
static void scene_init(struct scene *scene, guint32 seed, int nodes)
{
	scene->random = g_rand_new_with_seed(seed);
	scene->functions = itp_function_table_new();
	scene->tree = itp_context_tree_new();
	scene->profile = itp_profile_new("name.data");
	g_free(scene->profile->workload.options);
	scene->profile->workload.options = g_strdup("continuity=call-site in=\"\xc3\x28\"");
	scene->profile->workload.complete = g_rand_boolean(scene->random);
	fill_counts(scene, &scene->profile->workload.counts);
	for (int i = 0; i < nodes; i++) {
		add_node(scene);
	}
	for (int i = g_rand_int_range(scene->random, 0, 3); i > 0; i--) {
		add_units(scene);
	}
}

static void scene_release(struct scene *scene)
{
	itp_profile_free(scene->profile);
	itp_context_tree_free(scene->tree);
	itp_function_table_free(scene->functions);
	g_rand_free(scene->random);
}

static GString *file_of(const struct itp_memory_profile *profile)
{
	GString *file = itp_profile_file_begin();

	itp_profile_file_add(file, profile);
	itp_profile_file_end(file);
	return file;
}

static GString *file_of_scene(guint32 seed, int nodes)
{
	struct scene scene;
	struct itp_memory_profile profile;
	GString *file;

	scene_init(&scene, seed, nodes);
	profile = profile_of(&scene);
	file = file_of(&profile);
	scene_release(&scene);
	return file;
}

/* ---- Sound files ---- */

static const struct itp_set_workload *only_workload(struct itp_workload_set *set)
{
	g_autoptr(GPtrArray) list = NULL;

	itp_workload_set_finish(set);
	list = itp_workload_set_list(set);
	g_assert_cmpuint(list->len, ==, 1);
	return g_ptr_array_index(list, 0);
}

static bool tell_read_facts(const void *data, itp_fact_func *tell, void *tell_data)
{
	const GArray *facts = ((const struct itp_set_workload *)data)->facts;

	for (guint i = 0; i < facts->len; i++) {
		const struct itp_set_fact *fact = &g_array_index(facts, struct itp_set_fact, i);

		tell(fact->name, fact->text, tell_data);
	}
	return true;
}

/* A read profile on its way into a file again. */
static struct itp_memory_profile profile_read(const struct itp_workload_set *set,
					      const struct itp_set_workload *workload)
{
	return (struct itp_memory_profile){
		.name = workload->profile->workload.name,
		.input_path = workload->input_path,
		.architecture = workload->profile->workload.architecture,
		.clock = workload->profile->workload.clock,
		.tell_facts = tell_read_facts,
		.data = (void *)workload,
		.source = { .profile = workload->profile,
			    .functions = itp_workload_set_functions(set),
			    .node_count = itp_context_tree_size(itp_workload_set_tree(set)),
			    .get_context = get_context,
			    .contexts = itp_workload_set_tree(set),
			    .period = workload->periods },
	};
}

static void check_read(const struct scene *scene, const struct itp_workload_set *set,
		       const struct itp_set_workload *workload)
{
	const struct itp_workload *read = &workload->profile->workload;
	const struct itp_workload *saved = &scene->profile->workload;
	const uint32_t nodes = itp_context_tree_size(scene->tree);

	g_assert_cmpuint(itp_context_tree_size(itp_workload_set_tree(set)), ==, nodes);
	for (uint32_t node = ITP_CONTEXT_ROOT + 1; node < nodes; node++) {
		g_assert_cmpmem(
			itp_profile_peek(workload->profile, node), sizeof(struct itp_node_stats),
			itp_profile_peek(scene->profile, node), sizeof(struct itp_node_stats));
	}
	g_assert_cmpstr(read->options, ==, saved->options);
	g_assert_cmpstr(read->architecture, ==, "x86_64");
	g_assert_cmpint(read->complete, ==, saved->complete);
	g_assert_true(read->clock.has_epoch);
	g_assert_cmpint(read->clock.offset_ns, ==, -5);
	g_assert_cmpstr(workload->input_path, ==, "dir/name.data");
	g_assert_cmpuint(workload->facts->len, ==, 2);
	g_assert_cmpstr(g_array_index(workload->facts, struct itp_set_fact, 0).text, ==,
			"host\xff");
}

static void test_round_trip(void)
{
	for (guint32 seed = 0; seed < SEEDS; seed++) {
		struct itp_workload_set *set = itp_workload_set_new();
		const struct itp_set_workload *workload;
		struct itp_memory_profile profile;
		GError *error = NULL;
		struct scene scene;
		GString *first;
		GString *second;

		scene_init(&scene, seed, 60);
		profile = profile_of(&scene);
		first = file_of(&profile);
		itp_profile_file_parse(first->str, first->len, PATH, set, &error);
		g_assert_no_error(error);
		workload = only_workload(set);
		check_read(&scene, set, workload);
		profile = profile_read(set, workload);
		second = file_of(&profile);
		g_assert_true(g_string_equal(second, first));
		g_string_free(first, TRUE);
		g_string_free(second, TRUE);
		itp_workload_set_free(set);
		scene_release(&scene);
	}
}

static void test_several(void)
{
	struct itp_workload_set *set = itp_workload_set_new();
	GString *file = itp_profile_file_begin();
	g_autoptr(GPtrArray) list = NULL;
	GError *error = NULL;

	for (guint32 seed = 0; seed < 3; seed++) {
		struct itp_memory_profile profile;
		struct scene scene;

		scene_init(&scene, seed, 5);
		profile = profile_of(&scene);
		profile.source.period = seed;
		itp_profile_file_add(file, &profile);
		scene_release(&scene);
	}
	itp_profile_file_end(file);
	itp_profile_file_parse(file->str, file->len, PATH, set, &error);
	g_assert_no_error(error);
	itp_workload_set_finish(set);
	list = itp_workload_set_list(set);
	g_assert_cmpuint(list->len, ==, 3);
	g_assert_cmpuint(((struct itp_set_workload *)g_ptr_array_index(list, 2))->periods, ==, 2);
	g_string_free(file, TRUE);
	itp_workload_set_free(set);
}

/* ---- Damaged files ---- */

/* Reads bytes, whatever they are, and writes what was read. Returns the error's text, or NULL;
 * owned by the caller. */
static char *fate_of(const char *bytes, size_t size)
{
	/* A copy, so that any byte read behind it shows. */
	g_autofree char *copy = g_memdup2(bytes, size);
	struct itp_workload_set *set = itp_workload_set_new();
	g_autoptr(GPtrArray) list = NULL;
	GError *error = NULL;
	char *text = NULL;

	if (!itp_profile_file_parse(copy, size, PATH, set, &error)) {
		g_assert_nonnull(error);
		g_assert_true(g_str_has_prefix(error->message, PATH ": "));
		text = g_strdup(error->message);
		g_error_free(error);
	}
	itp_workload_set_finish(set);
	list = itp_workload_set_list(set);
	for (guint i = 0; i < list->len; i++) {
		const struct itp_memory_profile profile =
			profile_read(set, g_ptr_array_index(list, i));

		g_string_free(file_of(&profile), TRUE);
	}
	itp_workload_set_free(set);
	return text;
}

/* Gives bytes behind a header the size and the digest that fit them. */
static GString *completed(const char *bytes, size_t size)
{
	GString *file = g_string_new_len(bytes, (gssize)size);

	itp_profile_file_end(file);
	return file;
}

static void test_cut(void)
{
	GString *file = file_of_scene(1, 12);

	for (size_t size = 0; size < file->len; size++) {
		g_autofree char *fate = fate_of(file->str, size);

		g_assert_nonnull(fate);
	}
	for (size_t size = HEADER_BYTES; size < file->len - DIGEST_BYTES; size++) {
		GString *cut = completed(file->str, size);

		g_free(fate_of(cut->str, cut->len));
		g_string_free(cut, TRUE);
	}
	g_string_free(file, TRUE);
}

static void test_flipped(void)
{
	GRand *random = g_rand_new_with_seed(5);
	GString *file = file_of_scene(2, 12);

	for (size_t at = 0; at < file->len; at++) {
		for (int i = 0; i < 3; i++) {
			const char before = file->str[at];
			g_autofree char *fate = NULL;
			GString *whole;

			file->str[at] ^= (char)(1 << g_rand_int_range(random, 0, 8));
			fate = fate_of(file->str, file->len);
			g_assert_true(fate || at < ITP_PROFILE_FILE_MAGIC_BYTES);
			whole = completed(file->str, file->len - DIGEST_BYTES);
			g_free(fate_of(whole->str, whole->len));
			g_string_free(whole, TRUE);
			file->str[at] = before;
		}
	}
	g_string_free(file, TRUE);
	g_rand_free(random);
}

/* ---- Files by hand ---- */

static void put_section(GString *file, const char *kind, GString *content)
{
	g_string_append(file, kind);
	itp_bytes_put_fixed(file, content->len, sizeof(uint64_t));
	g_string_append_len(file, content->str, (gssize)content->len);
	g_string_free(content, TRUE);
}

/* Header without sections. */
static GString *header(void)
{
	GString *file = itp_profile_file_begin();

	return g_string_truncate(file, HEADER_BYTES);
}

static GString *profile_section(void)
{
	GString *content = g_string_new(NULL);

	itp_bytes_put_text(content, "by hand");
	itp_bytes_put_text(content, "");
	itp_bytes_put_text(content, "");
	itp_bytes_put_unsigned(content, 0);
	itp_bytes_put_signed(content, 0);
	return content;
}

/* Completes and reads a file, and looks for `wanted` in the error; NULL: there is none. */
static void expect(GString *file, const char *wanted)
{
	g_autofree char *fate = NULL;

	itp_profile_file_end(file);
	fate = fate_of(file->str, file->len);
	if (!wanted) {
		g_assert_cmpstr(fate, ==, NULL);
	} else if (!fate || !strstr(fate, wanted)) {
		g_test_message("\"%s\" lacks \"%s\"", fate ? fate : "no error", wanted);
		g_test_fail();
	}
	g_string_free(file, TRUE);
}

/* A file of a later program: fields, records and sections that this one does not know. */
static void test_later(void)
{
	GString *file = header();
	GString *content = g_string_new(NULL);

	itp_bytes_put_unsigned(content, 2);
	itp_bytes_put_text(content, "introperf:colour");
	itp_bytes_put_unsigned(content, 2);
	itp_bytes_put_text(content, "shade");
	itp_bytes_put_unsigned(content, WRITTEN_ARRAY);
	itp_bytes_put_text(content, "name");
	itp_bytes_put_unsigned(content, WRITTEN_TEXT);
	itp_bytes_put_text(content, "introperf:latency");
	itp_bytes_put_unsigned(content, 4);
	itp_bytes_put_text(content, "calls");
	itp_bytes_put_unsigned(content, WRITTEN_UNSIGNED);
	itp_bytes_put_text(content, "warmth");
	itp_bytes_put_unsigned(content, WRITTEN_SIGNED);
	itp_bytes_put_text(content, "latency_ns");
	itp_bytes_put_unsigned(content, WRITTEN_SIGNED);
	itp_bytes_put_text(content, "node");
	itp_bytes_put_unsigned(content, WRITTEN_UNSIGNED);
	put_section(file, SECTION_LAYOUTS, content);
	put_section(file, "NEWS", g_string_new("anything"));
	put_section(file, SECTION_PROFILE, profile_section());
	content = g_string_new(NULL);
	itp_bytes_put_unsigned(content, 0);
	itp_bytes_put_unsigned(content, 2);
	itp_bytes_put_unsigned(content, 11);
	itp_bytes_put_unsigned(content, 12);
	itp_bytes_put_text(content, "blue");
	itp_bytes_put_unsigned(content, 1);
	itp_bytes_put_unsigned(content, 1);
	itp_bytes_put_signed(content, -3);
	itp_bytes_put_signed(content, 1000);
	itp_bytes_put_unsigned(content, 0);
	put_section(file, SECTION_RECORDS, content);
	expect(file, NULL);
	file = header();
	itp_bytes_set_fixed(file, VERSION_OFFSET, 2, sizeof(uint32_t));
	expect(file, "a profile in version 2 of its format, and this program reads version 1");
}

/* One section of layouts that begins with `count` and goes on with `rest`. */
static GString *with_layouts(uint64_t count, const char *rest, size_t size)
{
	GString *file = header();
	GString *content = g_string_new(NULL);

	itp_bytes_put_unsigned(content, count);
	g_string_append_len(content, rest, (gssize)size);
	put_section(file, SECTION_LAYOUTS, content);
	return file;
}

static void test_layouts(void)
{
	static const char endless[] = "x\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
	static const char other_type[] = "introperf:latency\0\1node\0\2";
	static const char lacks[] = "introperf:latency\0\1node\0\0";
	static const char wide[] = "x\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
	GString *file;

	expect(with_layouts(UINT64_MAX, "", 0), "its layouts cannot be read");
	expect(with_layouts(1, endless, sizeof(endless) - 1), "a field of its layouts");
	expect(with_layouts(1, wide, sizeof(wide) - 1), "its layouts cannot be read");
	expect(with_layouts(1, other_type, sizeof(other_type) - 1),
	       "\"introperf:latency\" have another type of field \"node\"");
	expect(with_layouts(1, lacks, sizeof(lacks) - 1),
	       "\"introperf:latency\" lack the field \"latency_ns\"");
	file = with_layouts(0, "", 0);
	put_section(file, SECTION_LAYOUTS, g_string_new_len("\0", 1));
	expect(file, "two sections of layouts");
}

/* The layouts of this program, a profile, and one record of type `number` in the file with numbers,
 * ended by a negative one. */
static GString *with_record(uint64_t number, const int *numbers)
{
	GString *file = itp_profile_file_begin();
	GString *content = g_string_new(NULL);

	itp_bytes_put_unsigned(content, number);
	for (; *numbers >= 0; numbers++) {
		itp_bytes_put_unsigned(content, (uint64_t)*numbers);
	}
	put_section(file, SECTION_PROFILE, profile_section());
	put_section(file, SECTION_RECORDS, content);
	return file;
}

static void test_records(void)
{
	/* Numbers of layouts: function, node, workload, waker, slowest, latency. */
	static const int unknown_node[] = { 5, 2, 1, -1 };
	static const int own_parent[] = { 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
					  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1 };
	static const int wrong_label[] = { 1, 'f', 0, 'm', 0, 0, 9, 0, 0, 0, 0, 0, -1 };
	static const int nothing[] = { -1 };
	GString *file;

	expect(with_record(5, unknown_node), "node 5 is used but was not introduced");
	expect(with_record(1, own_parent),
	       "field \"parent\" of a record \"introperf:node\" is not valid");
	expect(with_record(0, wrong_label),
	       "field \"layer\" of a record \"introperf:function\" is not valid");
	expect(with_record(5, nothing), "field \"node\" of a record \"introperf:latency\"");
	expect(with_record(99, nothing), "a record has no layout");
	file = header();
	put_section(file, SECTION_RECORDS, g_string_new("x"));
	expect(file, "records come before their layouts");
	file = header();
	put_section(file, SECTION_PROFILE, g_string_new("x"));
	expect(file, "the begin of a profile cannot be read");
	file = header();
	g_string_append(file, SECTION_PROFILE);
	itp_bytes_put_fixed(file, UINT64_MAX, sizeof(uint64_t));
	expect(file, "a section ends behind the file");
}

/* ---- Places ---- */

static void test_probe(void)
{
	g_autofree char *directory = g_dir_make_tmp("introperf-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, PATH, NULL);
	struct itp_workload_set *set = itp_workload_set_new();
	GString *file = file_of_scene(3, 4);
	GError *error = NULL;

	g_assert_false(itp_profile_file_probe(directory));
	g_assert_false(itp_profile_file_probe(path));
	g_file_set_contents(path, ITP_PROFILE_FILE_MAGIC, 5, NULL);
	g_assert_false(itp_profile_file_probe(path));
	g_file_set_contents(path, file->str, (gssize)file->len, NULL);
	g_assert_true(itp_profile_file_probe(path));
	g_assert_true(itp_profile_file_read(path, set, &error));
	g_assert_no_error(error);
	g_unlink(path);
	g_rmdir(directory);
	g_string_free(file, TRUE);
	itp_workload_set_free(set);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/profile file/a profile comes back as it was", test_round_trip);
	g_test_add_func("/profile file/several profiles in one", test_several);
	g_test_add_func("/profile file/cut at each byte", test_cut);
	g_test_add_func("/profile file/flipped bits at each byte", test_flipped);
	g_test_add_func("/profile file/files of later programs", test_later);
	g_test_add_func("/profile file/layouts that lie", test_layouts);
	g_test_add_func("/profile file/records that lie", test_records);
	g_test_add_func("/profile file/recognised by its first bytes", test_probe);
	return g_test_run();
}
