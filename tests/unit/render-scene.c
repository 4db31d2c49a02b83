/* SPDX-License-Identifier: MIT */
/*
 * See render-scene.h.
 */
#include "tests/unit/render-scene.h"

#include "common/rank/held-up.h"
#include "common/rank/path.h"

#include <math.h>
#include <string.h>

static struct itp_profile *profile_new(const char *name)
{
	struct itp_profile *profile = itp_profile_new(name);

	profile->workload.counts = (struct itp_infer_counts){
		.begin_ns = 5 * S,
		.end_ns = 17 * S,
		.threads = 4,
		.events = 122408,
		.stacks = 61204,
	};
	profile->workload.complete = true;
	g_free(profile->workload.options);
	profile->workload.options =
		g_strdup("continuity=call-site group-by=process estimate=conservative");
	return profile;
}

struct scene *scene_new(const char *base, const char *suspect)
{
	struct scene *scene = g_new0(struct scene, 1);

	scene->functions = itp_function_table_new();
	scene->tree = itp_context_tree_new();
	scene->base = base == NULL ? NULL : profile_new(base);
	scene->suspect = profile_new(suspect);
	scene->stats = g_ptr_array_new_with_free_func(g_free);
	scene->ranking = (struct itp_ranking){
		.paths = g_array_new(FALSE, TRUE, sizeof(struct itp_ranked_path)),
		.rows = g_array_new(FALSE, TRUE, sizeof(struct itp_ranked_row)),
		.idle = g_array_new(FALSE, TRUE, sizeof(struct itp_idle_wait)),
		.takers = g_array_new(FALSE, TRUE, sizeof(struct itp_waker)),
		.suspect_units = 1,
		.amount = 1,
		.suspect_runs = 1,
		.base_units = base == NULL ? 0 : 1,
		.base_runs = base == NULL ? 0 : 1,
		.spread = base == NULL ? 0 : 0.03,
		.visible = base == NULL ? 0 : 0.12,
		.visible_with_more = base == NULL ? 0 : 0.07,
		.suspect = scene->suspect,
		.base = scene->base,
		.functions = scene->functions,
		.tree = scene->tree,
	};
	g_array_set_clear_func(scene->ranking.paths, itp_ranked_path_clear);
	return scene;
}

void scene_free(struct scene *scene)
{
	g_array_unref(scene->ranking.paths);
	g_array_unref(scene->ranking.rows);
	g_array_unref(scene->ranking.idle);
	g_array_unref(scene->ranking.takers);
	itp_held_up_free(scene->ranking.held_up);
	g_ptr_array_unref(scene->stats);
	itp_profile_free(scene->base);
	itp_profile_free(scene->suspect);
	itp_context_tree_free(scene->tree);
	itp_function_table_free(scene->functions);
	g_free(scene);
}

static enum itp_layer layer_of(const char *module, const char *name)
{
	if (g_str_has_prefix(name, "syscall:")) {
		return ITP_LAYER_SYSCALL;
	}
	return strcmp(module, "[kernel]") == 0 ? ITP_LAYER_KERNEL : ITP_LAYER_USER;
}

static uint32_t intern(struct scene *scene, const char *module, const char *name,
		       enum itp_layer layer)
{
	const struct itp_function function = {
		.name = name,
		.module = module,
		.build_id = "",
		.layer = layer,
	};

	return itp_function_table_intern(scene->functions, &function);
}

uint32_t scene_function(struct scene *scene, const char *module, const char *name)
{
	return intern(scene, module, name, layer_of(module, name));
}

uint32_t scene_process(struct scene *scene, const char *name)
{
	return intern(scene, "", name, ITP_LAYER_PROCESS);
}

static const struct itp_node_stats *stats_new(struct scene *scene, uint64_t count, int64_t total_ns,
					      int64_t own_ns)
{
	struct itp_node_stats *made = g_new0(struct itp_node_stats, 1);

	made->count = count;
	made->max_count = count;
	made->counted_count = count;
	made->total_ns = total_ns;
	made->own_ns = own_ns;
	made->lower_ns = total_ns - total_ns / 100;
	made->upper_ns = total_ns + total_ns / 50;
	made->min_ns = count == 0 ? 0 : total_ns / (int64_t)count / 2;
	made->max_ns = count == 0 ? 0 : total_ns / (int64_t)count * 2;
	made->use.blocked_ns = total_ns;
	made->own_use.blocked_ns = own_ns;
	g_ptr_array_add(scene->stats, made);
	return made;
}

