/* SPDX-License-Identifier: MIT */
/*
 * Fields of events that others have laid out, found by name and type.
 *
 * A field is looked for once, in the event class; from then on it is read by its index. What has
 * another type than the wanted one is not there.
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
	/* In the context that the event has, for its class or its stream, not in its payload. */
	bool is_in_context;
	bool is_in_common_context;
	bool is_signed;
	uint64_t index;
};

/* The member `name` of the payload. */
struct itp_foreign_field itp_foreign_payload_field(const bt_event_class *event_class,
						   const char *name, enum itp_foreign_type type);
/* The same in the event's contexts, that of its class first. Names in contexts may begin with more
 * underscores: tracers and CTF both put them there. */
struct itp_foreign_field itp_foreign_context_field(const bt_event_class *event_class,
						   const char *name, enum itp_foreign_type type);

/* The CPU that the event's packet is of, -1 if it does not tell. */
int32_t itp_foreign_cpu(const bt_event *event);

/* All of these only for fields of that type that are there. */
int64_t itp_foreign_number(const bt_event *event, const struct itp_foreign_field *field);
/* Weak: as long as the event. */
const char *itp_foreign_text(const bt_event *event, const struct itp_foreign_field *field);
/* Appends the elements, uint64_t, to `numbers`. Returns how many there are. */
uint64_t itp_foreign_numbers(const bt_event *event, const struct itp_foreign_field *field,
			     GArray *numbers);

#endif
