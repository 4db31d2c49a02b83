/* SPDX-License-Identifier: MIT */
/*
 * See perf-inputs.h.
 */
#include "common/engine/perf-inputs.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/base/failure.h"
#include "common/base/watched.h"
#include "common/perf-data/pipe-layout.h"

#define NS_PER_US 1000
/* Longest time for which perf may hold back events. */
#define DELAY_NS 500000000

const char *const itp_perf_clock_names[] = {
	[ITP_PERF_CLOCK_AUTO] = "auto",
	[ITP_PERF_CLOCK_RECORDING] = "recording",
	[ITP_PERF_CLOCK_WALL] = "wall",
	NULL,
};

void itp_perf_session_free(struct itp_perf_session *session)
{
	if (!session) {
		return;
	}
	itp_perf_reader_free(session->reader);
	itp_function_table_free(session->functions);
	g_free(session);
}

/* The recording, or the file `part` in its directory. Owned by the caller. */
static char *place_of(const struct itp_perf_input *input, const char *part)
{
	return part ? g_build_filename(input->path, part, NULL) : g_strdup(input->path);
}

/* Names of containers are given if they were asked for. */
static bool check_containers(const struct itp_perf_input *input, struct itp_perf_reader *reader,
			     GError **error)
{
	const bool is_fine = !input->options.names_containers ||
			     itp_perf_reader_tells_containers(reader);

	if (!is_fine) {
		itp_failure_set(error,
				"%s: the recording does not tell containers; record with `perf "
				"introperf record`, or with `perf record --all-cgroups`",
				input->path);
	}
	return is_fine;
}

struct itp_perf_session *itp_perf_session_new(const struct itp_perf_input *input, GError **error)
{
	struct itp_perf_session *session = g_new0(struct itp_perf_session, 1);
	enum itp_error code = ITP_OK;
	g_autofree char *copy =
		input->spool >= 0 ? g_strdup_printf("/proc/self/fd/%d", input->spool) : NULL;
	g_autofree char *part = NULL;

	session->functions = itp_function_table_new();
	session->reader = itp_perf_reader_open(copy ? copy : input->path, &input->options,
					       session->functions, &code, &part);
	if (!session->reader) {
		const int saved_errno = errno;
		g_autofree char *place = place_of(input, part);

		itp_failure_set(error, "%s: %s", place,
				code == ITP_ERROR_IO ? g_strerror(saved_errno) :
						       itp_error_text(code));
	}
	if (!session->reader || !check_containers(input, session->reader, error)) {
		g_clear_pointer(&session, itp_perf_session_free);
	}
	return session;
}

/* Copies a pipe, which can neither be mapped nor read again. */
static bool spool(struct itp_perf_input *input, GError **error)
{
	if (!input->options.grows && g_str_equal(input->path, ITP_PERF_STANDARD_INPUT) &&
	    itp_pipe_spool(STDIN_FILENO, &input->spool) != 0) {
		itp_failure_set(error, "standard input cannot be copied to a temporary file: %s",
				g_strerror(errno));
		return false;
	}
	return true;
}

struct itp_perf_input *itp_perf_input_new(const char *path, const struct itp_perf_options *options,
					  GError **error)
{
	struct itp_perf_input *input = g_new0(struct itp_perf_input, 1);

	input->path = g_strdup(path);
	input->options = *options;
	input->spool = -1;
	if (spool(input, error)) {
		input->opened = itp_perf_session_new(input, error);
	}
	if (!input->opened) {
		g_clear_pointer(&input, itp_perf_input_free);
	}
	return input;
}

GError *itp_perf_session_failure(const struct itp_perf_session *session,
				 const struct itp_perf_input *input, int code)
{
	uint64_t offset = itp_perf_reader_offset(session->reader);
	g_autofree char *place = place_of(input, itp_perf_reader_part(session->reader));

	if (code == ITP_ERROR_TRUNCATED) {
		return g_error_new(itp_failure_quark(), ITP_FAILURE_PART,
				   "%s: the file is truncated at byte %" G_GUINT64_FORMAT
				   " of %" G_GUINT64_FORMAT,
				   place, offset, itp_perf_reader_file_size(session->reader));
	}
	return g_error_new(itp_failure_quark(), ITP_FAILURE_PART,
			   "%s: %s (at byte %" G_GUINT64_FORMAT ")", place, itp_error_text(code),
			   offset);
}

bool itp_perf_silence_pass(struct itp_perf_silence *silence, struct itp_perf_reader *reader,
			   int64_t *ret_time_ns)
{
	const int64_t now_ns = g_get_monotonic_time() * NS_PER_US;

	if (silence->since_ns == 0) {
		silence->since_ns = now_ns;
	}
	if (now_ns - MAX(silence->since_ns, silence->told_ns) < 2 * DELAY_NS ||
	    !itp_perf_reader_pass(reader, now_ns - DELAY_NS)) {
		return false;
	}
	silence->told_ns = now_ns - DELAY_NS;
	*ret_time_ns = silence->told_ns;
	return true;
}

