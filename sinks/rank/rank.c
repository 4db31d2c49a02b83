/* SPDX-License-Identifier: MIT */
/*
 * See rank.h. The result is written when the input ends. When an error ends the graph before that,
 * what has arrived is written in finalize, marked as incomplete. When there is an interrupt, the
 * filters end their traces, and this goes on until it has got that.
 */
#include "sinks/rank/rank.h"

#include <poll.h>

#include "common/rank/ranking.h"
#include "common/render/render.h"
#include "common/render/workload.h"
#include "plugins/babeltrace/failure.h"
#include "plugins/terminal/terminal.h"
#include "sinks/rank/compare.h"
#include "sinks/rank/limit.h"
#include "sinks/rank/sides.h"
#include "sinks/rank/view.h"
#include "sinks/rank/workloads.h"
#include "sinks/rank/write.h"

#define INPUT_PORT "in"
#define DEFAULT_TOP 10
#define MIN_WIDTH 60
/* Between two looks whether there is more. */
#define WAIT_MS 50
#define DEFAULT_NEXT "path=1"

typedef bt_component_class_sink_consume_method_status consume_status;

#define CONSUME_OK BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
#define CONSUME_END BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
#define CONSUME_ERROR BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR

/* What becomes of the time in which threads wait for work. */
enum idle {
	IDLE_APART,
	IDLE_RANKED,
};

/* Why there is a result. */
enum ending {
	ENDED,
	FAILED,
	INTERRUPTED,
};

struct rank {
	/* Parameters. Strings are owned by this. */
	GPtrArray *base;
	enum itp_format format;
	char *output;
	enum itp_color color;
	uint64_t top;
	uint64_t path;
	enum itp_metric metric;
	enum itp_method method;
	enum itp_rank_by by;
	char *per;
	bool fold;
	enum idle idle;
	uint64_t min_count;
	GPtrArray *own_modules;
	GPtrArray *runtime_modules;
	GPtrArray *fail_above;
	struct itp_rank_view_params view;

	/* How users ask for the calls of path 1. Owned by this. */
	char *next;
	/* Of own_modules and runtime_modules. */
	struct itp_module_kinds module_kinds;
	/* struct itp_limit, of fail_above. Owned by this. */
	GArray *limits;
	/* Owned by this. */
	struct itp_view_options *view_options;
	bt_message_iterator *upstream;
	struct itp_rank_workloads *workloads;
	/* How many periods had a result of their own. */
	uint64_t shown_periods;
	/* The result was written, or the reason why not was reported. */
	bool is_done;
};

static const char *const format_names[] = {
	[ITP_FORMAT_TEXT] = "text",
	[ITP_FORMAT_CSV] = "csv",
	[ITP_FORMAT_JSONL] = "jsonl",
	[ITP_FORMAT_TREE] = "tree",
	NULL,
};

static const char *const idle_names[] = {
	[IDLE_APART] = "apart",
	[IDLE_RANKED] = "ranked",
	NULL,
};

static const struct itp_param rank_params[] = {
	{ "base", ITP_PARAM_STRINGS, offsetof(struct rank, base), NULL },
	{ "format", ITP_PARAM_CHOICE, offsetof(struct rank, format), format_names },
	{ "output", ITP_PARAM_STRING, offsetof(struct rank, output), NULL },
	{ "color", ITP_PARAM_CHOICE, offsetof(struct rank, color), itp_color_names },
	{ "top", ITP_PARAM_COUNT, offsetof(struct rank, top), NULL },
	{ "path", ITP_PARAM_COUNT, offsetof(struct rank, path), NULL },
	{ "metric", ITP_PARAM_CHOICE, offsetof(struct rank, metric), itp_metric_names },
	{ "method", ITP_PARAM_CHOICE, offsetof(struct rank, method), itp_method_names },
	{ "by", ITP_PARAM_CHOICE, offsetof(struct rank, by), itp_rank_by_names },
	{ "per", ITP_PARAM_STRING, offsetof(struct rank, per), NULL },
	{ "fold", ITP_PARAM_BOOL, offsetof(struct rank, fold), NULL },
	{ "idle", ITP_PARAM_CHOICE, offsetof(struct rank, idle), idle_names },
	{ "min-count", ITP_PARAM_COUNT, offsetof(struct rank, min_count), NULL },
	{ "own-modules", ITP_PARAM_STRINGS, offsetof(struct rank, own_modules), NULL },
	{ "runtime-modules", ITP_PARAM_STRINGS, offsetof(struct rank, runtime_modules), NULL },
	{ "fail-above", ITP_PARAM_STRINGS, offsetof(struct rank, fail_above), NULL },
	ITP_RANK_VIEW_PARAMS(struct rank, view),
};

