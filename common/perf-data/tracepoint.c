/* SPDX-License-Identifier: MIT */
/*
 * The layout of perf's tracing data, which is trace-cmd's: a preamble, the layouts of pages and
 * events, then formats by system, each text with its size in front. kallsyms, printk formats and
 * command lines may follow and are not used.
 *
 * libtraceevent 1.7 can be crashed with hostile texts. It gets only needed formats, only in the
 * kernel's shape, and without their print formats.
 */
#include "common/perf-data/tracepoint.h"

#include "common/base/memory.h"
#include "common/perf-data/record-types.h"

#include <traceevent/event-parse.h>

#define PREAMBLE "\027\010\104tracing"
/* Byte order, size of long, size of a page. */
#define PREAMBLE_REST_BYTES 6
#define MAX_FORMAT_BYTES (64u * 1024)
#define MAX_NAME_BYTES 128

struct known_event {
	const char *system;
	const char *name;
	enum itp_tracepoint_kind kind;
	const char *fields[ITP_TRACEPOINT_FIELDS];
	/* The field among `fields` that a format may lack. */
	const char *optional;
};

static const struct known_event known_events[] = {
	{ "raw_syscalls",
	  "sys_enter",
	  ITP_TRACEPOINT_SYS_ENTER,
	  { "common_pid", "id", "args" },
	  "args" },
	{ "raw_syscalls",
	  "sys_exit",
	  ITP_TRACEPOINT_SYS_EXIT,
	  { "common_pid", "id", "ret" },
	  NULL },
	{ "sched",
	  "sched_switch",
	  ITP_TRACEPOINT_SWITCH,
	  { "common_pid", "prev_state", "next_pid", "next_comm" },
	  NULL },
	{ "sched", "sched_wakeup", ITP_TRACEPOINT_WAKEUP, { "common_pid", "pid", "comm" }, "comm" },
	{ "sched",
	  "sched_wakeup_new",
	  ITP_TRACEPOINT_WAKEUP,
	  { "common_pid", "pid", "comm" },
	  "comm" },
	{ "sched", "sched_waking", ITP_TRACEPOINT_WAKEUP, { "common_pid", "pid", "comm" }, "comm" },
	{ "introperf",
	  "window",
	  ITP_TRACEPOINT_WINDOW,
	  { "common_pid", "one_in", "taken_ppm" },
	  NULL },
	{ "introperf", "in_call", ITP_TRACEPOINT_IN_CALL, { "common_pid", "id" }, NULL },
	{ "introperf", "had_cpu", ITP_TRACEPOINT_HAD_CPU, { "common_pid", "comm" }, NULL },
};

static const struct known_event probe_event = {
	.kind = ITP_TRACEPOINT_CALL,
	.fields = { "common_pid", "__probe_ip" },
};

/* Lines of a format, in the kernel's shape. */
#define NAME_LINE "^name: [A-Za-z0-9_]{1,100}$"
#define ID_LINE "^ID: [0-9]{1,5}$"
#define FIELD_LINE                                                                       \
	"^\tfield:([A-Za-z_][A-Za-z0-9_]{0,30}( \\*)? ){1,5}[A-Za-z_][A-Za-z0-9_]{0,30}" \
	"(\\[[A-Za-z0-9_]{1,30}\\])?;"                                                   \
	"\toffset:[0-9]{1,5};\tsize:[0-9]{1,5};(\tsigned:[01];)?$"

/* The used part of a format: everything before its print format. */
struct format {
	/* Owned by this; NULL-terminated. */
	char **lines;
	/* Number of lines before the print format. */
	size_t count;
};

static const struct known_event *find_known(const char *system, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known_events); i++) {
		if (g_str_equal(known_events[i].system, system) &&
		    g_str_equal(known_events[i].name, name)) {
			return &known_events[i];
		}
	}
	return g_str_has_prefix(system, ITP_PROBE_GROUP_PREFIX) ? &probe_event : NULL;
}