static void set_frame(struct scene *scene, struct itp_ranked_frame *frame, const struct spec *spec,
		      uint32_t parent)
{
	frame->function = scene_function(scene, spec->module, spec->name);
	frame->node = itp_context_tree_child(scene->tree, parent, frame->function);
	frame->suspect = stats_new(scene, spec->count, spec->total_ns, spec->own_ns);
	frame->value = spec->own_ns;
	if (scene->base != NULL) {
		frame->base =
			stats_new(scene, spec->base_count, spec->base_total_ns, spec->base_own_ns);
		frame->base_value = spec->base_own_ns;
	}
}

/* Ranks inside the path as the core gives them: by share of the cost, then from the root. */
static void set_ranks(struct itp_ranked_path *path)
{
	for (uint32_t i = 0; i < path->frame_count; i++) {
		int64_t cost = path->frames[i].value - path->frames[i].base_value;

		path->frames[i].rank = 1;
		for (uint32_t j = 0; j < path->frame_count; j++) {
			int64_t other = path->frames[j].value - path->frames[j].base_value;

			if (other > cost || (other == cost && j < i)) {
				path->frames[i].rank++;
			}
		}
	}
}

struct itp_ranked_path *scene_path(struct scene *scene, const char *process,
				   const struct spec *specs, size_t count, int32_t culprit)
{
	struct itp_ranked_path path = {
		.rank = scene->ranking.paths->len + 1,
		.frames = g_new0(struct itp_ranked_frame, count),
		.frame_count = (uint32_t)count,
		.culprit = culprit,
		.origin = -1,
		.process = scene_process(scene, process),
		.path_count = 1,
	};
	uint32_t parent = itp_context_tree_child(scene->tree, ITP_CONTEXT_ROOT, path.process);

	for (size_t i = 0; i < count; i++) {
		set_frame(scene, &path.frames[i], &specs[i], parent);
		parent = path.frames[i].node;
		path.suspect_value += path.frames[i].value;
		path.base_value += path.frames[i].base_value;
	}
	for (size_t role = 0; role < ITP_WAKER_ROLE_COUNT; role++) {
		path.waited_for[role] = g_array_new(FALSE, TRUE, sizeof(struct itp_waker));
	}
	path.started = g_array_new(FALSE, FALSE, sizeof(struct itp_started));
	path.cost = path.suspect_value - path.base_value;
	path.ranked_value = path.cost;
	path.path_cost = path.cost;
	path.delta.slower_calls_ns = path.cost;
	path.delta.use.blocked_ns = path.cost;
	set_ranks(&path);
	scene->ranking.suspect_own_ns += path.suspect_value;
	scene->ranking.base_own_ns += path.base_value;
	g_array_append_val(scene->ranking.paths, path);
	scene->ranking.entry_count++;
	scene->ranking.significant_count++;
	scene->ranking.path_count = 41;
	return &g_array_index(scene->ranking.paths, struct itp_ranked_path,
			      scene->ranking.paths->len - 1);
}

static struct itp_ranked_path *last_path(struct scene *scene)
{
	return &g_array_index(scene->ranking.paths, struct itp_ranked_path,
			      scene->ranking.paths->len - 1);
}

static enum itp_verdict verdict_of(double score)
{
	if (fabs(score) < 3) {
		return ITP_VERDICT_CHANCE;
	}
	return fabs(score) < 5 ? ITP_VERDICT_LIKELY : ITP_VERDICT_SURE;
}

/* As if there were 41 samples, and runs differed by 3 %. */
static void doubt(struct itp_significance *significance, double cost_ns)
{
	double error_ns = fabs(cost_ns / significance->score);
	bool is_chance = itp_significance_is_chance(significance);

	significance->measurement_ns = error_ns * (is_chance ? 0.8 : 0.6);
	significance->runs_ns = error_ns * (is_chance ? 0.6 : 0.8);
	significance->spread = 0.03;
	significance->probability = erfc(fabs(significance->score) / sqrt(2));
	significance->samples = 41;
	significance->base_samples = 12;
	significance->doubt = is_chance ? ITP_DOUBT_ABOUT_SAMPLES : ITP_DOUBT_ABOUT_RUNS;
}

