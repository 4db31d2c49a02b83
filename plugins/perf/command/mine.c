/* SPDX-License-Identifier: MIT */
/*
 * See program.h: mine. Stacks are added in the order of the inputs, good ones first; what is made
 * of them is common/mining-job's.
 */
#include "common/base/failure.h"
#include "common/engine/inputs.h"
#include "common/engine/interrupt.h"
#include "common/mine/alarms.h"
#include "common/mining-job/mined-recordings.h"
#include "plugins/babeltrace/graphs/mined-traces.h"
#include "plugins/perf/command/mine-options.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/reading.h"

/* Share of the lost time from which on unseen ends of waits are told. */
#define MUCH 0.1

/* An input. */
struct input {
	/* Weak. */
	const char *path;
	bool of_base;
	/* Alarms of a guard. */
	bool is_of_guard;
	/* Inputs in it; of a directory without any, the reason. Owned by this. */
	struct itp_inputs kinds;
	GError *error;
};

struct reading {
	const struct itp_mine_request *request;
	/* struct input; and the rest. Owned by this. */
	GArray *inputs;
	struct itp_mining_job job;
	struct itp_mined_recordings *recordings;
	struct itp_progress_line line;
	struct itp_interrupt interrupt;
};

static bool look_whether_wanted(const struct itp_progress *progress, void *data)
{
	struct reading *reading = data;

	(void)progress;
	(void)itp_interrupt_take(&reading->interrupt);
	return !itp_interrupt_has_ended_early(&reading->interrupt);
}

static void tell_warning(const char *text, void *data)
{
	itp_reading_warn(text, &((struct reading *)data)->line);
}

static void clear_input(gpointer data)
{
	struct input *input = data;

	itp_inputs_release(&input->kinds);
	g_clear_error(&input->error);
}

static void find_inputs(GArray *inputs, char **paths, bool of_base)
{
	for (guint i = 0; paths && paths[i]; i++) {
		struct input input = { .path = paths[i], .of_base = of_base };

		itp_inputs_init(&input.kinds);
		input.is_of_guard = itp_alarms_is_file(paths[i]);
		if (!input.is_of_guard) {
			itp_inputs_add(&input.kinds, paths[i], &input.error);
		}
		g_array_append_val(inputs, input);
	}
}

static bool is_recording(const struct input *input)
{
	return input->kinds.recordings->len > 0;
}

/* Paths of all inputs, or of the recordings among them: char *, weak. */
static GPtrArray *paths_of(const GArray *inputs, bool only_recordings)
{
	GPtrArray *paths = g_ptr_array_new();

	for (guint i = 0; i < inputs->len; i++) {
		const struct input *input = &g_array_index(inputs, struct input, i);

		if (!only_recordings || is_recording(input)) {
			g_ptr_array_add(paths, (char *)input->path);
		}
	}
	return paths;
}

/* ---- Reading ---- */

/* Saved interests, or traces of other tracers. */
static bool add_traces(struct reading *reading, const struct input *input, GError **error)
{
	if (input->error) {
		g_propagate_error(error, g_error_copy(input->error));
		return false;
	}
	if (input->kinds.profiles->len > 0) {
		itp_failure_set(error, ITP_MINED_NOTHING_TEXT, input->path);
		return false;
	}
	const struct itp_mined_traces traces = {
		.directories = g_ptr_array_index(input->kinds.traces, 0),
		.path = input->path,
		.of_base = input->of_base,
		.values = reading->request->options.values,
		.wait = reading->request->wait,
	};

	return itp_mined_traces_add(&traces, &reading->job, &reading->interrupt, error);
}

static bool add_input(struct reading *reading, const struct input *input, GError **error)
{
	const struct itp_recordings_watch watch = { .progress = look_whether_wanted,
						    .tell = tell_warning,
						    .data = reading };

	if (input->is_of_guard) {
		return itp_mining_add_alarms(&reading->job.mining, input->of_base, input->path,
					     error);
	}
	return is_recording(input) ? itp_mined_recordings_add_next(reading->recordings,
								   input->of_base, &watch, error) :
				     add_traces(reading, input, error);
}