static bool split_format(const uint8_t *text, size_t size, struct format *ret_format)
{
	g_autofree char *copy = g_strndup((const char *)text, size);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	size_t count = 0;

	while (lines[count] && !g_str_has_prefix(lines[count], "print fmt:")) {
		const char *pattern = count == 0 ? NAME_LINE :
				      count == 1 ? ID_LINE :
				      count == 2 ? "^format:$" :
						   FIELD_LINE;

		if ((count < 3 || lines[count][0] != '\0') &&
		    !g_regex_match_simple(pattern, lines[count], 0, 0)) {
			return false;
		}
		count++;
	}
	if (count < 3) {
		return false;
	}
	*ret_format = (struct format){ .lines = g_steal_pointer(&lines), .count = count };
	return true;
}

/* Hands the format to libtraceevent. */
static struct tep_event *parse_format(struct tep_handle *tep, const struct format *format,
				      const char *system, int id)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < format->count; i++) {
		g_string_append_printf(text, "%s\n", format->lines[i]);
	}
	g_string_append(text, "\nprint fmt: \"\"\n");
	if (tep_parse_event(tep, text->str, text->len, system) != TEP_ERRNO__SUCCESS) {
		return NULL;
	}
	return tep_find_event(tep, id);
}

static struct itp_tracepoint describe_tracepoint(const struct known_event *known,
						 struct tep_event *event)
{
	struct itp_tracepoint tracepoint = { .kind = known->kind };

	for (size_t i = 0; i < ITP_TRACEPOINT_FIELDS && known->fields[i]; i++) {
		const struct tep_format_field *field = tep_find_any_field(event, known->fields[i]);

		if (!field && g_strcmp0(known->fields[i], known->optional) == 0) {
			continue;
		}
		if (!field || field->offset < 0 || field->size <= 0) {
			return (struct itp_tracepoint){ .kind = ITP_TRACEPOINT_OTHER };
		}
		tracepoint.fields[i] = (struct itp_raw_field){
			.offset = (uint32_t)field->offset,
			.size = (uint32_t)field->size,
			.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
		};
	}
	return tracepoint;
}

/* State of the reading. All members are weak. */
struct reading {
	const struct itp_perf_file *file;
	struct tep_handle *tep;
	struct itp_tracepoint *tracepoints;
};

static bool is_wanted(const struct itp_perf_attr *attr, uint64_t id)
{
	return attr->type == PERF_TYPE_TRACEPOINT && attr->config == id;
}

static bool is_any_wanted(const struct itp_perf_file *file, uint64_t id)
{
	for (guint i = 0; i < file->attrs->len; i++) {
		if (is_wanted(itp_perf_file_attr(file, i), id)) {
			return true;
		}
	}
	return false;
}

/* Returns 0, also for an unusable format, or ITP_ERROR_MEMORY. */
static int use_format(const struct reading *reading, const char *system, const uint8_t *text,
		      size_t size)
{
	const struct known_event *known;
	struct format format;
	struct tep_event *event = NULL;
	uint64_t id;
	bool has_lacked;

	itp_memory_begin();
	if (size > MAX_FORMAT_BYTES || !split_format(text, size, &format)) {
		return itp_memory_lacked() ? ITP_ERROR_MEMORY : 0;
	}
	known = find_known(system, format.lines[0] + strlen("name: "));
	id = g_ascii_strtoull(format.lines[1] + strlen("ID: "), NULL, 10);
	itp_memory_begin();
	if (known && is_any_wanted(reading->file, id)) {
		event = parse_format(reading->tep, &format, system, (int)id);
	}
	has_lacked = itp_memory_lacked();
	for (guint i = 0; event && i < reading->file->attrs->len; i++) {
		if (is_wanted(itp_perf_file_attr(reading->file, i), id)) {
			reading->tracepoints[i] = describe_tracepoint(known, event);
		}
	}
	g_strfreev(format.lines);
	return has_lacked ? ITP_ERROR_MEMORY : 0;
}