void scene_fold(struct scene *scene, uint32_t paths, double score)
{
	struct itp_ranked_path *path = last_path(scene);
	const struct itp_ranked_frame *face =
		&path->frames[path->culprit < 0 ? path->frame_count - 1 : (uint32_t)path->culprit];

	scene->ranking.options.folds = true;
	path->variants = g_new0(struct itp_variant, 1);
	path->variants[0] = (struct itp_variant){
		.node = face->node,
		.suspect_ns = path->suspect_value,
		.base_ns = path->base_value,
	};
	path->variant_count = 1;
	path->path_count = paths;
	path->suspect_calls = face->suspect->count;
	path->base_calls = face->base ? face->base->count : 0;
	path->significance = (struct itp_significance){
		.effect = path->base_value ? (double)path->cost / (double)path->base_value :
					     INFINITY,
		.score = score,
		.verdict = scene->base ? verdict_of(score) : ITP_VERDICT_NONE,
	};
	if (scene->base) {
		doubt(&path->significance, (double)path->cost);
	}
	scene->ranking.significant_count -= itp_significance_is_chance(&path->significance);
	scene->ranking.sure_count += path->significance.verdict == ITP_VERDICT_SURE;
}

void scene_variant(struct scene *scene, const char *const *names)
{
	struct itp_ranked_path *path = last_path(scene);
	uint32_t node = itp_context_tree_child(scene->tree, ITP_CONTEXT_ROOT, path->process);
	struct itp_variant *variant;

	for (size_t i = 0; names[i]; i++) {
		node = itp_context_tree_child(
			scene->tree, node,
			scene_function(
				scene,
				itp_function_table_get(scene->functions, path->process)->name,
				names[i]));
	}
	path->variants = g_renew(struct itp_variant, path->variants, path->variant_count + 1);
	variant = &path->variants[path->variant_count++];
	*variant = (struct itp_variant){ .node = node, .suspect_ns = 2 * MS, .base_ns = MS };
}

void scene_idle(struct scene *scene, const char *process, const char *syscall, int64_t base_ns,
		int64_t suspect_ns)
{
	const struct itp_idle_wait wait = {
		.process = scene_process(scene, process),
		.function = scene_function(scene, process, "wait_for_work"),
		.syscall = scene_function(scene, "[syscall]", syscall),
		.suspect_ns = suspect_ns,
		.base_ns = base_ns,
	};

	g_array_append_val(scene->ranking.idle, wait);
}

/* ---- Scenes ---- */

const struct spec scene_gzip[GZIP_FRAMES] = {
	{ "nginx", "_start", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "libc.so.6", "__libc_start_main", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "nginx", "main", 1, 12 * S, 20 * MS, 1, 12 * S, 20 * MS },
	{ "nginx", "ngx_master_process_cycle", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "nginx", "ngx_worker_process_cycle", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "nginx", "ngx_process_events_and_timers", 4012, 11 * S, 0, 1377, 12 * S, 0 },
	{ "nginx", "ngx_http_handler", 4012, 410 * MS, 90 * MS, 1377, 9930 * MS, 30 * MS },
	{ "nginx", "ngx_http_copy_filter", 4012, 310 * MS, 10 * MS, 1377, 9880 * MS, 10 * MS },
	{ "nginx", "ngx_http_gzip_body_filter", 4012, 300 * MS, 0, 1377, 9870 * MS, 20 * MS },
	{ "libc.so.6", "nanosleep", 0, 0, 0, 1377, 9520 * MS, 0 },
	{ "[kernel]", "syscall:clock_nanosleep", 0, 0, 0, 1377, 9520 * MS, 10 * MS },
	{ "[kernel]", "do_nanosleep", 0, 0, 0, 1377, 9510 * MS, 0 },
	{ "[kernel]", "schedule", 0, 0, 0, 1377, 9510 * MS, 9510 * MS },
};

