/* SPDX-License-Identifier: MIT */
/*
 * See container.h.
 */
#include "common/stacks/container.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Digits of a container's number (Docker, containerd, CRI-O, Podman), and digits that they show. */
#define NUMBER_DIGITS 64
#define SHOWN_DIGITS 12

/* LXC: /lxc/NAME, /lxc.payload/NAME, and /lxc.payload.NAME since version 4. */
#define LXC_PREFIX "lxc.payload."

/* Number in a part of a path, as "docker-3f2a….scope" has it; NULL without. Weak. */
static const char *find_number(const char *part)
{
	guint digits = 0;

	for (; *part; part++) {
		digits = g_ascii_isxdigit(*part) ? digits + 1 : 0;
		if (digits == NUMBER_DIGITS) {
			return part + 1 - NUMBER_DIGITS;
		}
	}
	return NULL;
}

static char *name_by_number(char *const *parts)
{
	const char *number = NULL;

	for (; *parts && !number; parts++) {
		number = find_number(*parts);
	}
	return number ? g_strndup(number, SHOWN_DIGITS) : NULL;
}

static char *name_by_lxc(char *const *parts)
{
	for (; *parts; parts++) {
		if (g_str_has_prefix(*parts, LXC_PREFIX)) {
			return g_strdup(*parts + strlen(LXC_PREFIX));
		}
		if ((g_str_equal(*parts, "lxc") || g_str_equal(*parts, "lxc.payload")) &&
		    parts[1]) {
			return g_strdup(parts[1]);
		}
	}
	return NULL;
}

static bool is_unit(const char *part)
{
	return g_str_has_suffix(part, ".service") || g_str_has_suffix(part, ".scope");
}

/* The innermost unit; without any, the last part. */
static const char *last_of(char *const *parts)
{
	const char *unit = NULL;
	const char *last = NULL;

	for (; *parts; parts++) {
		last = **parts ? *parts : last;
		unit = is_unit(*parts) ? *parts : unit;
	}
	return unit ? unit : last;
}

char *itp_container_name(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	const char *last = last_of(parts);
	char *name = name_by_number(parts);

	name = name ? name : name_by_lxc(parts);
	return name ? name : g_strdup(last ? last : ITP_NO_CONTAINER);
}