/* A text with its size in front. */
static const uint8_t *take_text(struct itp_bytes *bytes, uint64_t *ret_size)
{
	return itp_bytes_u64(bytes, ret_size) ? itp_bytes_take(bytes, *ret_size) : NULL;
}

static bool skip_named_text(struct itp_bytes *bytes, const char *name)
{
	const char *found = itp_bytes_string(bytes);
	uint64_t size;

	return found && g_str_equal(found, name) && take_text(bytes, &size);
}

static bool skip_preamble(struct itp_bytes *bytes)
{
	const uint8_t *preamble = itp_bytes_take(bytes, strlen(PREAMBLE));
	const char *version = itp_bytes_string(bytes);
	const uint8_t *rest = itp_bytes_take(bytes, PREAMBLE_REST_BYTES);

	return preamble && memcmp(preamble, PREAMBLE, strlen(PREAMBLE)) == 0 && version && rest &&
	       rest[0] == 0 && skip_named_text(bytes, "header_page") &&
	       skip_named_text(bytes, "header_event");
}

/* Takes a counted list of formats; formats of ftrace itself have no `system` and are skipped. */
static int take_formats(const struct reading *reading, struct itp_bytes *bytes, const char *system)
{
	uint32_t count;
	int error = 0;

	if (!itp_bytes_u32(bytes, &count)) {
		return ITP_ERROR_CORRUPT;
	}
	for (uint32_t i = 0; error == 0 && i < count; i++) {
		uint64_t size;
		const uint8_t *text = take_text(bytes, &size);

		if (!text) {
			return ITP_ERROR_CORRUPT;
		}
		error = system ? use_format(reading, system, text, (size_t)size) : 0;
	}
	return error;
}

static int take_systems(const struct reading *reading, struct itp_bytes *bytes)
{
	uint32_t count;
	int error = 0;

	if (!itp_bytes_u32(bytes, &count)) {
		return ITP_ERROR_CORRUPT;
	}
	for (uint32_t i = 0; error == 0 && i < count; i++) {
		const char *system = itp_bytes_string(bytes);

		if (!system || strlen(system) > MAX_NAME_BYTES) {
			return ITP_ERROR_CORRUPT;
		}
		error = take_formats(reading, bytes, system);
	}
	return error;
}

/* False when memory runs out. */
static bool begin_reading(struct reading *reading, const struct itp_perf_file *file,
			  struct itp_tracepoint *tracepoints)
{
	*reading = (struct reading){ .file = file, .tep = tep_alloc(), .tracepoints = tracepoints };
	if (!reading->tep) {
		return false;
	}
	/* The library would complain to standard error. */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(reading->tep, sizeof(uint64_t));
	return true;
}

int itp_tracepoints_read(const struct itp_perf_file *file, struct itp_bytes tracing_data,
			 struct itp_tracepoint **ret_tracepoints)
{
	struct itp_bytes bytes = tracing_data;
	struct reading reading;
	int error = 0;

	*ret_tracepoints = g_new0(struct itp_tracepoint, file->attrs->len);
	if (!begin_reading(&reading, file, *ret_tracepoints)) {
		return ITP_ERROR_MEMORY;
	}
	if (bytes.size > 0) {
		error = skip_preamble(&bytes) ? take_formats(&reading, &bytes, NULL) :
						ITP_ERROR_CORRUPT;
	}
	if (bytes.size > 0 && error == 0) {
		error = take_systems(&reading, &bytes);
	}
	tep_free(reading.tep);
	return error;
}