struct itp_clock itp_perf_input_clock(const struct itp_perf_input *input, bool is_wall)
{
	return (struct itp_clock){
		.has_epoch = is_wall,
		.offset_ns = is_wall ? itp_perf_reader_description(input->opened->reader)
					       ->epoch_offset_ns :
				       0,
	};
}

char *itp_perf_input_name(const struct itp_perf_input *input)
{
	return input->options.grows ? g_strdup("live") : g_path_get_basename(input->path);
}

bool itp_perf_input_tell_facts(const struct itp_perf_input *input, itp_fact_func *tell, void *data)
{
	const struct itp_perf_description *description =
		itp_perf_reader_description(input->opened->reader);
	g_autofree char *name = itp_perf_input_name(input);
	g_autofree char *watched = itp_watched_text(itp_perf_reader_watched(input->opened->reader));
	const struct {
		const char *name;
		const char *text;
	} entries[] = {
		{ ITP_INPUT_ENTRY, input->options.grows ? name : input->path },
		{ "hostname", description->hostname },
		{ "kernel_release", description->os_release },
		{ "architecture", description->arch },
		{ "perf_version", description->perf_version },
		{ "perf_command_line", description->command_line },
		{ "perf_events", description->events },
		{ "perf_call_graph", description->call_graph },
		{ ITP_WATCHED_ENTRY, watched[0] ? watched : NULL },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
		if (!tell(entries[i].name, entries[i].text, data)) {
			return false;
		}
	}
	return true;
}

void itp_perf_input_free(struct itp_perf_input *input)
{
	if (!input) {
		return;
	}
	itp_perf_session_free(input->opened);
	if (input->spool >= 0) {
		close(input->spool);
	}
	g_free(input->path);
	g_free(input);
}

/* Standard input can be read only once. */
static bool check_standard_input(const GPtrArray *paths, GError **error)
{
	guint count = 0;

	for (guint i = 0; i < paths->len; i++) {
		count += g_str_equal(g_ptr_array_index(paths, i), ITP_PERF_STANDARD_INPUT);
	}
	if (count > 1) {
		itp_failure_set(error, "\"%s\" is there %u times; standard input can be read once",
				ITP_PERF_STANDARD_INPUT, count);
	}
	return count <= 1;
}

static bool are_same_file(const char *path, const char *other)
{
	GStatBuf status;
	GStatBuf other_status;

	return g_stat(path, &status) == 0 && g_stat(other, &other_status) == 0 &&
	       status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

/* A recording compared with itself tells nothing, and its events would all come twice. */
static bool check_repeated(const GPtrArray *paths, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);

		for (guint k = 0; k < i; k++) {
			const char *other = g_ptr_array_index(paths, k);

			if (are_same_file(path, other)) {
				itp_failure_set(error,
						"%s and %s are the same recording; name each once",
						other, path);
				return false;
			}
		}
	}
	return true;
}

static bool open_inputs(struct itp_perf_inputs *inputs, const GPtrArray *paths,
			const struct itp_perf_options *options, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		struct itp_perf_input *input =
			itp_perf_input_new(g_ptr_array_index(paths, i), options, error);

		if (!input) {
			return false;
		}
		g_ptr_array_add(inputs->list, input);
	}
	return true;
}

/* Decides whether the times of all inputs become times of day. */
static bool choose_clock(struct itp_perf_inputs *inputs, enum itp_perf_clock clock, GError **error)
{
	inputs->is_wall = clock != ITP_PERF_CLOCK_RECORDING;
	for (guint i = 0; inputs->is_wall && i < inputs->list->len; i++) {
		const struct itp_perf_input *input = g_ptr_array_index(inputs->list, i);

		inputs->is_wall = itp_perf_reader_description(input->opened->reader)->has_epoch;
		if (!inputs->is_wall && clock == ITP_PERF_CLOCK_WALL) {
			itp_failure_set(error,
					"%s: parameter \"clock\": the recording does not tell the "
					"time of day; record with `perf record -k CLOCK_MONOTONIC`",
					input->path);
			return false;
		}
	}
	return true;
}

bool itp_perf_inputs_init(struct itp_perf_inputs *inputs, const GPtrArray *paths,
			  const struct itp_perf_options *options, enum itp_perf_clock clock,
			  GError **error)
{
	inputs->list = g_ptr_array_new_with_free_func((GDestroyNotify)itp_perf_input_free);
	return check_standard_input(paths, error) && check_repeated(paths, error) &&
	       open_inputs(inputs, paths, options, error) && choose_clock(inputs, clock, error);
}

void itp_perf_inputs_release(struct itp_perf_inputs *inputs)
{
	g_clear_pointer(&inputs->list, g_ptr_array_unref);
}