const struct itp_param_table itp_rank_param_table = { rank_params, G_N_ELEMENTS(rank_params) };

static void rank_free(struct rank *rank)
{
	bt_message_iterator_put_ref(rank->upstream);
	itp_rank_workloads_free(rank->workloads);
	itp_rank_view_options_free(rank->view_options);
	itp_params_release(&itp_rank_param_table, rank);
	g_clear_pointer(&rank->limits, g_array_unref);
	g_free(rank->next);
	g_free(rank);
}

static const char *const *patterns_of(const GPtrArray *strings)
{
	return strings ? (const char *const *)(void *)strings->pdata : NULL;
}

/* Takes the values of the parameters apart. */
static bool prepare(struct rank *rank, GError **error)
{
	struct itp_rank_per per;

	if (rank->own_modules) {
		g_ptr_array_add(rank->own_modules, NULL);
	}
	if (rank->runtime_modules) {
		g_ptr_array_add(rank->runtime_modules, NULL);
	}
	rank->module_kinds = (struct itp_module_kinds){
		.own = patterns_of(rank->own_modules),
		.runtime = patterns_of(rank->runtime_modules),
	};
	/* The paper ranks contexts as they are. */
	rank->view.fold_recursion &= rank->method != ITP_METHOD_PAPER;
	if (rank->path > 0 && rank->by != ITP_RANK_BY_PATH) {
		itp_failure_set(error,
				"parameter \"path\": only paths have calls to show; leave out "
				"parameter \"by\"");
		return false;
	}
	rank->limits = itp_limits_parse(rank->fail_above, error);
	return rank->limits && itp_rank_per_parse(rank->per, &per, error);
}