const struct spec scene_read[READ_FRAMES] = {
	{ "nginx", "main", 1, 12 * S, 0, 1, 12 * S, 0 },
	{ "libc.so.6", "read", 4012, 410 * MS, 100 * MS, 16048, 1640 * MS, 400 * MS },
};

static const struct spec scan_path[] = {
	{ "redis-server",
	  "engine::Function_handler<void (std::string const&), "
	  "engine::Keyspace::scan(engine::Cursor&)::{lambda(std::string const&)#1}>::invoke",
	  40, 4 * MS, 4 * MS, 40, 1004 * MS, 1004 * MS },
};

/* `path` waited for a function of redis-server. */
static void scene_wait(struct scene *scene, struct itp_ranked_path *path, enum itp_waker_role role,
		       const char *function, int64_t blocked_ns)
{
	const struct itp_waker waker = {
		.role = role,
		.process = scene_process(scene, "redis-server"),
		.function = scene_function(scene, "redis-server", function),
		.count = 1200,
		.blocked_ns = blocked_ns,
	};

	g_array_append_val(path->waited_for[role], waker);
}

static void scene_start(struct scene *scene, struct itp_ranked_path *path, const char *program,
			uint64_t count, uint64_t base_count, int64_t cost_ns)
{
	const struct itp_started started = {
		.process = scene_process(scene, program),
		.count = count,
		.base_count = base_count,
		.cost = cost_ns,
	};

	g_array_append_val(path->started, started);
}

struct scene *scene_comparison(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_ranked_path *path;

	scene->suspect->workload.counts.broken_stacks = 122;
	path = scene_path(scene, "nginx", scene_gzip, GZIP_FRAMES, GZIP_CULPRIT);
	path->novelty = ITP_NOVELTY_NEW;
	path->syscall = scene_function(scene, "[kernel]", "syscall:clock_nanosleep");
	path->cost_function = scene_function(scene, "[kernel]", "schedule");
	scene_fold(scene, 12, 31.5);
	scene_wait(scene, path, ITP_WAKER_WOKE, "reply", 9 * S);
	scene_wait(scene, path, ITP_WAKER_WOKE, "reply", S);
	scene_wait(scene, path, ITP_WAKER_RAN, "scan", 8 * S);
	scene_wait(scene, path, ITP_WAKER_RAN, "reply", 2 * S);
	scene_wait(scene, path, ITP_WAKER_KEPT, "serve", 10 * S);
	path = scene_path(scene, "redis-server", scan_path, G_N_ELEMENTS(scan_path), 0);
	path->delta.use = (struct itp_time_use){ .cpu_ns = path->cost };
	scene_fold(scene, 1, 8);
	path = scene_path(scene, "nginx", scene_read, READ_FRAMES, -1);
	path->delta = (struct itp_delta){ .more_calls_ns = path->cost };
	scene_start(scene, path, "gzip", 1200, 1, 3 * path->cost / 4);
	scene_start(scene, path, "sh", 1200, 0, path->cost / 8);
	scene_fold(scene, 2, 4.25);
	scene_idle(scene, "nginx", "syscall:epoll_wait", 2100 * MS, 10900 * MS);
	scene_idle(scene, "redis-server", "syscall:futex", 5 * S, 4 * S);
	return scene;
}

struct scene *scene_single(void)
{
	struct scene *scene = scene_new(NULL, "slow.data");
	struct itp_ranked_path *path;

	path = scene_path(scene, "nginx", scene_gzip, GZIP_FRAMES, GZIP_CULPRIT);
	path->syscall = scene_function(scene, "[kernel]", "syscall:clock_nanosleep");
	scene_fold(scene, 1, 0);
	path = scene_path(scene, "nginx", scene_read, READ_FRAMES, -1);
	path->delta.use = (struct itp_time_use){ .runnable_ns = path->cost };
	scene_idle(scene, "nginx", "syscall:epoll_wait", 0, 10900 * MS);
	scene->ranking.path_count = 2;
	return scene;
}