/* Files that cannot be read are named and counted; the others are mined. */
static void read_all(struct reading *reading)
{
	for (guint i = 0; i < reading->inputs->len && look_whether_wanted(NULL, reading); i++) {
		g_autoptr(GError) error = NULL;

		itp_progress_line_update(&reading->line, "reading", i, reading->inputs->len);
		if (!add_input(reading, &g_array_index(reading->inputs, struct input, i), &error) &&
		    error) {
			reading->job.broken++;
			itp_reading_warn(error->message, &reading->line);
		}
	}
	itp_progress_line_end(&reading->line);
}

/* Advice on recording more, where it matters. */
static void tell_unseen(struct reading *reading)
{
	const struct itp_mining *mining = &reading->job.mining;
	const struct itp_mined_trace sum = itp_mining_sum(mining->traces);
	const char *first = NULL;
	guint count = itp_mining_unseen(mining, &first);
	g_autofree char *which =
		count == 1 ? g_strdup_printf("%s does", first) :
			     g_strdup_printf("%u recordings, such as %s, do", count, first);
	g_autofree char *text = NULL;

	if (count > 0 && (double)sum.unseen_ns >= MUCH * (double)sum.cost_ns) {
		text = g_strdup_printf(
			"%.0f %% of the lost time are waits of which %s not tell who "
			"ended them; what perf introperf record -a records does",
			100 * (double)sum.unseen_ns / (double)sum.cost_ns, which);
		itp_reading_warn(text, &reading->line);
	}
}

static bool read_and_mine(struct reading *reading, GError **error)
{
	g_autoptr(GPtrArray) recordings = paths_of(reading->inputs, true);
	struct itp_reading_params params;
	bool done = itp_reading_params_init(&params, reading->request->options.values, error);

	if (done) {
		reading->recordings = itp_mined_recordings_new(recordings, &params, &reading->job);
		read_all(reading);
		tell_unseen(reading);
		itp_mined_recordings_free(reading->recordings);
		done = !itp_interrupt_has_ended_early(&reading->interrupt) &&
		       itp_mining_job_finish(&reading->job, error);
	}
	itp_reading_params_release(&params);
	return done;
}

/* ---- The command ---- */

static bool begin_job(struct reading *reading, GError **error)
{
	const struct itp_mine_request *request = reading->request;
	g_autoptr(GPtrArray) paths = paths_of(reading->inputs, false);

	if (!itp_mining_job_init(&reading->job, request->options.values[ITP_STAGE_RANK], paths,
				 error)) {
		return false;
	}
	reading->job.symptom = request->wait_params.symptom;
	reading->job.wish = reading->job.symptom ? &request->wish : NULL;
	reading->job.scope = request->wait_params.scope;
	reading->job.each = request->each ? g_string_new(NULL) : NULL;
	return true;
}

static bool run_job(struct reading *reading, GError **error)
{
	bool done = false;

	if (begin_job(reading, error)) {
		itp_progress_line_init(&reading->line);
		itp_interrupt_init(&reading->interrupt);
		done = read_and_mine(reading, error);
		itp_interrupt_release(&reading->interrupt);
		itp_progress_line_release(&reading->line);
	}
	itp_mining_job_release(&reading->job);
	return done;
}

static enum itp_exit run_mine(const struct itp_mine_request *request, GError **error)
{
	struct reading reading = { .request = request,
				   .inputs = g_array_new(FALSE, FALSE, sizeof(struct input)) };
	bool done;

	g_array_set_clear_func(reading.inputs, clear_input);
	find_inputs(reading.inputs, request->base, true);
	find_inputs(reading.inputs, request->files, false);
	done = run_job(&reading, error);
	g_array_unref(reading.inputs);
	if (itp_interrupt_has_ended_early(&reading.interrupt)) {
		itp_failure_set(error, "interrupted before all was read");
		return ITP_EXIT_INTERRUPTED;
	}
	return done && reading.job.broken == 0 ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_mine_run(char **arguments)
{
	struct itp_mine_request request;
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (itp_mine_request_parse(&request, arguments, &error)) {
		code = run_mine(&request, &error);
	}
	itp_complain_of(error);
	itp_mine_request_release(&request);
	return code;
}
