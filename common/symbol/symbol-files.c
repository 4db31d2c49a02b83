/* SPDX-License-Identifier: MIT */
/*
 * Candidates in order; the first that belongs to the module wins.
 *
 * A file found by its name has to prove itself by its build id or by the checksum in
 * .gnu_debuglink. With symfs nothing of this machine counts, so that names are equal wherever the
 * recording is read.
 *
 * The functions of debuginfod's library are looked up by name. It limits how slowly a file may
 * come, but not how long connecting may take, and it tries again: here a question ends when nothing
 * has come for $DEBUGINFOD_TIMEOUT seconds.
 */
#include "common/symbol/symbol-files.h"

#include "common/base/input-file.h"
#include "common/elf/section.h"

#include <elfutils/debuginfod.h>
#include <errno.h>
#include <gmodule.h>
#include <lzma.h>
#include <stdlib.h>
#include <unistd.h>

#define DEBUG_ROOT "/usr/lib/debug"

/* Reading a larger file for its checksum takes too long. */
#define MAX_CHECKSUM_BYTES (1024u * 1024 * 1024)

#define CHECKSUM_BUFFER_BYTES (64u * 1024)

/* Bytes of the checksum at the end of .gnu_debuglink; the name is padded to a multiple. */
#define CHECKSUM_BYTES 4

/* Seconds; the default is the library's. */
#define DEFAULT_TIMEOUT 90
#define MAX_TIMEOUT 3600

enum fetched {
	FETCHED_EXECUTABLE,
	FETCHED_DEBUGINFO,
};

struct itp_debuginfod {
	/* Client of the library, and functions of it. Owned by this. */
	debuginfod_client *client;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_executable) *find_executable;
	__typeof__(debuginfod_find_debuginfo) *find_debuginfo;
	gint64 timeout_us;
	/* Bytes received for the present question, and its end if nothing more comes. */
	long progress;
	gint64 deadline_us;
	bool is_late;
	/* errno; 0 while servers are asked. */
	int failure;
	bool failure_is_told;
};

/* ---- Servers ---- */

static gint64 timeout_us(void)
{
	const char *text = g_getenv(DEBUGINFOD_TIMEOUT_ENV_VAR);
	guint64 seconds = text ? g_ascii_strtoull(text, NULL, 10) : 0;

	seconds = seconds == 0 ? DEFAULT_TIMEOUT : MIN(seconds, MAX_TIMEOUT);
	return (gint64)seconds * G_USEC_PER_SEC;
}

/* *ret_function is any pointer to a function. */
static bool find_library_function(GModule *library, const char *name, void *ret_function)
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

/* Callback of the library at least once a second; a result other than 0 ends the transfer. Data of
 * ours reach it through a function of the library only. */
