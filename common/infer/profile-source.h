/* SPDX-License-Identifier: MIT */
/*
 * Finished profile with its contexts, on its way to where profiles meet: into messages, or into the
 * workloads of a comparison.
 */
#ifndef ITP_INFER_PROFILE_SOURCE_H
#define ITP_INFER_PROFILE_SOURCE_H

#include <stdbool.h>

#include "common/infer/profile.h"

/* All weak. */
struct itp_profile_source {
	const struct itp_profile *profile;
	const struct itp_function_table *functions;
	/* The root included. */
	uint32_t node_count;
	/* Parent and function of a node that is not the root. */
	void (*get_context)(const void *contexts, uint32_t node, uint32_t *ret_parent,
			    uint32_t *ret_function);
	const void *contexts;
	/* Number of the profile's period, from 1 on; 0 without periods. */
	uint64_t period;
};

/* Fact of a recording: its path, as given. */
#define ITP_INPUT_ENTRY "introperf_input"

/* Receiver of a fact of a recording about itself; `text` may be NULL. False ends the telling. */
typedef bool itp_fact_func(const char *name, const char *text, void *data);

/* A profile in memory; everything is weak. */
struct itp_memory_profile {
	/* Path of its input, as given, and uname -m of the machine, or NULL. */
	const char *input_path;
	const char *architecture;
	/* Clock of the profile's times: whether they are times of day, and their distance from the
	 * recording's. */
	struct itp_clock clock;
	/* Name of the profile when it is saved; facts of its recording. */
	const char *name;
	bool (*tell_facts)(const void *data, itp_fact_func *tell, void *tell_data);
	/* Frees the data behind `source`. */
	void (*forget)(void *data);
	/* For both. */
	void *data;
	struct itp_profile_source source;
};

/* By node: whether it, or a node below it, has anything to tell. Owned by the caller. */
bool *itp_profile_source_used(const struct itp_profile_source *source);

/* Function `id` for others: the place of its file on this machine is no business of a profile. Its
 * strings are the table's. */
struct itp_function itp_profile_source_function(const struct itp_profile_source *source,
						uint32_t id);

#endif
