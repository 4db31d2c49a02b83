/* SPDX-License-Identifier: MIT */
/*
 * See layouts.h.
 */
#include "common/profile-file/layouts.h"

#include <string.h>

#include "common/schema/field.h"
#include "common/schema/profile-records.h"

struct told_field {
	enum written_type type;
	/* NULL for a later program's. Weak. */
	const struct itp_field *field;
};

struct told_layout {
	/* ITP_RECORD_FOREIGN for a later program's. */
	enum itp_record_type type;
	/* struct told_field. Owned by this. */
	GArray *fields;
	/* Fields of this program that the file lacks: const struct itp_field *. Owned by this. */
	GPtrArray *lacking;
};

struct itp_told_layouts {
	/* struct told_layout. Owned by this. */
	GArray *list;
};

static void clear_layout(gpointer data)
{
	struct told_layout *layout = data;

	g_array_unref(layout->fields);
	g_ptr_array_unref(layout->lacking);
}

void itp_told_layouts_free(struct itp_told_layouts *layouts)
{
	if (layouts) {
		g_array_unref(layouts->list);
		g_free(layouts);
	}
}

/* ---- Layouts ---- */

static enum itp_record_type type_named(const char *name)
{
	const enum itp_record_type type = itp_record_type_from_name(name);

	return type < ITP_RECORD_TYPE_COUNT && ITP_PROFILE_RECORD_TYPES & 1U << type ?
		       type :
		       ITP_RECORD_FOREIGN;
}

static const struct itp_field *field_named(enum itp_record_type type, const char *name)
{
	const struct itp_layout *layout = type == ITP_RECORD_FOREIGN ? NULL : itp_layout_get(type);

	for (size_t i = 0; layout && i < layout->field_count; i++) {
		if (g_str_equal(layout->fields[i].name, name)) {
			return &layout->fields[i];
		}
	}
	return NULL;
}

static bool has_field(const struct told_layout *layout, const struct itp_field *field)
{
	for (guint i = 0; i < layout->fields->len; i++) {
		if (g_array_index(layout->fields, struct told_field, i).field == field) {
			return true;
		}
	}
	return false;
}

/* Functions return the problem, or NULL; owned by the caller. */

static char *find_lacking(struct told_layout *layout, const char *name)
{
	const struct itp_layout *own =
		layout->type == ITP_RECORD_FOREIGN ? NULL : itp_layout_get(layout->type);

	for (size_t i = 0; own && i < own->field_count; i++) {
		const struct itp_field *field = &own->fields[i];

		if (has_field(layout, field)) {
			continue;
		}
		if (!field->is_optional) {
			return g_strdup_printf("records \"%s\" lack the field \"%s\"", name,
					       field->name);
		}
		g_ptr_array_add(layout->lacking, (gpointer)field);
	}
	return NULL;
}

static char *read_field_told(struct itp_bytes *section, struct told_layout *layout,
			     const char *layout_name)
{
	struct told_field told;
	const char *name;
	uint64_t type;

	if (!itp_bytes_get_text(section, &name) || !itp_bytes_get_unsigned(section, &type) ||
	    type >= WRITTEN_TYPE_COUNT) {
		return g_strdup("a field of its layouts cannot be read");
	}
	told.type = (enum written_type)type;
	told.field = field_named(layout->type, name);
	if (told.field && written_type_of(told.field) != told.type) {
		return g_strdup_printf("records \"%s\" have another type of field \"%s\"",
				       layout_name, name);
	}
	g_array_append_val(layout->fields, told);
	return NULL;
}

static char *read_layout(struct itp_told_layouts *layouts, struct itp_bytes *section)
{
	struct told_layout layout = { .type = ITP_RECORD_FOREIGN };
	const char *name;
	uint64_t count;
	char *problem = NULL;

	if (!itp_bytes_get_text(section, &name) || !itp_bytes_get_unsigned(section, &count)) {
		return g_strdup("its layouts cannot be read");
	}
	layout.type = type_named(name);
	layout.fields = g_array_new(FALSE, FALSE, sizeof(struct told_field));
	layout.lacking = g_ptr_array_new();
	for (uint64_t i = 0; !problem && i < count; i++) {
		problem = read_field_told(section, &layout, name);
	}
	g_array_append_val(layouts->list, layout);
	return problem ? problem :
			 find_lacking(&g_array_index(layouts->list, struct told_layout,
						     layouts->list->len - 1),
				      name);
}