struct scene *scene_incomplete(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");

	scene->base->workload.complete = false;
	scene->base->workload.counts.cut = true;
	scene->suspect->workload.complete = false;
	scene->suspect->workload.counts.losses = 3;
	scene->suspect->workload.counts.lost_events = 12;
	scene->suspect->workload.counts.broken_stacks = 122;
	scene_path(scene, "nginx", scene_read, READ_FRAMES, 1);
	return scene;
}

struct scene *scene_poor(void)
{
	const struct itp_function java = { .name = "Shop", .module = "libjvm.so" };
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_infer_counts *base = &scene->base->workload.counts;
	struct itp_infer_counts *suspect = &scene->suspect->workload.counts;

	base->broken_stacks = 1897;
	base->deep_stacks = 1775;
	base->unwind_failures = 122;
	base->found_by[ITP_FOUND_BY_RULE] = 60000;
	base->found_by[ITP_FOUND_BY_EXPRESSION] = 1200;
	base->found_by[ITP_FOUND_BY_FRAME_POINTER] = 4;
	suspect->broken_stacks = 3000;
	suspect->deep_stacks = 100;
	suspect->unwind_failures = 2000;
	suspect->found_by[ITP_FOUND_BY_RECORDER] = 61204;
	suspect->unfollowed_stacks = 700;
	scene->ranking.base_calls = (struct itp_call_counts){ .calls = 1000, .unnamed = 49 };
	scene->ranking.suspect_calls = (struct itp_call_counts){ .calls = 1000, .unnamed = 312 };
	itp_machine_code_add(&scene->ranking.base_calls.made, &java, 1);
	scene->ranking.base_calls.made.unnamed = 30;
	scene_path(scene, "nginx", scene_read, READ_FRAMES, 1);
	return scene;
}

/* Its own numbers: calls and latency in both. */
static void add_change(struct scene *scene, const char *name, uint64_t base_count, int64_t base_ns,
		       uint64_t count, int64_t ns, double score)
{
	const struct spec specs[] = {
		{ "shop", "main", 1, 9 * S, 0, 1, 9 * S, 0 },
		{ "libshop-plugin.so", name, base_count, base_ns, base_ns, count, ns, ns },
	};
	struct itp_ranked_path *path = scene_path(scene, "shop", specs, G_N_ELEMENTS(specs), 1);

	path->delta.use = (struct itp_time_use){ .cpu_ns = path->cost };
	path->cost_function = scene_function(scene, "libz.so.1", "deflate");
	scene_fold(scene, 1, score);
}

struct scene *scene_changes(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	uint32_t root =
		itp_context_tree_child(scene->tree, ITP_CONTEXT_ROOT, scene_process(scene, "shop"));
	uint32_t old =
		itp_context_tree_child(scene->tree, root, scene_function(scene, "shop", "start"));

	add_change(scene, "moved", 10, S, 10, 1500 * MS, 6);
	last_path(scene)->novelty = ITP_NOVELTY_MOVED;
	last_path(scene)->moved_from = itp_context_tree_child(
		scene->tree, old, scene_function(scene, "libshop-plugin.so", "moved"));
	add_change(scene, "gone", 10, 4 * S, 0, 0, -12);
	last_path(scene)->novelty = ITP_NOVELTY_VANISHED;
	add_change(scene, "cheaper", 10, S, 10, 500 * MS, -5);
	add_change(scene, "rare", 1, 0, 1, 300 * MS, 4);
	last_path(scene)->is_rare = true;
	for (int i = 0; i < 3; i++) {
		add_change(scene, "chance", 10, S, 11, S + (3 - i) * MS, 0.1);
	}
	scene->ranking.options.min_count = 5;
	return scene;
}

static void add_row(struct scene *scene, const char *module, const char *name, int64_t base_ns,
		    int64_t own_ns)
{
	const struct itp_ranked_row row = {
		.rank = scene->ranking.rows->len + 1,
		.function = scene_function(scene, module, name),
		.process = scene_process(scene, "nginx"),
		/* All processes wait in the kernel. */
		.process_count = strcmp(module, "[kernel]") == 0 ? 3 : 1,
		.own_ns = own_ns,
		.base_own_ns = base_ns,
		.ranked_value = own_ns - base_ns,
		.total_ns = own_ns + S,
		.base_total_ns = base_ns + S,
		.count = 1377,
		.base_count = base_ns > 0 ? 4012 : 0,
		.use = { .cpu_ns = own_ns },
		.base_use = { .cpu_ns = base_ns },
	};

	scene->ranking.suspect_own_ns += own_ns;
	scene->ranking.base_own_ns += base_ns;
	g_array_append_val(scene->ranking.rows, row);
}

