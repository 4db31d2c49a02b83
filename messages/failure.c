/* SPDX-License-Identifier: MIT */
/*
 * See failure.h. The prefix is made from the component's class, so no message has to repeat it.
 */
#include "messages/failure.h"

#include <string.h>

#include "common/base/failure.h"
#include "common/base/labels.h"

static const char *class_type_name(bt_component_class_type type)
{
	switch (type) {
	case BT_COMPONENT_CLASS_TYPE_SOURCE:
		return "source";
	case BT_COMPONENT_CLASS_TYPE_FILTER:
		return "filter";
	default:
		return "sink";
	}
}

/* A class as users write it, such as "sink.introperf.rank". Owned by the caller. */
static char *class_title(bt_component_class_type type, const char *name)
{
	return g_strdup_printf("%s.introperf.%s", class_type_name(type), name);
}

static char *title_of_component(bt_self_component *self)
{
	const bt_component_class *component_class =
		bt_component_borrow_class_const(bt_self_component_as_component(self));

	return class_title(bt_component_class_get_type(component_class),
			   bt_component_class_get_name(component_class));
}

void itp_failure_from_component(bt_self_component *self, GError *error)
{
	g_autofree char *title = title_of_component(self);
	g_autofree char *text = itp_label_clean_text(error->message);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self, "%s: %s", title, text);
	g_error_free(error);
}

void itp_failure_from_iterator(bt_self_message_iterator *self, GError *error)
{
	g_autofree char *title =
		title_of_component(bt_self_message_iterator_borrow_component(self));
	g_autofree char *text = itp_label_clean_text(error->message);

	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self, "%s: %s", title, text);
	g_error_free(error);
}

/* The class in the title of a cause; NULL for a cause given by the library itself. */
static char *title_of_cause(const bt_error_cause *cause)
{
	switch (bt_error_cause_get_actor_type(cause)) {
	case BT_ERROR_CAUSE_ACTOR_TYPE_COMPONENT:
		return class_title(bt_error_cause_component_actor_get_component_class_type(cause),
				   bt_error_cause_component_actor_get_component_class_name(cause));
	case BT_ERROR_CAUSE_ACTOR_TYPE_MESSAGE_ITERATOR:
		return class_title(
			bt_error_cause_message_iterator_actor_get_component_class_type(cause),
			bt_error_cause_message_iterator_actor_get_component_class_name(cause));
	default:
		return NULL;
	}
}

const char *itp_failure_text(const bt_error_cause *cause)
{
	const char *text = bt_error_cause_get_message(cause);
	g_autofree char *title = title_of_cause(cause);

	return title && g_str_has_prefix(text, title) ? text + strlen(title) + strlen(": ") : text;
}

bool itp_check_connected(bt_self_component_port_input *port, GError **error)
{
	const bt_port *plain = bt_self_component_port_as_port(
		bt_self_component_port_input_as_self_component_port(port));

	if (!bt_port_is_connected(plain)) {
		itp_failure_set(error, "input port \"%s\" is not connected",
				bt_port_get_name(plain));
		return false;
	}
	return true;
}
