/* SPDX-License-Identifier: MIT */
/*
 * Fields of ranked results: a table for each kind of record, and its two layouts. CSV and JSON
 * lines are both made by walking a table, so a field of a record is a line of its table.
 *
 * A table is a macro of lines
 *
 *   X(key, column, value)    a member of JSON lines, a column of CSV, or both
 *   CSV(column, why, value)  a column alone, and why JSON lines lack it
 *
 * `value` is an expression of the function that walks the table, of any type of ITP_JSON_VALUE(),
 * evaluated only for a layout that has the field. A json_t * of NULL leaves the field out: no
 * member, an empty cell. A JSON null is an empty cell as well.
 */
#ifndef ITP_RENDER_RECORDS_FIELDS_H
#define ITP_RENDER_RECORDS_FIELDS_H

#include <jansson.h>

#include "common/rank/detail.h"
#include "common/rank/held-up.h"
#include "common/render/json.h"
#include "common/render/render.h"

enum itp_layout {
	ITP_LAYOUT_JSON,
	/* Flat: members are columns, also those of objects inside. */
	ITP_LAYOUT_CSV,
};

/* Names of a field. */
struct itp_field {
	/* Member in JSON lines, NULL for none. An underscore at its end stands for the unit of the
	 * metric: "cost_" is cost_ns, or cost_calls. */
	const char *key;
	/* Column of CSV, NULL for none. */
	const char *column;
	/* Reason of a column without a member. */
	const char *why;
};

struct itp_field_table {
	/* Kind of record: "path". */
	const char *name;
	const struct itp_field *fields;
	size_t count;
};

/* All tables with columns, ends with NULL. */
extern const struct itp_field_table *const itp_field_tables[];

/* Record in the making. */
struct itp_record {
	/* Weak; NULL where no value needs it. */
	const struct itp_ranking *ranking;
	enum itp_layout layout;
	/* Passed on to the caller. */
	json_t *object;
};

/* Name of a field in the record's layout, NULL for none. */
static inline const char *itp_record_name(const struct itp_record *record, const char *key,
					  const char *column)
{
	return record->layout == ITP_LAYOUT_CSV ? column : key;
}

/* Sets a field that the layout has. Takes the reference of `value`, which may be NULL. */
void itp_record_set(struct itp_record *record, const char *name, json_t *value);

/* Defines the names of FIELDS, a table, as itp_NAME_table. */
#define ITP_FIELD_NAMES(key, column, value) { key, column, NULL },
#define ITP_COLUMN_NAMES(column, why, value) { NULL, column, why },
#define ITP_FIELD_TABLE(NAME, FIELDS)                                                \
	static const struct itp_field NAME##_names[] = { FIELDS(ITP_FIELD_NAMES,     \
								ITP_COLUMN_NAMES) }; \
	const struct itp_field_table itp_##NAME##_table = { #NAME, NAME##_names,     \
							    G_N_ELEMENTS(NAME##_names) }

#define ITP_FIELD_SET(key, column, value)                                    \
	if (itp_record_name(record, key, column)) {                          \
		itp_record_set(record, itp_record_name(record, key, column), \
			       ITP_JSON_VALUE(value));                       \
	}
#define ITP_COLUMN_SET(column, why, value) ITP_FIELD_SET(NULL, column, value)

/* Record with the fields of a table, whose values see it as `record`. A new reference. */
#define ITP_RECORD(ranking, layout, FIELDS)                                          \
	({                                                                           \
		struct itp_record record[] = { { ranking, layout, json_object() } }; \
		FIELDS(ITP_FIELD_SET, ITP_COLUMN_SET)                                \
		record->object;                                                      \
	})

/* Body of a function: members of JSON lines for each element of an array. Values see the element as
 * a `const TYPE *NAME`. */
#define ITP_RECORD_LIST(ranking, array, TYPE, NAME, FIELDS)                                        \
	{                                                                                          \
		json_t *list = json_array();                                                       \
		for (guint i = 0; i < (array)->len; i++) {                                         \
			const TYPE *NAME = &g_array_index(array, TYPE, i);                         \
			json_array_append_new(list, ITP_RECORD(ranking, ITP_LAYOUT_JSON, FIELDS)); \
		}                                                                                  \
		return list;                                                                       \
	}

/* ---- Values. New references. ---- */

/* Value of the base: a column of it is empty without a base, a member 0. */
#define ITP_OF_BASE(value)                                                             \
	(record->layout == ITP_LAYOUT_CSV && !record->ranking->base ? (json_t *)NULL : \
								      ITP_JSON_VALUE(value))

/* Texts of an array: the array itself, or a cell with `separator` between them. Takes the
 * reference. */
json_t *itp_record_texts(const struct itp_record *record, json_t *array, const char *separator);
/* Number of calls seen, and of further ones that may exist; null without a limit. */
json_t *itp_record_possible(uint64_t seen, uint64_t unseen);
/* Standard deviation of an own CPU time, null when not known; `workload` is NULL without one. */
json_t *itp_record_deviation_ns(const struct itp_workload *workload, const struct itp_ticks *ticks);
/* `text`, or NULL when `function`, which it tells of, is ITP_FUNCTION_UNKNOWN. */
json_t *itp_record_known(uint32_t function, const char *text);

/* ---- Records. New references. ---- */

/* input-fields.c: the first and the last of the JSON lines, on each line of CSV. */
json_t *itp_header_record(const struct itp_ranking *ranking,
			  const struct itp_render_options *options, enum itp_layout layout);
json_t *itp_summary_record(const struct itp_ranking *ranking,
			   const struct itp_render_options *options, enum itp_layout layout);

/* path-fields.c: a path, a frame of it. */
json_t *itp_path_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			enum itp_layout layout);
json_t *itp_frame_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			 const struct itp_ranked_frame *frame, enum itp_layout layout);
/* Numbers behind a verdict; and takers of the CPU, an array of JSON lines. */
json_t *itp_doubt_record(const struct itp_ranking *ranking, const struct itp_significance *of,
			 enum itp_layout layout);
json_t *itp_takers_array(const struct itp_ranking *ranking, const GArray *takers);

/* row-fields.c: a function, a module or a process; a wait for work. */
json_t *itp_row_record(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		       enum itp_layout layout);
json_t *itp_idle_record(const struct itp_ranking *ranking, const struct itp_idle_wait *wait,
			enum itp_layout layout);

/* json-held.c: a function of by=wait. */
json_t *itp_held_record(const struct itp_ranking *ranking, const struct itp_held_row *row,
			enum itp_layout layout);

/* json-detail.c: a path from nearby, and a slow call of it. */
json_t *itp_detail_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  const struct itp_path_detail *detail, enum itp_layout layout);
json_t *itp_call_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			bool of_base, const struct itp_slow_call *call, enum itp_layout layout);

/* Names of the tables' fields. */
extern const struct itp_field_table itp_header_table, itp_summary_table, itp_path_table,
	itp_delta_table, itp_doubt_table, itp_frame_table, itp_row_table, itp_idle_table,
	itp_held_table, itp_detail_table, itp_call_table;

#endif