struct scene *scene_functions(enum itp_rank_by by)
{
	struct scene *scene = scene_new("good.data", "slow.data");

	scene->ranking.options.by = by;
	add_row(scene, "libz.so.1", "deflate", 2 * S, 9 * S);
	add_row(scene, "nginx", "ngx_http_gzip_body_filter", 0, 500 * MS);
	add_row(scene, "[kernel]", "schedule", S, 900 * MS);
	scene->ranking.entry_count = 12;
	scene->ranking.significant_count = 12;
	return scene;
}

static void add_process(struct scene *scene, const char *name, struct itp_time_use base,
			struct itp_time_use use)
{
	const int64_t base_ns = base.cpu_ns + base.runnable_ns + base.blocked_ns;
	const int64_t own_ns = use.cpu_ns + use.runnable_ns + use.blocked_ns;
	const uint32_t process = scene_process(scene, name);
	const struct itp_ranked_row row = {
		.rank = scene->ranking.rows->len + 1,
		.function = process,
		.process = process,
		.process_count = 1,
		.own_ns = own_ns,
		.base_own_ns = base_ns,
		.ranked_value = own_ns - base_ns,
		.total_ns = own_ns,
		.base_total_ns = base_ns,
		.count = 4,
		.base_count = 4,
		.use = use,
		.base_use = base,
	};

	scene->ranking.suspect_own_ns += own_ns;
	scene->ranking.base_own_ns += base_ns;
	g_array_append_val(scene->ranking.rows, row);
}

struct scene *scene_processes(bool is_single)
{
	const struct itp_time_use none = { 0 };
	const struct itp_time_use busy = { .cpu_ns = 2 * S, .blocked_ns = S };
	const struct itp_time_use idle = { .cpu_ns = 90 * MS, .blocked_ns = 400 * MS };
	struct scene *scene = scene_new(is_single ? NULL : "good.data", "slow.data");

	scene->ranking.options.by = ITP_RANK_BY_PROCESS;
	add_process(scene, "postgres", is_single ? none : busy,
		    (struct itp_time_use){
			    .cpu_ns = 2100 * MS, .runnable_ns = 300 * MS, .blocked_ns = 4 * S });
	add_process(scene, "nginx", is_single ? none : idle, idle);
	scene->ranking.entry_count = 2;
	scene->ranking.significant_count = 2;
	return scene;
}

static GArray *shares_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct itp_held_share));
}

static void add_share(GArray *shares, const char *name, uint32_t threads, int64_t held_ns)
{
	const struct itp_held_share share = { .name = g_strdup(name),
					      .threads = threads,
					      .held_ns = held_ns };

	g_array_append_val(shares, share);
}

static void clear_held_row(gpointer data)
{
	struct itp_held_row *row = data;
	GArray *const lists[] = { row->reasons, row->holders, row->held_in };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		for (guint share = 0; share < lists[i]->len; share++) {
			g_free(g_array_index(lists[i], struct itp_held_share, share).name);
		}
		g_array_unref(lists[i]);
	}
}

/* The row is valid until the next one. */
static struct itp_held_row *add_held_row(struct scene *scene, const char *module, const char *name,
					 int64_t held_ns, int64_t wait_ns)
{
	GArray *rows = scene->ranking.held_up->rows;
	const struct itp_held_row row = { .rank = rows->len + 1,
					  .function = scene_function(scene, module, name),
					  .held_ns = held_ns,
					  .base_held_ns = held_ns / 8,
					  .held_threads = held_ns > 0 ? 4 : 0,
					  .base_held_threads = held_ns > 0 ? 4 : 0,
					  .wait_ns = wait_ns,
					  .base_wait_ns = wait_ns,
					  .reasons = shares_new(),
					  .holders = shares_new(),
					  .held_in = shares_new() };

	g_array_append_val(rows, row);
	return &g_array_index(rows, struct itp_held_row, rows->len - 1);
}

