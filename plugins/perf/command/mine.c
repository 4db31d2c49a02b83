/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: mine. Stacks are added in the order of the inputs, good ones first; their common
 * analysis is sink.introperf.mine's.
 */
#include "common/base/failure.h"
#include "common/engine/inputs.h"
#include "common/engine/write.h"
#include "common/mine/alarms.h"
#include "plugins/perf/command/interests.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/mine-options.h"
#include "plugins/perf/command/reading.h"
#include "common/engine/interrupt.h"
#include "plugins/babeltrace/graphs/traces.h"
#include "sinks/mine/mine.h"
#include "terminal/terminal.h"

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
	/* struct input. Owned by this. */
	GArray *inputs;
	/* Sink for mining. Owned by this. */
	struct itp_rank_sink *sink;
	struct itp_interests *interests;
	struct itp_progress_line line;
	struct itp_interrupt interrupt;
	guint broken;
};

static bool look(const struct itp_progress *progress, void *data)
{
	struct reading *reading = data;

	(void)progress;
	(void)itp_interrupt_take(&reading->interrupt);
	return !itp_interrupt_has_ended_early(&reading->interrupt);
}

static void tell(const char *text, void *data)
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

/* char *, weak. */
static GPtrArray *recordings_of(const GArray *inputs)
{
	GPtrArray *paths = g_ptr_array_new();

	for (guint i = 0; i < inputs->len; i++) {
		const struct input *input = &g_array_index(inputs, struct input, i);

		if (is_recording(input)) {
			g_ptr_array_add(paths, (char *)input->path);
		}
	}
	return paths;
}

/* ---- Reading ---- */

/* Saved interests, or traces of other tracers. */
static bool add_traces(struct reading *reading, const struct input *input, GError **error)
{
	g_autoptr(GPtrArray) graphs = NULL;
	GError *reason = NULL;
	bool done;

	if (input->error) {
		g_propagate_error(error, g_error_copy(input->error));
		return false;
	}
	graphs = itp_traces_new_interests(g_ptr_array_index(input->kinds.traces, 0),
					  reading->request->options.values, reading->request->wait,
					  reading->sink, &reason);
	done = graphs && itp_traces_read(graphs, &reading->interrupt, &reason);
	if (!itp_mine_take(reading->sink, input->path, input->of_base) && done) {
		itp_failure_set(&reason, "%s: holds no symptoms, nor what these are found in",
				input->path);
	}
	if (reason) {
		g_propagate_error(error, reason);
	}
	return !reason;
}

static bool add_input(struct reading *reading, const struct input *input, GError **error)
{
	const struct itp_recordings_watch watch = { .progress = look,
						    .tell = tell,
						    .data = reading };

	if (input->is_of_guard) {
		return itp_mining_add_alarms(itp_mine_mining(reading->sink), input->of_base,
					     input->path, error);
	}
	return is_recording(input) ?
		       itp_interests_add_next(reading->interests, itp_mine_mining(reading->sink),
					      input->of_base, reading->request->symptoms, &watch,
					      error) :
		       add_traces(reading, input, error);
}

/* Files that cannot be read are named and counted; the others are mined. */
static void read_all(struct reading *reading)
{
	for (guint i = 0; i < reading->inputs->len && look(NULL, reading); i++) {
		g_autoptr(GError) error = NULL;

		itp_progress_line_update(&reading->line, "reading", i, reading->inputs->len);
		if (!add_input(reading, &g_array_index(reading->inputs, struct input, i), &error) &&
		    error) {
			reading->broken++;
			itp_reading_warn(error->message, &reading->line);
		}
	}
	itp_progress_line_end(&reading->line);
}

/* Advice on recording more, where it matters. */
static void tell_unseen(struct reading *reading)
{
	const struct itp_mining *mining = itp_mine_mining(reading->sink);
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
	const struct itp_mine_request *request = reading->request;
	g_autoptr(GPtrArray) recordings = recordings_of(reading->inputs);
	struct itp_reading_params params;
	const struct itp_interest_options options = {
		.wish = request->wait_params.symptom ? &request->wish : NULL,
		.symptom = request->wait_params.symptom,
		.scope = request->wait_params.scope,
		.tells_each = request->each,
		.params = &params,
	};
	bool done = itp_reading_params_init(&params, request->options.values, error);

	if (done) {
		reading->interests = itp_interests_new(recordings, &options);
		read_all(reading);
		tell_unseen(reading);
		itp_interests_free(reading->interests);
		done = !itp_interrupt_has_ended_early(&reading->interrupt) &&
		       itp_rank_sink_end(reading->sink, ITP_RANK_ENDED, error);
	}
	itp_reading_params_release(&params);
	return done;
}

/* ---- The command ---- */

/* Outputs must harm none of the inputs. */
static bool check_outputs(const struct itp_mine_request *request, const GArray *inputs,
			  GError **error)
{
	static const char *const outputs[] = { "output", "save-signatures", "stacks" };
	GHashTable *values = request->options.values[ITP_STAGE_RANK];
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	bool is_good = true;

	for (guint i = 0; i < inputs->len; i++) {
		g_ptr_array_add(paths, (char *)g_array_index(inputs, struct input, i).path);
	}
	for (size_t i = 0; is_good && i < G_N_ELEMENTS(outputs); i++) {
		g_autoptr(GPtrArray) several = itp_values_texts(values, outputs[i]);
		/* Of several files, the first is written. */
		const char *path = several->len > 0 ? g_ptr_array_index(several, 0) :
						      itp_values_text(values, outputs[i]);

		is_good = !path || itp_write_check(path, paths, error);
	}
	return is_good;
}

static bool run_with(struct reading *reading, GError **error)
{
	const struct itp_mine_request *request = reading->request;
	const struct itp_mine_host host = { .symptom = request->wait_params.symptom,
					    .each = request->symptoms,
					    .broken = &reading->broken };
	bool done;

	if (!check_outputs(request, reading->inputs, error) ||
	    !(reading->sink =
		      itp_mine_new(request->options.values[ITP_STAGE_RANK], &host, error))) {
		return false;
	}
	itp_progress_line_init(&reading->line);
	itp_interrupt_init(&reading->interrupt);
	done = read_and_mine(reading, error);
	itp_interrupt_release(&reading->interrupt);
	itp_progress_line_release(&reading->line);
	reading->sink->free(reading->sink);
	return done;
}

static enum itp_exit run(const struct itp_mine_request *request, GError **error)
{
	struct reading reading = { .request = request,
				   .inputs = g_array_new(FALSE, FALSE, sizeof(struct input)) };
	bool done;

	g_array_set_clear_func(reading.inputs, clear_input);
	find_inputs(reading.inputs, request->base, true);
	find_inputs(reading.inputs, request->files, false);
	done = run_with(&reading, error);
	g_array_unref(reading.inputs);
	if (itp_interrupt_has_ended_early(&reading.interrupt)) {
		itp_failure_set(error, "interrupted before all was read");
		return ITP_EXIT_INTERRUPTED;
	}
	return done && reading.broken == 0 ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_mine_run(char **arguments)
{
	struct itp_mine_request request;
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (itp_mine_request_parse(&request, arguments, &error)) {
		code = run(&request, &error);
	}
	itp_complain_of(error);
	itp_mine_request_release(&request);
	return code;
}