static int check_progress(debuginfod_client *client, long done, long total)
{
	GModule *library = g_module_open(DEBUGINFOD_SONAME, G_MODULE_BIND_LAZY);
	__typeof__(debuginfod_get_user_data) *get_user_data;
	int result = 0;

	(void)total;
	if (library && find_library_function(library, "debuginfod_get_user_data", &get_user_data)) {
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

	if (!find_library_function(library, "debuginfod_begin", &begin) ||
	    !find_library_function(library, "debuginfod_set_progressfn", &set_progress) ||
	    !find_library_function(library, "debuginfod_set_user_data", &set_user_data) ||
	    !find_library_function(library, "debuginfod_end", &debuginfod->end) ||
	    !find_library_function(library, "debuginfod_find_executable",
				   &debuginfod->find_executable) ||
	    !find_library_function(library, "debuginfod_find_debuginfo",
				   &debuginfod->find_debuginfo)) {
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
	/* The library keeps state of its own, and of the HTTP client, that must not be torn
	 * down. */
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

/* Error after which other servers are not asked: any, except that the file is missing, or larger
 * than the user wants. */
static int failure_of(const struct itp_debuginfod *debuginfod, int result)
{
	if (debuginfod->is_late) {
		return ETIMEDOUT;
	}
	return result == -ENOENT || result == -EFBIG ? 0 : -result;
}

/* Path of the file in the client's cache, NULL when no server has it. `build_id` is hexadecimal.
 * Owned by the caller. */
static char *ask_servers(struct itp_debuginfod *debuginfod, enum fetched kind, const char *build_id)
{
	__typeof__(debuginfod_find_executable) *find_file = kind == FETCHED_EXECUTABLE ?
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

/* ---- Files ---- */

/* Path below `symfs` of the joined `parts`, which are freed; see itp_input_file_path(). */
static char *path_in(const char *symfs, char *parts)
{
	char *path = itp_input_file_path(symfs, parts);

	g_free(parts);
	return path;
}

/* The id names a directory and a file: it must have two digits for the first and no other
 * characters than digits. */
static bool is_build_id(const char *build_id)
{
	return strlen(build_id) > 2 && build_id[strspn(build_id, "0123456789abcdef")] == '\0';
}

char *itp_symbol_files_cached(const char *symfs, const char *build_id, const char *name)
{
	return is_build_id(build_id) ?
		       path_in(symfs, g_strdup_printf("%s/.debug/.build-id/%.2s/%s/%s",
						      symfs ? "" : g_get_home_dir(), build_id,
						      build_id + 2, name)) :
		       NULL;
}

/* True when the file at `path`, which may be NULL, has the build id. */
static bool has_build_id(const char *path, const char *build_id)
{
	struct itp_elf_image image;
	bool result;

	if (!path || itp_elf_image_look(&image, path) != 0) {
		return false;
	}
	result = itp_build_id_may_equal(build_id, image.build_id);
	itp_elf_image_release(&image);
	return result;
}

/* Fetches a file, and checks it: a server's file for a build id may be another. */
static char *fetch(const struct itp_symbol_files *files, enum fetched kind, const char *build_id)
{
	g_autofree char *path = files->debuginfod && is_build_id(build_id) ?
					ask_servers(files->debuginfod, kind, build_id) :
					NULL;

	return has_build_id(path, build_id) ? g_steal_pointer(&path) : NULL;
}

/* A slash would lead out of the intended directories. */
static bool is_link_name(const char *name)
{
	return name[0] != '\0' && !strchr(name, '/');
}

static bool read_link(const struct itp_elf_image *image, struct itp_debug_link *ret_link)
{
	struct itp_bytes bytes = itp_elf_section_small(image, ".gnu_debuglink");
	size_t size = bytes.size;
	const char *name = itp_bytes_string(&bytes);

	if (!name || !is_link_name(name) || size < CHECKSUM_BYTES) {
		return false;
	}
	ret_link->name = name;
	itp_bytes_take(&bytes,
		       (CHECKSUM_BYTES - (size - bytes.size) % CHECKSUM_BYTES) % CHECKSUM_BYTES);
	return itp_bytes_u32(&bytes, &ret_link->checksum);
}

/* True when the file can be the recorded one; a debug link decides where a build id is missing. */
static bool may_be_recorded(const struct itp_symbol_files *files, const struct itp_elf_image *image)
{
	struct itp_debug_link link;

	if (files->debug_link && (files->build_id[0] == '\0' || image->build_id[0] == '\0') &&
	    read_link(image, &link)) {
		return link.checksum == files->debug_link->checksum &&
		       g_str_equal(link.name, files->debug_link->name);
	}
	return itp_build_id_may_equal(files->build_id, image->build_id);
}

/* The process's own file while it runs, where `path` leads to another. */
static char *file_of_process(const struct itp_symbol_files *files, const char *path)
{
	struct itp_elf_image image;
	g_autofree char *found = itp_mapped_file_of_process(&files->mapped, files->path);

	if (!found ||
	    (!itp_mapped_file_is_elsewhere(&files->mapped, path) && access(path, F_OK) == 0) ||
	    itp_elf_image_look(&image, found) != 0) {
		return NULL;
	}
	itp_elf_image_release(&image);
	return g_steal_pointer(&found);
}

char *itp_symbol_files_module(const struct itp_symbol_files *files,
			      enum itp_symbol_problem *ret_problem, char **ret_found_build_id)
{
	g_autofree char *path = itp_input_file_path(files->symfs, files->path);
	g_autofree char *fetched = NULL;
	g_autofree char *of_process = path ? file_of_process(files, path) : NULL;
	struct itp_elf_image image = { .elf = NULL };
	int error = path ? itp_elf_image_look(&image, path) : ITP_ERROR_IO;
	int reason = errno;
	g_autofree char *cached = itp_symbol_files_cached(files->symfs, files->build_id, "elf");
	g_autofree char *found_build_id = g_strdup(error == 0 ? image.build_id : "");
	bool is_recorded = error == 0 && may_be_recorded(files, &image);

	itp_elf_image_release(&image);
	if (of_process) {
		return g_steal_pointer(&of_process);
	}
	if (path && itp_mapped_file_is_elsewhere(&files->mapped, path)) {
		/* The recorded build id may be of the file here, made up by the recorder. */
		*ret_problem = ITP_SYMBOLS_OTHER_FILE;
		*ret_found_build_id = g_steal_pointer(&found_build_id);
		return NULL;
	}
	if (is_recorded) {
		return g_steal_pointer(&path);
	}
	if (has_build_id(cached, files->build_id)) {
		return g_steal_pointer(&cached);
	}
	fetched = fetch(files, FETCHED_EXECUTABLE, files->build_id);
	if (fetched) {
		return g_steal_pointer(&fetched);
	}
	*ret_problem = error == 0 ? ITP_SYMBOLS_OTHER_BUILD :
		       error == ITP_ERROR_IO && (reason == ENOENT || reason == ENOTDIR) ?
				    ITP_SYMBOLS_MISSING :
				    ITP_SYMBOLS_UNUSABLE;
	*ret_found_build_id = g_steal_pointer(&found_build_id);
	return NULL;
}

/* CRC-32 of a whole file. */
static uint32_t checksum(int file)
{
	g_autofree uint8_t *buffer = g_malloc(CHECKSUM_BUFFER_BYTES);
	uint32_t sum = 0;
	off_t offset = 0;
	ssize_t got;

	while ((got = pread(file, buffer, CHECKSUM_BUFFER_BYTES, offset)) > 0) {
		sum = lzma_crc32(buffer, (size_t)got, sum);
		offset += got;
	}
	return sum;
}

/* `link` is NULL for a file found without a debug link. */
static bool belongs(const char *path, const struct itp_elf_image *image,
		    const struct itp_debug_link *link)
{
	struct itp_elf_image debug;
	bool result;

	if (itp_elf_image_look(&debug, path) != 0) {
		return false;
	}
	if (image->build_id[0] != '\0' && debug.build_id[0] != '\0') {
		result = itp_build_id_may_equal(image->build_id, debug.build_id);
	} else {
		result = link && debug.file_bytes <= MAX_CHECKSUM_BYTES &&
			 checksum(debug.file) == link->checksum;
	}
	itp_elf_image_release(&debug);
	return result;
}

/* First path of `count` that belongs to `image`; all others are freed. NULL elements are passed
 * over. */
static char *first_that_belongs(char **paths, size_t count, const struct itp_elf_image *image,
				const struct itp_debug_link *link)
{
	char *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!found && paths[i] && belongs(paths[i], image, link)) {
			found = g_steal_pointer(&paths[i]);
		}
		g_free(paths[i]);
	}
	return found;
}

static char *find_by_id(const struct itp_symbol_files *files, const struct itp_elf_image *image)
{
	const char *build_id = image->build_id;
	char *paths[] = { NULL, NULL };

	if (!is_build_id(build_id)) {
		return NULL;
	}
	paths[0] = path_in(files->symfs, g_strdup_printf(DEBUG_ROOT "/.build-id/%.2s/%s.debug",
							 build_id, build_id + 2));
	paths[1] = itp_symbol_files_cached(files->symfs, build_id, "debug");
	return first_that_belongs(paths, G_N_ELEMENTS(paths), image, NULL);
}

static char *find_by_path(const struct itp_symbol_files *files, const struct itp_elf_image *image)
{
	char *paths[] = {
		path_in(files->symfs, g_strconcat(DEBUG_ROOT, files->path, ".debug", NULL)),
		path_in(files->symfs, g_strconcat(DEBUG_ROOT, files->path, NULL)),
	};

	return first_that_belongs(paths, G_N_ELEMENTS(paths), image, NULL);
}

static char *find_by_link(const struct itp_symbol_files *files, const struct itp_elf_image *image)
{
	g_autofree char *directory = g_path_get_dirname(files->path);
	struct itp_debug_link link;

	if (!read_link(image, &link)) {
		if (!files->debug_link || !is_link_name(files->debug_link->name)) {
			return NULL;
		}
		link = *files->debug_link;
	}
	char *paths[] = {
		path_in(files->symfs, g_strconcat(directory, "/", link.name, NULL)),
		path_in(files->symfs, g_strconcat(directory, "/.debug/", link.name, NULL)),
		path_in(files->symfs, g_strconcat(DEBUG_ROOT, directory, "/", link.name, NULL)),
	};
	return first_that_belongs(paths, G_N_ELEMENTS(paths), image, &link);
}

char *itp_symbol_files_debug(const struct itp_symbol_files *files,
			     const struct itp_elf_image *image)
{
	char *path = find_by_id(files, image);

	if (!path) {
		path = find_by_path(files, image);
	}
	return path ? path : find_by_link(files, image);
}

char *itp_symbol_files_fetch_debug(const struct itp_symbol_files *files,
				   const struct itp_elf_image *image)
{
	return fetch(files, FETCHED_DEBUGINFO, image->build_id);
}

char *itp_symbol_files_shared(const struct itp_symbol_files *files, const char *path,
			      const char *name, const char *build_id)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *named = g_path_is_absolute(name) ?
					 itp_input_file_path(files->symfs, name) :
					 g_build_filename(directory, name, NULL);
	const struct itp_elf_image wanted = { .build_id = (char *)build_id };

	if (has_build_id(named, build_id)) {
		return g_steal_pointer(&named);
	}
	g_free(named);
	named = find_by_id(files, &wanted);
	return named ? g_steal_pointer(&named) : fetch(files, FETCHED_DEBUGINFO, build_id);
}