static void clear_held_vertex(gpointer data)
{
	struct itp_held_vertex *vertex = data;

	g_free(vertex->process);
	g_free(vertex->name);
}

static void add_held_vertex(struct itp_held_up *held_up, enum itp_vertex_kind kind,
			    const char *name, uint32_t threads, uint32_t face)
{
	const struct itp_held_vertex vertex = {
		.kind = kind,
		.process = g_strdup(kind == ITP_VERTEX_THREADS ? "shop" : ""),
		.name = g_strdup(name),
		.threads = threads,
		.knot = 1,
		.held_ns = S,
		.face = face,
	};

	g_array_append_val(held_up->vertices, vertex);
}

static struct itp_held_up *held_up_new(void)
{
	const struct itp_wait_knot knot = { .vertices = 2, .held_ns = 10 * S };
	const struct itp_wait_for edge = { .from = 1, .to = 0, .wait_ns = 8 * S };
	struct itp_held_up *held_up = g_new0(struct itp_held_up, 1);

	held_up->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_held_row));
	g_array_set_clear_func(held_up->rows, clear_held_row);
	held_up->vertices = g_array_new(FALSE, FALSE, sizeof(struct itp_held_vertex));
	g_array_set_clear_func(held_up->vertices, clear_held_vertex);
	held_up->edges = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_for));
	held_up->knots = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_knot));
	g_array_append_val(held_up->edges, edge);
	g_array_append_val(held_up->knots, knot);
	held_up->held_ns = 9 * S;
	held_up->base_held_ns = S;
	return held_up;
}

struct scene *scene_waits(void)
{
	struct scene *scene = scene_new("good.data", "slow.data");
	struct itp_held_up *held_up = held_up_new();
	struct itp_held_row *row;

	scene->ranking.options.by = ITP_RANK_BY_WAIT;
	scene->ranking.held_up = held_up;
	row = add_held_row(scene, "shop", "log_line", 8 * S, 5 * S);
	row->how_ns[ITP_HELD_KERNEL] = 7 * S;
	row->how_ns[ITP_HELD_RAN] = S;
	add_share(row->reasons, "kernel:disk", 0, 7 * S);
	add_share(row->holders, "worker", 4, 8 * S);
	add_share(row->held_in, "log_line", 0, 5 * S);
	add_share(row->held_in, "audit", 0, 3 * S);
	add_held_vertex(held_up, ITP_VERTEX_KERNEL, "kernel:disk", 1, row->function);
	add_held_vertex(held_up, ITP_VERTEX_THREADS, "worker", 4, row->function);
	row = add_held_row(scene, "libshop.so.1", "index::rebuild(std::vector<int> const&)", S, 0);
	row->how_ns[ITP_HELD_RAN] = S / 4;
	row->how_ns[ITP_HELD_WAITED] = row->passed_ns = 3 * S / 4;
	add_share(row->holders, "main", 1, S);
	add_held_row(scene, "shop", "compact", 0, 11 * S);
	scene->ranking.entry_count = held_up->row_count = 12;
	return scene;
}

