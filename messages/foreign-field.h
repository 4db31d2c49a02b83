/* SPDX-License-Identifier: MIT */
/*
 * Fields of events laid out by others, found by name and type.
 *
 * A field is looked for once, in the event class; from then on it is read by its index. A field of
 * another type than the wanted type counts as missing.
 */
#ifndef ITP_MESSAGES_FOREIGN_FIELD_H
#define ITP_MESSAGES_FOREIGN_FIELD_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum itp_foreign_type {
	/* A signed or unsigned integer. */
	ITP_FOREIGN_NUMBER,
	ITP_FOREIGN_TEXT,
	/* An array of unsigned integers. */
	ITP_FOREIGN_NUMBERS,
};

struct itp_foreign_field {
	bool is_there;
	/* The field is in the event's context, of its class or its stream, not in its payload. */
	bool is_in_context;
	bool is_in_common_context;
	bool is_signed;
	uint64_t index;
};

/* The member `name` of the payload. */
struct itp_foreign_field itp_foreign_payload_field(const bt_event_class *event_class,
						   const char *name, enum itp_foreign_type type);
/* The member `name` of the event's contexts, the class's context first. Names in contexts may begin
 * with more underscores, put in front by tracers and CTF. */
struct itp_foreign_field itp_foreign_context_field(const bt_event_class *event_class,
						   const char *name, enum itp_foreign_type type);

/* CPU of the event's packet; -1 when unknown. */
int32_t itp_foreign_cpu(const bt_event *event);

/* Readers, only for present fields of their type. */
int64_t itp_foreign_number(const bt_event *event, const struct itp_foreign_field *field);
/* Weak: as long as the event. */
const char *itp_foreign_text(const bt_event *event, const struct itp_foreign_field *field);
/* Appends the elements, uint64_t, to `numbers`. Returns their number. */
uint64_t itp_foreign_numbers(const bt_event *event, const struct itp_foreign_field *field,
			     GArray *numbers);

#endif
