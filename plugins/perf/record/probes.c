/* SPDX-License-Identifier: MIT */
/*
 * See probes.h. A definition is a line written to tracefs: "p:GROUP/EVENT PATH:OFFSET";
 * "-:GROUP/EVENT" takes it back.
 */
#include "plugins/perf/record/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/perf-data/tracepoint.h"
#include "common/symbol/elf-symbols.h"
#include "common/symbol/module.h"

/* The kernel takes 63. */
#define MAX_NAME_CHARACTERS 40
/* Most places of a name; more are a mistake. */
#define MAX_PLACES 64
/* perf needs a moment to end after this process was killed, and holds its events until then. */
#define REMOVAL_TRIES 200
#define REMOVAL_WAIT_NS 50000000L

static const char *const definition_files[] = {
	"/sys/kernel/tracing/uprobe_events",
	"/sys/kernel/debug/tracing/uprobe_events",
};

/* Begin of a function. */
struct place {
	/* Owned by this. */
	char *path;
	/* In the file. */
	uint64_t offset;
};

struct itp_probes {
	/* File of definition_files. */
	const char *file;
	/* Owned by this. */
	char *group;
	GString *events;
	/* Lines for the remover, a char * each. Owned by this. */
	GPtrArray *removals;
	/* The remover, and the pipe whose end it waits for; 0 and -1 before. Owned by this. */
	pid_t remover;
	int gate;
};

/* Process ids count in their namespaces, tracefs does not. */
static char *make_group(void)
{
	struct stat status = { .st_ino = 0 };

	(void)stat("/proc/self/ns/pid", &status);
	return g_strdup_printf(ITP_PROBE_GROUP_PREFIX "%d_%" PRIu64, getpid(),
			       (uint64_t)status.st_ino);
}

static bool write_line(const char *path, const char *line)
{
	int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ssize_t length = (ssize_t)strlen(line);
	bool done = file >= 0 && write(file, line, (size_t)length) == length;
	int code = errno;

	if (file >= 0) {
		close(file);
	}
	errno = code;
	return done;
}

static void remove_all(const struct itp_probes *probes)
{
	const struct timespec wait = { .tv_nsec = REMOVAL_WAIT_NS };

	for (guint i = 0; i < probes->removals->len; i++) {
		const char *line = g_ptr_array_index(probes->removals, i);

		for (int try = 0;
		     try < REMOVAL_TRIES && !write_line(probes->file, line) && errno == EBUSY;
		     try++) {
			nanosleep(&wait, NULL);
		}
	}
}

/* Runs in the remover, which holds nothing that others wait for. */
static void leave_others_alone(int gate)
{
	int nothing = open("/dev/null", O_RDWR);

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	setsid();
	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	if (gate != STDERR_FILENO + 1) {
		dup2(gate, STDERR_FILENO + 1);
	}
	closefrom(STDERR_FILENO + 2);
}

/* Starts the remover, before there is anything to remove: it knows the lines to come. */
static bool start_remover(struct itp_probes *probes, GError **error)
{
	int gate[2];
	char nothing;

	if (g_unix_open_pipe(gate, FD_CLOEXEC, NULL)) {
		probes->remover = fork();
		if (probes->remover == 0) {
			leave_others_alone(gate[0]);
			while (read(STDERR_FILENO + 1, &nothing, 1) < 0 && errno == EINTR) {
			}
			remove_all(probes);
			_exit(0);
		}
		close(gate[0]);
		probes->gate = gate[1];
	}
	if (probes->gate < 0 || probes->remover < 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "--count: %s",
			    g_strerror(errno));
		return false;
	}
	return true;
}

/* A part of the function's name, for people who look at the recording with perf. */
static char *event_name(const char *function, guint number)
{
	g_autofree char *name = g_strndup(function, MAX_NAME_CHARACTERS);

	g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_');
	return g_strdup_printf("c%u_%s", number, name);
}

/* Appends the definitions of the probes, a char * each, for `places` from `first` on. */
static void add_definitions(struct itp_probes *probes, const char *function, const GArray *places,
			    guint first, GPtrArray *definitions)
{
	for (guint i = first; i < places->len; i++) {
		const struct place *place = &g_array_index(places, struct place, i);
		g_autofree char *name = event_name(function, i);

		g_string_append_printf(probes->events, "%s%s:%s", i > 0 ? "," : "", probes->group,
				       name);
		g_ptr_array_add(definitions,
				g_strdup_printf("p:%s/%s %s:0x%" PRIx64 "\n", probes->group, name,
						place->path, place->offset));
		g_ptr_array_add(probes->removals,
				g_strdup_printf("-:%s/%s\n", probes->group, name));
	}
}