struct scene *scene_hostile(void)
{
	g_autofree char *endless = g_strnfill(70000, 'n');
	const struct spec specs[HOSTILE_FRAMES] = {
		{ "a,\"b\".so", "say \"hi\", twice", 1, S, 0, 1, S, 0 },
		{ "new\nline.so", "line\r\nbreak\x1b[2J", 1, S, 0, 1, S, 0 },
		{ "\xff\xfe.so", "bytes \xc3\x28 here", 1, S, 0, 1, 2 * S, S },
		{ "", "", 1, S, 0, 1, S, 0 },
		{ "漢字.so", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", 1, 1, 1, 1, 2, 2 },
		{ "long.so", endless, 1, 1, 1, 1, INT64_MAX / 64, INT64_MAX / 64 },
	};
	struct scene *scene = scene_new("the good, \"old\"\n\xff run with a very long name.data",
					"the slow, \"new\"\n\xff run with a very long name.data");

	for (int32_t culprit = -1; culprit < (int32_t)G_N_ELEMENTS(specs); culprit++) {
		scene_path(scene, "pro\ncess, \"x\"\xff", specs, G_N_ELEMENTS(specs), culprit);
	}
	scene_path(scene, "no frames", specs, 0, -1);
	return scene;
}

/* ---- Outputs ---- */

static const struct {
	int parent;
	const char *name;
	enum itp_layer layer;
	int64_t own_ms;
	int64_t base_own_ms;
} server_nodes[SERVER_NODES] = {
	[SERVER_PROCESS] = { -1, "server", ITP_LAYER_PROCESS, 0, 0 },
	[SERVER_MAIN] = { SERVER_PROCESS, "main", ITP_LAYER_USER, 1, 1 },
	[SERVER_HANDLE] = { SERVER_MAIN, "handle", ITP_LAYER_USER, 100, 90 },
	[SERVER_READ] = { SERVER_HANDLE, "read_all", ITP_LAYER_USER, 200, 200 },
	[SERVER_SLEEP] = { SERVER_HANDLE, "sleepy", ITP_LAYER_USER, 0, 0 },
	[SERVER_KERNEL] = { SERVER_SLEEP, "do_sleep", ITP_LAYER_KERNEL, 0, 0 },
	[SERVER_SCHEDULE] = { SERVER_KERNEL, "schedule", ITP_LAYER_KERNEL, 700, 0 },
	[SERVER_LOG] = { SERVER_MAIN, "log_line", ITP_LAYER_USER, 9, 9 },
	[SERVER_WRITE] = { SERVER_LOG, "write_line", ITP_LAYER_USER, 40, 60 },
};

void scene_annotate(struct itp_profile *profile, uint32_t node, int64_t own_ms)
{
	struct itp_node_stats *stats = itp_profile_node(profile, node);

	stats->count = 2;
	stats->own_ns = own_ms * MS;
}

struct scene *scene_server(const char *base, uint32_t ids[SERVER_NODES])
{
	struct scene *scene = scene_new(base, "slow.data");

	for (int i = 0; i < SERVER_NODES; i++) {
		uint32_t function = scene_function(scene, "server", server_nodes[i].name);

		((struct itp_function *)itp_function_table_get(scene->functions, function))->layer =
			server_nodes[i].layer;
		ids[i] = itp_context_tree_child(scene->tree,
						i == SERVER_PROCESS ? ITP_CONTEXT_ROOT :
								      ids[server_nodes[i].parent],
						function);
		scene_annotate(scene->suspect, ids[i], server_nodes[i].own_ms);
		scene->ranking.suspect_own_ns += server_nodes[i].own_ms * MS;
		if (base) {
			scene_annotate(scene->base, ids[i], server_nodes[i].base_own_ms);
			scene->ranking.base_own_ns += server_nodes[i].base_own_ms * MS;
		}
	}
	return scene;
}

char *scene_rendered(const struct scene *scene, enum itp_format format, unsigned int width,
		     bool incomplete)
{
	const struct itp_render_options options = {
		.format = format,
		.width = width,
		.incomplete = incomplete,
		.verbose = true,
	};
	GString *output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	return g_string_free(output, FALSE);
}

void scene_check_output(const char *output, const char *name)
{
	const char *source = g_getenv("ITP_SOURCE_DIR");
	g_autofree char *path = g_build_filename(source == NULL ? "." : source, "tests", "unit",
						 "render", name, NULL);
	g_autofree char *expected = NULL;

	if (g_getenv("ITP_REWRITE_EXPECTED") != NULL) {
		g_assert_true(g_file_set_contents(path, output, -1, NULL));
		return;
	}
	g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
	g_assert_cmpstr(output, ==, expected);
}

char *scene_brief(const struct scene *scene)
{
	const struct itp_render_options options = { .width = 80, .has_options = true };
	GString *output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	return g_string_free(output, FALSE);
}

void scene_check_brief(struct scene *scene, const char *name)
{
	g_autofree char *output = scene_brief(scene);

	scene_check_output(output, name);
	scene_free(scene);
}

void scene_check(struct scene *scene, enum itp_format format, unsigned int width, const char *name)
{
	g_autofree char *output = scene_rendered(scene, format, width, false);

	scene_check_output(output, name);
	scene_free(scene);
}
