/* SPDX-License-Identifier: MIT */
/*
 * Profile of a trace, made from the messages of filter.introperf.infer: functions and contexts
 * under their ids, and the instances, which are summed.
 */
#ifndef ITP_FILTERS_NORMALIZE_BUILDER_H
#define ITP_FILTERS_NORMALIZE_BUILDER_H

#include "common/infer/options.h"
#include "common/infer/profile-source.h"
#include "common/schema/id-map.h"
#include "messages/coding.h"

/* Builder, to be read, and changed only by the functions below. All owned by this. */
struct itp_profile_builder {
	struct itp_function_table *functions;
	/* Ids of the trace's functions as those of `functions`. */
	struct itp_id_map *function_ids;
	/* struct itp_context_record with functions of `functions`, by node id. Node 0 is the root.
	 */
	GArray *contexts;
	struct itp_profile *profile;
	/* Ids of the trace's types of units as numbers of the profile's. */
	struct itp_id_map *unit_ids;
	struct itp_normalizer *normalizer;
};

/* `name` is the workload's, and the begin of errors. */
struct itp_profile_builder *itp_profile_builder_new(const char *name,
						    const struct itp_normalize_options *options);
void itp_profile_builder_free(struct itp_profile_builder *builder);

/* Takes records of the profile: functions, contexts, instances that ended or go on, shares, wakers,
 * units; other records are none of it. */
bool itp_profile_builder_take(struct itp_profile_builder *builder, const struct itp_record *record,
			      GError **error);

/* Sums until now, with the number of the period or 0; weak. */
struct itp_profile_source itp_profile_builder_source(struct itp_profile_builder *builder,
						     uint64_t period);

/* Goes on with an empty profile. */
void itp_profile_builder_restart(struct itp_profile_builder *builder);

#endif
