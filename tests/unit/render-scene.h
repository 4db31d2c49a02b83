/* SPDX-License-Identifier: MIT */
/*
 * Rankings made by hand, for the tests of common/render. Expected outputs lie in render/ beside
 * this file; with ITP_REWRITE_EXPECTED set in the environment they are written instead of compared,
 * to be read before they are kept.
 */
#ifndef ITP_TESTS_UNIT_RENDER_SCENE_H
#define ITP_TESTS_UNIT_RENDER_SCENE_H

#include "common/render/formats/formats.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

/* A ranking in the making. */
struct scene {
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_profile *base;
	struct itp_profile *suspect;
	struct itp_ranking ranking;
	/* struct itp_node_stats * of all frames. */
	GPtrArray *stats;
};

/* One frame: latencies in both runs. */
struct spec {
	const char *module;
	const char *name;
	uint64_t base_count;
	int64_t base_total_ns;
	int64_t base_own_ns;
	uint64_t count;
	int64_t total_ns;
	int64_t own_ns;
};

/* nginx whose gzip filter sleeps (13 frames, culprit 8), which reads more often (2, no culprit),
 * and a scan of which each call is slower (1). */
#define GZIP_FRAMES 13
#define GZIP_CULPRIT 8
#define READ_FRAMES 2
extern const struct spec scene_gzip[GZIP_FRAMES];
extern const struct spec scene_read[READ_FRAMES];

/* A ranking without paths; `base` may be NULL. */
struct scene *scene_new(const char *base, const char *suspect);
void scene_free(struct scene *scene);

uint32_t scene_function(struct scene *scene, const char *module, const char *name);
uint32_t scene_process(struct scene *scene, const char *name);

/* Adds a path whose Δ is all "each call slower" and blocked, and which stands for itself. Valid
 * until the next one is added. */
struct itp_ranked_path *scene_path(struct scene *scene, const char *process,
				   const struct spec *specs, size_t count, int32_t culprit);

/* Makes the last path an entry that stands for `paths` paths with its culprit. */
void scene_fold(struct scene *scene, uint32_t paths, double score);

/* Adds to the last path, an entry, another context of its culprit: `names` from the root, ended by
 * NULL, in the program's file. */
void scene_variant(struct scene *scene, const char *const *names);

void scene_idle(struct scene *scene, const char *process, const char *syscall, int64_t base_ns,
		int64_t suspect_ns);

/* The scenes that several formats are tested with. */
struct scene *scene_comparison(void);
struct scene *scene_single(void);
struct scene *scene_incomplete(void);
/* Stacks that were copied, one side of them not deep enough, and a program without symbols. */
struct scene *scene_poor(void);
/* What got cheaper, what has moved, what may be chance and what is rare. */
struct scene *scene_changes(void);
/* by=function and by=module. */
struct scene *scene_functions(enum itp_rank_by by);
/* by=process; of one recording if `is_single`. */
struct scene *scene_processes(bool is_single);
/* by=wait. */
struct scene *scene_waits(void);
/* Nodes of a server: main calls handle, which reads and sleeps, and log, which writes. */
enum scene_server_node {
	SERVER_PROCESS,
	SERVER_MAIN,
	SERVER_HANDLE,
	SERVER_READ,
	SERVER_SLEEP,
	SERVER_KERNEL,
	SERVER_SCHEDULE,
	SERVER_LOG,
	SERVER_WRITE,
	SERVER_NODES,
};

/* It, without paths; `ids` gets the id of each node, `base` may be NULL. */
struct scene *scene_server(const char *base, uint32_t ids[SERVER_NODES]);
/* Two calls of a node, which have so much of their own. */
void scene_annotate(struct itp_profile *profile, uint32_t node, int64_t own_ms);

/* Everything that a traced machine may call things: 8 paths, one of them without frames. */
struct scene *scene_hostile(void);
#define HOSTILE_FRAMES 6

char *scene_rendered(const struct scene *scene, enum itp_format format, unsigned int width,
		     bool incomplete);

/* Compares with the file `name` in render/. */
void scene_check_output(const char *output, const char *name);

/* Text of 80 columns, for who has not asked for more. */
char *scene_brief(const struct scene *scene);
/* Renders the same, compares and frees. */
void scene_check_brief(struct scene *scene, const char *name);

/* Renders with all that there is to say, compares and frees. */
void scene_check(struct scene *scene, enum itp_format format, unsigned int width, const char *name);

#endif
