/* SPDX-License-Identifier: MIT */
/*
 * Values of parameters, as maps by name.
 */
#ifndef ITP_PERF_COMMAND_VALUES_H
#define ITP_PERF_COMMAND_VALUES_H

#include <babeltrace2/babeltrace.h>

/* Appends a string to the array `name`, made when missing. */
void itp_values_append(bt_value *values, const char *name, const char *text);

#endif
