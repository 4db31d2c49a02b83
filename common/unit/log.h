/* SPDX-License-Identifier: MIT */
/*
 * Units of a recording, each with its type, for questions about single ones.
 */
#ifndef ITP_UNIT_LOG_H
#define ITP_UNIT_LOG_H

#include "common/unit/finder.h"
#include "common/unit/profiles.h"
#include "common/unit/types.h"

struct itp_logged_unit {
	int32_t pid;
	int32_t tid;
	/* Place of its type in itp_unit_types_find(). */
	guint type;
	int64_t begin_ns;
	int64_t end_ns;
};

struct itp_unit_log;

/* Units of at most `longer_ns` get a type, but are not kept. `tree` and `functions` are weak. */
struct itp_unit_log *itp_unit_log_new(const struct itp_context_tree *tree,
				      const struct itp_function_table *functions,
				      int64_t longer_ns);
void itp_unit_log_free(struct itp_unit_log *log);

/* For guards, to be called before the first call: units last as guards see them (finder.h), and
 * profiles of them are kept by the groups of the types, complete after itp_unit_log_finish(). NULL
 * when none are kept, or when they failed. Weak. */
void itp_unit_log_keep_profiles(struct itp_unit_log *log);
const struct itp_unit_profiles *itp_unit_log_profiles(const struct itp_unit_log *log);

/* Take calls, stretches and watched times as in finder.h. */
void itp_unit_log_add(struct itp_unit_log *log, const struct itp_instance *instance);
void itp_unit_log_add_unplaced(struct itp_unit_log *log, const struct itp_instance *call,
			       uint32_t function);
void itp_unit_log_add_stretch(struct itp_unit_log *log, const struct itp_stretch *stretch);
void itp_unit_log_watch(struct itp_unit_log *log, bool is_watched, int64_t time_ns);

/* Ends the input, and finds types by `cut`. To be called once, before the functions below. */
void itp_unit_log_finish(struct itp_unit_log *log, double cut);

/* Finder of the units; after itp_unit_log_finish(). Weak. */
const struct itp_unit_finder *itp_unit_log_finder(const struct itp_unit_log *log);

/* struct itp_logged_unit, units of a thread in the order of time; and all types. Weak. */
const GArray *itp_unit_log_units(const struct itp_unit_log *log);
struct itp_unit_types *itp_unit_log_types(const struct itp_unit_log *log);

/* Longest units of the types called `name` by a user: by a loop's function, or a function that
 * tells a type from others; NULL: of all types. One in `part` units of each type; 0: all kept
 * units. *ret_count: the number of all units of the types. struct itp_logged_unit; free with
 * g_array_unref(). */
GArray *itp_unit_log_longest(const struct itp_unit_log *log, const char *name, guint part,
			     uint64_t *ret_count);

#endif