/* Returns 1, 0 without a format, or ITP_ERROR_MEMORY. */
static int use_running_format(const struct reading *reading, const char *directory,
			      const struct known_event *known)
{
	g_autofree char *path =
		g_build_filename(directory, "events", known->system, known->name, "format", NULL);
	g_autofree char *text = NULL;
	gsize size;

	if (!g_file_get_contents(path, &text, &size, NULL)) {
		return 0;
	}
	return use_format(reading, known->system, (const uint8_t *)text, size) == 0 ?
		       1 :
		       ITP_ERROR_MEMORY;
}

bool itp_tracepoints_read_running(const struct itp_perf_file *file,
				  struct itp_tracepoint *tracepoints)
{
	static const char *const directories[] = { "/sys/kernel/tracing",
						   "/sys/kernel/debug/tracing" };
	struct reading reading;
	bool found = false;
	int result = 0;

	if (!begin_reading(&reading, file, tracepoints)) {
		return false;
	}
	for (size_t i = 0; !found && i < G_N_ELEMENTS(directories); i++) {
		for (size_t j = 0; result >= 0 && j < G_N_ELEMENTS(known_events); j++) {
			result = use_running_format(&reading, directories[i], &known_events[j]);
			found |= result > 0;
		}
	}
	tep_free(reading.tep);
	return found && result >= 0;
}

/* Fields of the known events, in their order. */
static const struct itp_raw_field usual_fields[][ITP_TRACEPOINT_FIELDS] = {
	[ITP_TRACEPOINT_SYS_ENTER] = { { 4, 4, true }, { 8, 8, true }, { 16, 48, false } },
	[ITP_TRACEPOINT_SYS_EXIT] = { { 4, 4, true }, { 8, 8, true }, { 16, 8, true } },
	[ITP_TRACEPOINT_SWITCH] = { { 4, 4, true },
				    { 32, 8, true },
				    { 56, 4, true },
				    { 40, 16, false } },
	[ITP_TRACEPOINT_WAKEUP] = { { 4, 4, true }, { 24, 4, true } },
	[ITP_TRACEPOINT_CALL] = { { 4, 4, true }, { 8, 8, false } },
	[ITP_TRACEPOINT_IN_CALL] = { { 4, 4, true }, { 8, 8, true } },
	[ITP_TRACEPOINT_HAD_CPU] = { { 4, 4, true }, { 8, 16, false } },
	[ITP_TRACEPOINT_WINDOW] = { { 4, 4, true }, { 8, 8, true }, { 16, 8, true } },
};

struct itp_tracepoint itp_tracepoint_usual(const char *name)
{
	struct itp_tracepoint tracepoint = { .kind = ITP_TRACEPOINT_OTHER };
	g_auto(GStrv) parts = g_strsplit(name, ":", 3);
	const struct known_event *known = parts[0] && parts[1] ? find_known(parts[0], parts[1]) :
								 NULL;

	if (known) {
		tracepoint.kind = known->kind;
		memcpy(tracepoint.fields, usual_fields[known->kind], sizeof(tracepoint.fields));
	}
	return tracepoint;
}

bool itp_tracepoint_element(const struct itp_raw_field *field, const struct itp_bytes *raw,
			    uint32_t index, uint64_t *ret_number)
{
	const uint32_t bytes = (uint32_t)sizeof(*ret_number);

	if (index >= field->size / bytes || field->size > raw->size ||
	    field->offset > raw->size - field->size) {
		return false;
	}
	*ret_number = itp_load_u64(raw->data + field->offset + index * bytes);
	return true;
}

bool itp_tracepoint_number(const struct itp_raw_field *field, const struct itp_bytes *raw,
			   int64_t *ret_number)
{
	const uint8_t *place;

	if (field->size > raw->size || field->offset > raw->size - field->size) {
		return false;
	}
	place = raw->data + field->offset;
	switch (field->size) {
	case 8:
		*ret_number = (int64_t)itp_load_u64(place);
		return true;
	case 4:
		*ret_number = field->is_signed ? (int64_t)(int32_t)itp_load_u32(place) :
						 (int64_t)itp_load_u32(place);
		return true;
	default:
		return false;
	}
}
