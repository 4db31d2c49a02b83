/* SPDX-License-Identifier: MIT */
/*
 * See input.h. What the recording says about its machine goes into the trace's environment.
 */
#include "sources/perf/input.h"

#include <errno.h>
#include <unistd.h>

#include "common/perf-data/pipe-layout.h"
#include "messages/failure.h"

#define NS_PER_US 1000
/* perf may hold back events that long. */
#define DELAY_NS 500000000

void itp_perf_session_free(struct itp_perf_session *session)
{
	if (!session) {
		return;
	}
	itp_perf_reader_free(session->reader);
	itp_function_table_free(session->functions);
	g_free(session);
}

/* The recording, or the file in its directory that something is about. Owned by the caller. */
static char *place_of(const struct itp_perf_input *input, const char *part)
{
	return part ? g_build_filename(input->path, part, NULL) : g_strdup(input->path);
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
		g_clear_pointer(&session, itp_perf_session_free);
	}
	return session;
}

/* What comes through a pipe is copied, because it can neither be mapped nor read again. */
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
	GError *error = NULL;

	if (code == ITP_ERROR_TRUNCATED) {
		itp_failure_set(&error,
				"%s: the file is truncated at byte %" G_GUINT64_FORMAT
				" of %" G_GUINT64_FORMAT
				"; what was read until there is reported as incomplete",
				place, offset, itp_perf_reader_file_size(session->reader));
	} else {
		itp_failure_set(&error,
				"%s: %s (at byte %" G_GUINT64_FORMAT
				"); what was read until there is reported as incomplete",
				place, itp_error_text(code), offset);
	}
	return error;
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

bool itp_perf_input_has_epoch(const struct itp_perf_input *input)
{
	return itp_perf_reader_description(input->opened->reader)->has_epoch;
}

struct itp_output_clock itp_perf_input_clock(const struct itp_perf_input *input, bool is_wall)
{
	return (struct itp_output_clock){
		.has_epoch = is_wall,
		.epoch_offset_ns =
			itp_perf_reader_description(input->opened->reader)->epoch_offset_ns,
	};
}

char *itp_perf_input_name(const struct itp_perf_input *input)
{
	return input->options.grows ? g_strdup("live") : g_path_get_basename(input->path);
}

bool itp_perf_input_describe(const struct itp_perf_input *input, struct itp_output *output,
			     GError **error)
{
	const struct itp_perf_description *description =
		itp_perf_reader_description(input->opened->reader);
	g_autofree char *name = itp_perf_input_name(input);
	const struct {
		const char *name;
		const char *text;
	} entries[] = {
		{ "introperf_input", input->options.grows ? name : input->path },
		{ "hostname", description->hostname },
		{ "kernel_release", description->os_release },
		{ "architecture", description->arch },
		{ "perf_version", description->perf_version },
		{ "perf_command_line", description->command_line },
		{ "perf_events", description->events },
		{ "perf_call_graph", description->call_graph },
	};
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(entries); i++) {
		if (!itp_output_set_environment(output, entries[i].name, entries[i].text, error)) {
			return false;
		}
	}
	return itp_output_set_name(output, name, error);
}

bool itp_perf_input_publish(struct itp_perf_input *input, bt_self_component *self, bool is_wall,
			    GError **error)
{
	const struct itp_output_clock clock = itp_perf_input_clock(input, is_wall);

	input->output = itp_output_new(self, 1U << ITP_RECORD_STACK | 1U << ITP_RECORD_FUNCTION,
				       &clock, error);
	return input->output && itp_perf_input_describe(input, input->output, error) &&
	       itp_output_open(input->output, error);
}

void itp_perf_input_free(struct itp_perf_input *input)
{
	if (!input) {
		return;
	}
	itp_perf_session_free(input->opened);
	itp_output_free(input->output);
	if (input->spool >= 0) {
		close(input->spool);
	}
	g_free(input->path);
	g_free(input);
}