bt_component_class_initialize_method_status itp_rank_init(
	bt_self_component_sink *self_sink, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	bt_self_component *self = bt_self_component_sink_as_self_component(self_sink);
	struct rank *rank = g_new0(struct rank, 1);
	GError *error = NULL;

	(void)configuration;
	rank->next = g_strdup(data ? data : DEFAULT_NEXT);
	rank->top = DEFAULT_TOP;
	rank->fold = true;
	rank->view.fold_recursion = true;
	if (itp_params_read(&itp_rank_param_table, params, rank, &error) && prepare(rank, &error) &&
	    (rank->view_options = itp_rank_view_options_new(&rank->view, &error)) &&
	    (!rank->output || itp_write_check(rank->output, &error)) &&
	    bt_self_component_sink_add_input_port(self_sink, INPUT_PORT, NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		itp_failure_set_memory(&error);
	}
	if (error) {
		itp_failure_from_component(self, error);
		rank_free(rank);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	rank->workloads = itp_rank_workloads_new();
	bt_self_component_set_data(self, rank);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static struct rank *rank_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

bt_component_class_sink_graph_is_configured_method_status itp_rank_graph_is_configured(
	bt_self_component_sink *self)
{
	bt_self_component_port_input *port =
		bt_self_component_sink_borrow_input_port_by_name(self, INPUT_PORT);
	GError *error = NULL;

	if (!itp_check_connected(port, &error)) {
		itp_failure_from_component(bt_self_component_sink_as_self_component(self), error);
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	}
	return bt_message_iterator_create_from_sink_component(self, port,
							      &rank_of(self)->upstream) ==
			       BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK ?
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK :
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

/* What `by` and `top` say is the caller's. NULL on an error. */
static struct itp_ranking *make_ranking(const struct rank *rank, enum itp_rank_by by, uint64_t top,
					const struct itp_rank_sides *sides, GError **error)
{
	const struct itp_ranking_options options = {
		.metric = rank->metric,
		.method = rank->method,
		.by = by,
		.top = top,
		.folds = rank->fold,
		.ranks_idle = rank->idle == IDLE_RANKED,
		.min_count = rank->min_count,
		.per = rank->per,
		.modules = &rank->module_kinds,
	};
	struct itp_rank_per per;

	return itp_rank_per_parse(rank->per, &per, error) ?
		       itp_rank_compare(&options, &per, sides->workloads, sides->suspects,
					sides->bases, error) :
		       NULL;
}

static bool check_limits(const struct rank *rank, const struct itp_rank_sides *sides,
			 GError **error)
{
	struct itp_ranking *paths;
	struct itp_ranking *functions;
	bool is_within;

	if (rank->limits->len == 0) {
		return true;
	}
	paths = make_ranking(rank, ITP_RANK_BY_PATH, 1, sides, error);
	functions = paths ? make_ranking(rank, ITP_RANK_BY_FUNCTION, 0, sides, error) : NULL;
	is_within = functions && itp_limits_check(rank->limits, paths, functions, error);
	itp_ranking_free(paths);
	itp_ranking_free(functions);
	return is_within;
}

/* Whether the path that is asked for is there. */
static bool check_path(const struct rank *rank, const struct itp_ranking *ranking, GError **error)
{
	if (rank->path <= ranking->paths->len) {
		return true;
	}
	itp_failure_set(error,
			"parameter \"path\": there is no path %" G_GUINT64_FORMAT
			"; the ranking has %u",
			rank->path, ranking->paths->len);
	return false;
}

static struct itp_render_options looks_of(const struct rank *rank)
{
	const struct itp_terminal terminal =
		itp_terminal_of_output(rank->output == NULL, rank->color);

	return (struct itp_render_options){ .format = rank->format,
					    .width = MAX(terminal.columns, MIN_WIDTH),
					    .color = terminal.color,
					    .ascii = terminal.ascii,
					    .path = rank->path,
					    .next = rank->next };
}

static bool write_turn(const struct rank *rank, enum itp_write_turn turn, const GString *text,
		       GError **error)
{
	return rank->shown_periods > 0 ?
		       itp_write_turn(rank->output, rank->format == ITP_FORMAT_TEXT, turn, text,
				      error) :
		       itp_write(rank->output, text, error);
}

static bool write_ranking(const struct rank *rank, const struct itp_rank_sides *sides,
			  enum ending ending, GError **error)
{
	const struct itp_rank_workload *suspect = g_ptr_array_index(sides->suspects, 0);
	struct itp_render_options looks = looks_of(rank);
	struct itp_ranking *ranking =
		make_ranking(rank, rank->by, rank->path > 0 ? 0 : rank->top, sides, error);
	g_autoptr(GString) text = g_string_new(NULL);
	bool done = ranking && check_path(rank, ranking, error);

	if (done) {
		looks.incomplete = ending == FAILED;
		looks.interrupted = ending == INTERRUPTED &&
				    !itp_ranking_is_complete(ranking, false);
		looks.periods = suspect->periods;
		itp_render_ranking(ranking, &looks, text);
		done = write_turn(rank, ITP_WRITE_LAST, text, error);
	}
	itp_ranking_free(ranking);
	return done;
}

static bool write_period(struct rank *rank, const struct itp_rank_workload *period,
			 const struct itp_rank_sides *sides, GError **error)
{
	const struct itp_infer_counts *counts = &period->latest->workload.counts;
	struct itp_render_options looks = looks_of(rank);
	struct itp_ranking *ranking =
		make_ranking(rank, rank->by, rank->path > 0 ? 0 : rank->top, sides, error);
	g_autoptr(GString) text = g_string_new(NULL);

	/* There may be fewer paths than in another one. */
	if (!ranking || rank->path > ranking->paths->len) {
		itp_ranking_free(ranking);
		return ranking;
	}
	looks.period = period->periods;
	looks.period_begin_ns = counts->begin_ns - period->begin_ns;
	looks.period_end_ns = counts->end_ns - period->begin_ns;
	itp_render_ranking(ranking, &looks, text);
	itp_ranking_free(ranking);
	rank->shown_periods++;
	return write_turn(rank, rank->shown_periods > 1 ? ITP_WRITE_NEXT : ITP_WRITE_FIRST, text,
			  error);
}

/* Shows a period of a suspect, unless nothing is left of it by the parameters. Lines of CSV do not
 * tell theirs, so there is only the last result. */
static bool show_period(struct rank *rank, const struct itp_rank_workload *period, GError **error)
{
	struct itp_rank_sides sides;
	bool is_shown = rank->format != ITP_FORMAT_CSV && period->latest->nodes->len > 0;
	bool done = true;

	if (is_shown && itp_rank_sides_init(&sides, rank->workloads, period, rank->view_options,
					    rank->base, NULL)) {
		done = sides.suspects->len == 0 || write_period(rank, period, &sides, error);
	}
	if (is_shown) {
		itp_rank_sides_release(&sides);
	}
	return done;
}

/* Ranks all that has arrived. */
static bool conclude(struct rank *rank, enum ending ending, GError **error)
{
	g_autoptr(GPtrArray) workloads = NULL;
	struct itp_rank_sides sides;
	bool done;

	rank->is_done = true;
	itp_rank_workloads_finish(rank->workloads);
	workloads = itp_rank_workloads_list(rank->workloads);
	if (workloads->len == 0 && ending == INTERRUPTED) {
		return true;
	}
	if (workloads->len == 0) {
		itp_failure_set(error, "no introperf:node events arrived; put "
				       "filter.introperf.normalize before this sink");
		return false;
	}
	done = itp_rank_sides_init(&sides, rank->workloads, NULL, rank->view_options, rank->base,
				   error);
	if (done && rank->limits->len > 0 && sides.bases->len == 0) {
		itp_failure_set(error,
				"parameter \"fail-above\": nothing to compare with; name the "
				"input that behaves as parameter \"base\"");
		done = false;
	}
	g_clear_pointer(&rank->workloads, itp_rank_workloads_free);
	/* The result is written before it is judged. */
	done = done && write_ranking(rank, &sides, ending, error) &&
	       check_limits(rank, &sides, error);
	itp_rank_sides_release(&sides);
	return done;
}

void itp_rank_finalize(bt_self_component_sink *self)
{
	struct rank *rank = rank_of(self);

	if (!rank->is_done) {
		/* The run has failed already; when not even a part can be shown, that stands. */
		(void)conclude(rank, FAILED, NULL);
	}
	rank_free(rank);
}

static consume_status fail(bt_self_component_sink *self, GError *error)
{
	rank_of(self)->is_done = true;
	itp_failure_from_component(bt_self_component_sink_as_self_component(self), error);
	return CONSUME_ERROR;
}

static void consume_message(struct rank *rank, const bt_message *message, GError **error)
{
	struct itp_rank_workload *period;

	if (itp_rank_workloads_add(rank->workloads, message, &period, error) && period &&
	    show_period(rank, period, error)) {
		itp_rank_workload_end_period(period);
	}
}

static consume_status consume_batch(bt_self_component_sink *self, bt_message_array_const messages,
				    uint64_t count)
{
	struct rank *rank = rank_of(self);
	GError *error = NULL;

	for (uint64_t i = 0; i < count; i++) {
		if (!error) {
			consume_message(rank, messages[i], &error);
		}
		bt_message_put_ref(messages[i]);
	}
	return error ? fail(self, error) : CONSUME_OK;
}

/* The result at the end of the input, which an interrupt may have caused. */
static consume_status end(bt_self_component_sink *self, bool interrupted)
{
	struct rank *rank = rank_of(self);
	GError *error = NULL;

	if (rank->is_done) {
		return CONSUME_END;
	}
	if (!conclude(rank, interrupted ? INTERRUPTED : ENDED, &error)) {
		return fail(self, error);
	}
	/* The host is still to see the interrupt, which it does not at the end. */
	return interrupted ? CONSUME_OK : CONSUME_END;
}

/* There is nothing yet. The waiting is done here and not left to the host, in which an interrupt
 * would end the graph before the result is out. */
static consume_status wait_for_more(bt_self_component_sink *self, bool interrupted)
{
	/* Filters end when they see the interrupt; others would wait for ever. */
	if (interrupted) {
		return end(self, true);
	}
	(void)poll(NULL, 0, WAIT_MS);
	return CONSUME_OK;
}

static consume_status consume_next(bt_self_component_sink *self, bool interrupted)
{
	bt_message_array_const messages;
	uint64_t count;

	switch (bt_message_iterator_next(rank_of(self)->upstream, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return consume_batch(self, messages, count);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return wait_for_more(self, interrupted);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return end(self, bt_self_component_sink_is_interrupted(self));
	default:
		return CONSUME_ERROR;
	}
}

consume_status itp_rank_consume(bt_self_component_sink *self)
{
	const struct rank *rank = rank_of(self);
	consume_status status;

	do {
		status = consume_next(self, bt_self_component_sink_is_interrupted(self));
	} while (status == CONSUME_OK && !rank->is_done &&
		 bt_self_component_sink_is_interrupted(self));
	return status;
}