static bool define(const struct itp_probes *probes, const GPtrArray *definitions, GError **error)
{
	for (guint i = 0; i < definitions->len; i++) {
		g_autofree char *line = g_strchomp(g_strdup(g_ptr_array_index(definitions, i)));

		if (!write_line(probes->file, g_ptr_array_index(definitions, i))) {
			int code = errno;

			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
				    "--count: %s refuses \"%s\": %s%s", probes->file, line,
				    g_strerror(code),
				    code == EACCES || code == EPERM ? "; run as root" : "");
			return false;
		}
	}
	return true;
}

static const char *find_file(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(definition_files); i++) {
		if (access(definition_files[i], F_OK) == 0) {
			return definition_files[i];
		}
	}
	return definition_files[0];
}

/* Function as named by a user. */
struct wish {
	/* NULL for any file. Owned by this. */
	char *file;
	/* Name; NULL with an address. Owned by this. */
	char *name;
	uint64_t vaddr;
};

static void wish_release(struct wish *wish)
{
	g_free(wish->file);
	g_free(wish->name);
}

static void clear_place(gpointer place)
{
	g_free(((struct place *)place)->path);
}

/* Colon behind a file's name, none of C++'s; NULL without any. */
static const char *find_colon(const char *text)
{
	for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
		if (at[1] == ':') {
			at++;
		} else {
			return at > text ? at : NULL;
		}
	}
	return NULL;
}

static struct wish parse(const char *function)
{
	const char *plus = strrchr(function, '+');
	const char *colon = find_colon(function);
	char *end = NULL;
	uint64_t vaddr = plus && g_str_has_prefix(plus, "+0x") ? strtoull(plus + 1, &end, 16) : 0;

	if (end && *end == '\0' && plus > function) {
		return (struct wish){ .file = g_strndup(function, (gsize)(plus - function)),
				      .vaddr = vaddr };
	}
	if (colon) {
		return (struct wish){ .file = g_strndup(function, (gsize)(colon - function)),
				      .name = g_strdup(colon + 1) };
	}
	return (struct wish){ .name = g_strdup(function) };
}

static bool is_known(const GArray *places, const char *path, uint64_t offset)
{
	for (guint i = 0; i < places->len; i++) {
		const struct place *place = &g_array_index(places, struct place, i);

		if (place->offset == offset && g_str_equal(place->path, path)) {
			return true;
		}
	}
	return false;
}

/* Number of places at `vaddr`: 1, or 0 without code. */
static guint add_place(const char *path, const struct itp_elf_symbols *symbols, uint64_t vaddr,
		       GArray *places)
{
	struct itp_bytes code = itp_elf_image_at(&symbols->image, vaddr);
	uint64_t offset = code.size > 0 ? (uint64_t)(code.data - symbols->image.map.bytes.data) : 0;

	if (code.size > 0 && !is_known(places, path, offset)) {
		const struct place place = { .path = g_strdup(path), .offset = offset };

		g_array_append_val(places, place);
	}
	return code.size > 0;
}

/* Returns how many of the places in the file are meant, as far as they are not too many. */
static guint search(const char *path, const struct wish *wish, GArray *places)
{
	const struct itp_module_origin origin = { .path = path, .build_id = "" };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_module *module = itp_module_new(&origin, functions);
	const struct itp_elf_symbols *symbols = itp_module_symbols(module);
	guint found = 0;

	if (symbols && !wish->name) {
		found = add_place(path, symbols, wish->vaddr, places);
	}
	for (guint i = 0; symbols && wish->name && i < symbols->table.symbols->len; i++) {
		const struct itp_symbol *symbol =
			&g_array_index(symbols->table.symbols, struct itp_symbol, i);

		if (found <= MAX_PLACES && itp_symbol_is_meant(symbol, wish->name)) {
			found += add_place(path, symbols, symbol->start, places);
		}
	}
	itp_module_free(module);
	itp_function_table_free(functions);
	return found;
}

