/* SPDX-License-Identifier: MIT */
/*
 * The client library's functions, looked up by name.
 *
 * The library limits how slowly a file may come, but not how long connecting may take, and it
 * tries again: here a question ends when nothing has come for $DEBUGINFOD_TIMEOUT seconds.
 */
#include "common/symbol/debuginfod.h"

#include <elfutils/debuginfod.h>
#include <errno.h>
#include <glib.h>
#include <gmodule.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds; the default is the library's. */
#define DEFAULT_TIMEOUT 90
#define MAX_TIMEOUT 3600

struct itp_debuginfod {
	/* The library's. Owned by this. */
	debuginfod_client *client;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_executable) *find_executable;
	__typeof__(debuginfod_find_debuginfo) *find_debuginfo;
	gint64 timeout_us;
	/* What the present question has got, and when it ends if nothing more comes. */
	long progress;
	gint64 deadline_us;
	bool is_late;
	/* errno; 0 while servers are asked. */
	int failure;
	bool failure_is_told;
};

static gint64 timeout_us(void)
{
	const char *text = g_getenv(DEBUGINFOD_TIMEOUT_ENV_VAR);
	guint64 seconds = text ? g_ascii_strtoull(text, NULL, 10) : 0;

	seconds = seconds == 0 ? DEFAULT_TIMEOUT : MIN(seconds, MAX_TIMEOUT);
	return (gint64)seconds * G_USEC_PER_SEC;
}

/* *ret_function is any pointer to a function. */
static bool find(GModule *library, const char *name, void *ret_function)
{
	gpointer address;

	if (!g_module_symbol(library, name, &address)) {
		return false;
	}
	memcpy(ret_function, &address, sizeof(address));
	return true;
}

/* `done` counts the calls until a server has answered, from 1 after a new attempt, and is then
 * the number of bytes that came. */
static bool is_late(struct itp_debuginfod *debuginfod, long done)
{
	gint64 now_us = g_get_monotonic_time();

	if (done > debuginfod->progress + 1) {
		debuginfod->deadline_us = now_us + debuginfod->timeout_us;
	}
	debuginfod->progress = MAX(debuginfod->progress, done);
	debuginfod->is_late = now_us >= debuginfod->deadline_us;
	return debuginfod->is_late;
}

/* The library calls this at least once a second, and ends the transfer if the result is not 0.
 * It passes nothing of ours but through one of its own functions. */
static int check_progress(debuginfod_client *client, long done, long total)
{
	GModule *library = g_module_open(DEBUGINFOD_SONAME, G_MODULE_BIND_LAZY);
	__typeof__(debuginfod_get_user_data) *get_user_data;
	int result = 0;

	(void)total;
	if (library && find(library, "debuginfod_get_user_data", &get_user_data)) {
		result = is_late(get_user_data(client), done);
	}
	if (library) {
		g_module_close(library);
	}
	return result;
}

static bool open_client(struct itp_debuginfod *debuginfod, GModule *library)
{
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_set_progressfn) *set_progress;
	__typeof__(debuginfod_set_user_data) *set_user_data;

	if (!find(library, "debuginfod_begin", &begin) ||
	    !find(library, "debuginfod_set_progressfn", &set_progress) ||
	    !find(library, "debuginfod_set_user_data", &set_user_data) ||
	    !find(library, "debuginfod_end", &debuginfod->end) ||
	    !find(library, "debuginfod_find_executable", &debuginfod->find_executable) ||
	    !find(library, "debuginfod_find_debuginfo", &debuginfod->find_debuginfo)) {
		return false;
	}
	debuginfod->client = begin();
	if (debuginfod->client) {
		set_user_data(debuginfod->client, debuginfod);
		set_progress(debuginfod->client, check_progress);
	}
	return debuginfod->client != NULL;
}

struct itp_debuginfod *itp_debuginfod_new(char **ret_reason)
{
	const char *urls = g_getenv(DEBUGINFOD_URLS_ENV_VAR);
	struct itp_debuginfod *debuginfod;
	GModule *library;

	if (!urls || urls[0] == '\0') {
		*ret_reason = g_strdup("no servers are named: set " DEBUGINFOD_URLS_ENV_VAR
				       " in the environment");
		return NULL;
	}
	library = g_module_open(DEBUGINFOD_SONAME, G_MODULE_BIND_LAZY);
	if (!library) {
		*ret_reason = g_strdup_printf("%s; install the client library of debuginfod "
					      "(Debian, Ubuntu: libdebuginfod1, Fedora: "
					      "elfutils-debuginfod-client)",
					      g_module_error());
		return NULL;
	}
	/* It keeps state of its own, and of the HTTP client, that must not be torn down. */
	g_module_make_resident(library);
	debuginfod = g_new0(struct itp_debuginfod, 1);
	debuginfod->timeout_us = timeout_us();
	if (!open_client(debuginfod, library)) {
		*ret_reason = g_strdup(DEBUGINFOD_SONAME " cannot be used");
		g_clear_pointer(&debuginfod, itp_debuginfod_free);
	}
	g_module_close(library);
	return debuginfod;
}

void itp_debuginfod_free(struct itp_debuginfod *debuginfod)
{
	if (!debuginfod) {
		return;
	}
	if (debuginfod->client) {
		debuginfod->end(debuginfod->client);
	}
	g_free(debuginfod);
}

/* What keeps others from being asked for: all but that this file is not there, or is larger than
 * the user wants. */
static int failure_of(const struct itp_debuginfod *debuginfod, int result)
{
	if (debuginfod->is_late) {
		return ETIMEDOUT;
	}
	return result == -ENOENT || result == -EFBIG ? 0 : -result;
}

char *itp_debuginfod_find(struct itp_debuginfod *debuginfod, enum itp_debuginfod_kind kind,
			  const char *build_id)
{
	__typeof__(debuginfod_find_executable) *find_file = kind == ITP_DEBUGINFOD_EXECUTABLE ?
								    debuginfod->find_executable :
								    debuginfod->find_debuginfo;
	char *path = NULL;
	char *result;
	int fd;

	if (debuginfod->failure != 0) {
		return NULL;
	}
	debuginfod->progress = 0;
	debuginfod->is_late = false;
	debuginfod->deadline_us = g_get_monotonic_time() + debuginfod->timeout_us;
	/* A length of 0 stands for text. */
	fd = find_file(debuginfod->client, (const unsigned char *)build_id, 0, &path);
	if (fd < 0) {
		debuginfod->failure = failure_of(debuginfod, fd);
		return NULL;
	}
	close(fd);
	result = g_strdup(path);
	free(path);
	return result;
}

int itp_debuginfod_take_failure(struct itp_debuginfod *debuginfod)
{
	int failure = debuginfod->failure_is_told ? 0 : debuginfod->failure;

	debuginfod->failure_is_told = failure != 0 || debuginfod->failure_is_told;
	return failure;
}