struct itp_told_layouts *itp_told_layouts_new(struct itp_bytes *section, char **ret_problem)
{
	struct itp_told_layouts *layouts = g_new0(struct itp_told_layouts, 1);
	char *problem = NULL;
	uint64_t count;

	layouts->list = g_array_new(FALSE, FALSE, sizeof(struct told_layout));
	g_array_set_clear_func(layouts->list, clear_layout);
	if (!itp_bytes_get_unsigned(section, &count)) {
		problem = g_strdup("its layouts cannot be read");
	}
	for (uint64_t i = 0; !problem && i < count; i++) {
		problem = read_layout(layouts, section);
	}
	if (problem) {
		g_clear_pointer(&layouts, itp_told_layouts_free);
		*ret_problem = problem;
	}
	return layouts;
}

/* ---- Records ---- */

/* Stores into `histogram`; NULL: reads past. */
static bool read_array(struct itp_bytes *section, const struct itp_field *field,
		       uint32_t *histogram)
{
	uint64_t count;
	uint64_t value;

	if (!itp_bytes_get_unsigned(section, &count) ||
	    (histogram && count > ITP_HISTOGRAM_BUCKETS)) {
		return false;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (!itp_bytes_get_unsigned(section, &value) ||
		    (histogram && !itp_field_set_unsigned(field, value, (char *)&histogram[i]))) {
			return false;
		}
	}
	return true;
}

/* Reads a field into the record, or past it. */
static bool read_field(struct itp_bytes *section, const struct told_field *told,
		       struct itp_record *record)
{
	const struct itp_field *field = told->field;
	/* All members of the union begin at its begin. */
	char *member = field ? (char *)&record->stack + field->offset : NULL;
	const char *text;
	uint64_t number;
	int64_t signed_number;

	switch (told->type) {
	case WRITTEN_SIGNED:
		return itp_bytes_get_signed(section, &signed_number) &&
		       (!field || itp_field_set_signed(field, signed_number, member));
	case WRITTEN_TEXT:
		if (!itp_bytes_get_text(section, &text)) {
			return false;
		}
		if (field) {
			*(const char **)member = text;
		}
		return true;
	case WRITTEN_ARRAY:
		return read_array(section, field, field ? record->node.stats.histogram : NULL);
	default:
		return itp_bytes_get_unsigned(section, &number) &&
		       (!field || itp_field_set_unsigned(field, number, member));
	}
}

/* Zeroes members without a field. */
static void prepare(struct itp_record *record, const struct told_layout *layout)
{
	record->type = layout->type;
	if (layout->type != ITP_RECORD_FOREIGN) {
		memset(&record->stack, 0, itp_layout_get(layout->type)->bytes);
	}
	for (guint i = 0; i < layout->lacking->len; i++) {
		const struct itp_field *field = g_ptr_array_index(layout->lacking, i);

		itp_field_set_nothing(field, (char *)&record->stack + field->offset);
	}
}

static char *invalid(enum itp_record_type type, const char *field)
{
	return g_strdup_printf("the value of field \"%s\" of a record \"%s\" is not valid", field,
			       type == ITP_RECORD_FOREIGN ? "?" : itp_layout_get(type)->event_name);
}

bool itp_told_layouts_read(const struct itp_told_layouts *layouts, struct itp_bytes *section,
			   struct itp_record *ret_record, char **ret_problem)
{
	const struct told_layout *layout;
	const char *wrong;
	uint64_t number;

	if (!itp_bytes_get_unsigned(section, &number) || number >= layouts->list->len) {
		*ret_problem = g_strdup("a record has no layout");
		return false;
	}
	layout = &g_array_index(layouts->list, struct told_layout, number);
	prepare(ret_record, layout);
	for (guint i = 0; i < layout->fields->len; i++) {
		const struct told_field *told =
			&g_array_index(layout->fields, struct told_field, i);

		if (!read_field(section, told, ret_record)) {
			*ret_problem = invalid(layout->type, told->field ? told->field->name : "?");
			return false;
		}
	}
	wrong = layout->type == ITP_RECORD_FOREIGN ? NULL : itp_record_wrong_field(ret_record);
	if (wrong) {
		*ret_problem = invalid(layout->type, wrong);
	}
	return !wrong;
}