/* Files meant by the user. */
static GPtrArray *choose_files(const struct wish *wish, const GPtrArray *files)
{
	GPtrArray *chosen = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < files->len; i++) {
		const char *path = g_ptr_array_index(files, i);
		g_autofree char *name = g_path_get_basename(path);

		if (!wish->file || g_str_equal(wish->file, name) || g_str_equal(wish->file, path)) {
			g_ptr_array_add(chosen, g_strdup(path));
		}
	}
	/* A file that is loaded later. */
	if (chosen->len == 0 && wish->file && g_path_is_absolute(wish->file)) {
		g_ptr_array_add(chosen, g_strdup(wish->file));
	}
	return chosen;
}

/* "program, libz.so.1 and 3 more" */
static char *names_of(const GPtrArray *files)
{
	const guint shown = MIN(files->len, 3);
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < shown; i++) {
		g_autofree char *name = g_path_get_basename(g_ptr_array_index(files, i));

		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", name);
	}
	if (files->len > shown) {
		g_string_append_printf(names, " and %u more", files->len - shown);
	}
	return g_string_free(names, FALSE);
}

static void explain(const char *function, const struct wish *wish, const GPtrArray *all,
		    const GPtrArray *chosen, guint found, GError **error)
{
	g_autofree char *names = names_of(chosen->len > 0 ? chosen : all);

	if (chosen->len == 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "--count %s: the target has no file %s, only %s; name others by their "
			    "path",
			    function, wish->file ? wish->file : "with code", names);
	} else if (found > 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "--count %s: more than %d functions are called so; name one as "
			    "FILE:F or FILE+0xADDRESS",
			    function, MAX_PLACES);
	} else {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			"--count %s: %s in %s; functions are named as results name them, and one "
			"that is part of another (inlined) has no calls",
			function, wish->name ? "no such function" : "no code at that address",
			names);
	}
}

/* Appends the places of `function` in `files`, paths of the target, unless already there. False
 * with an error when there are none, or too many. */
static bool find_places_of(const char *function, const GPtrArray *files, GArray *places,
			   GError **error)
{
	struct wish wish = parse(function);
	g_autoptr(GPtrArray) chosen = choose_files(&wish, files);
	guint found = 0;

	for (guint i = 0; i < chosen->len && found <= MAX_PLACES; i++) {
		found += search(g_ptr_array_index(chosen, i), &wish, places);
	}
	if (found == 0 || found > MAX_PLACES) {
		explain(function, &wish, files, chosen, found, error);
	}
	wish_release(&wish);
	return found > 0 && found <= MAX_PLACES;
}

/* Places of all functions; common places of two are counted once. */
static bool find_places(struct itp_probes *probes, char *const *functions,
			const struct itp_target *target, GPtrArray *definitions, GError **error)
{
	g_autoptr(GPtrArray) files = itp_target_files(target);
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(struct place));

	g_array_set_clear_func(places, clear_place);
	for (gsize i = 0; functions[i]; i++) {
		guint first = places->len;

		if (!find_places_of(functions[i], files, places, error)) {
			return false;
		}
		add_definitions(probes, functions[i], places, first, definitions);
	}
	return true;
}

struct itp_probes *itp_probes_new(char *const *functions, const struct itp_target *target,
				  GError **error)
{
	struct itp_probes *probes = g_new0(struct itp_probes, 1);
	g_autoptr(GPtrArray) definitions = g_ptr_array_new_with_free_func(g_free);

	probes->file = find_file();
	probes->group = make_group();
	probes->events = g_string_new(NULL);
	probes->removals = g_ptr_array_new_with_free_func(g_free);
	probes->gate = -1;
	if (!find_places(probes, functions, target, definitions, error) ||
	    !start_remover(probes, error) || !define(probes, definitions, error)) {
		itp_probes_free(probes);
		return NULL;
	}
	return probes;
}

const char *itp_probes_events(const struct itp_probes *probes)
{
	return probes->events->str;
}

void itp_probes_free(struct itp_probes *probes)
{
	if (!probes) {
		return;
	}
	if (probes->gate >= 0) {
		close(probes->gate);
	}
	if (probes->remover > 0) {
		while (waitpid(probes->remover, NULL, 0) < 0 && errno == EINTR) {
		}
	}
	g_free(probes->group);
	g_string_free(probes->events, TRUE);
	g_ptr_array_unref(probes->removals);
	g_free(probes);
}
