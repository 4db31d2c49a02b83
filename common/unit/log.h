/* SPDX-License-Identifier: MIT */
/*
 * The units of a recording, each with its type, for those who ask about single ones.
 */
#ifndef ITP_UNIT_LOG_H
#define ITP_UNIT_LOG_H

#include "common/unit/finder.h"
#include "common/unit/profiles.h"
#include "common/unit/types.h"

struct itp_logged_unit {
	int32_t pid;
	int32_t tid;
	/* The place of its type, as itp_unit_types_find() has them. */
	guint type;
	int64_t begin_ns;
	int64_t end_ns;
};

struct itp_unit_log;

/* Units that take `longer_ns` or less have a type, but are not kept. The rest is weak. */
struct itp_unit_log *itp_unit_log_new(const struct itp_context_tree *tree,
				      const struct itp_function_table *functions,
				      int64_t longer_ns);
void itp_unit_log_free(struct itp_unit_log *log);

/* Before the first call, for guards: units last as these see them (finder.h), and profiles of them
 * are kept as well; and these, after itp_unit_log_finish(), by the groups of its types; NULL where
 * they are not kept, or could not be made. Weak. */
void itp_unit_log_keep_profiles(struct itp_unit_log *log);
const struct itp_unit_profiles *itp_unit_log_profiles(const struct itp_unit_log *log);

/* As in finder.h. */
void itp_unit_log_add(struct itp_unit_log *log, const struct itp_instance *instance);
void itp_unit_log_add_unplaced(struct itp_unit_log *log, const struct itp_instance *call,
			       uint32_t function);
void itp_unit_log_add_stretch(struct itp_unit_log *log, const struct itp_stretch *stretch);

/* There are no more. Types are those of `cut`; to be called once, before what follows. */
void itp_unit_log_finish(struct itp_unit_log *log, double cut);

/* Who has found them; after itp_unit_log_finish(). Weak. */
const struct itp_unit_finder *itp_unit_log_finder(const struct itp_unit_log *log);

/* struct itp_logged_unit, those of a thread in the order of time; and all types. Weak. */
const GArray *itp_unit_log_units(const struct itp_unit_log *log);
struct itp_unit_types *itp_unit_log_types(const struct itp_unit_log *log);

/* The longest of the types that a user means who types `name`: a loop's function, or one that tells
 * a type from the others; NULL: of all types. That is one in `part` of each type, 0: all that are
 * kept. *ret_count: of how many units. struct itp_logged_unit; free with g_array_unref(). */
GArray *itp_unit_log_longest(const struct itp_unit_log *log, const char *name, guint part,
			     uint64_t *ret_count);

#endif
