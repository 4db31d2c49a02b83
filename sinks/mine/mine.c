/* SPDX-License-Identifier: MIT */
/*
 * See mine.h. Nothing is mined before the input has ended. After an error upstream, what has come
 * until then is mined, and counts as damaged.
 */
#include "sinks/mine/mine.h"

#include "common/base/failure.h"
#include "common/engine/write.h"
#include "common/render/mining/mining.h"
#include "common/view/patterns.h"
#include "messages/param-maps.h"
#include "sinks/mine/interests.h"
#include "sinks/mine/params.h"
#include "sinks/mine/stacks.h"
#include "sinks/profiles/component.h"
#include "terminal/terminal.h"

#define DEFAULT_TOP 10
#define MIN_WIDTH 60

struct mine {
	/* First, for the methods that all sinks share. */
	struct itp_rank_sink sink;
	/* Parameters. Owned by this. */
	GPtrArray *base;
	char *output;
	uint64_t top;
	struct itp_mine_params params;
	/* NULL in a graph of its own. Weak. */
	const struct itp_mine_host *host;
	/* Owned by this. */
	struct itp_interest_arrivals *interests;
	struct itp_mining mining;
};

static const struct itp_param mine_params[] = {
	{ "base", ITP_PARAM_STRINGS, offsetof(struct mine, base), NULL },
	{ "output", ITP_PARAM_STRING, offsetof(struct mine, output), NULL },
	{ "top", ITP_PARAM_COUNT, offsetof(struct mine, top), NULL },
	ITP_MINE_PARAMS(struct mine, params),
};

const struct itp_param_table itp_mine_param_table = { mine_params, G_N_ELEMENTS(mine_params) };

static void mine_free(struct itp_rank_sink *sink)
{
	struct mine *mine = (struct mine *)sink;

	itp_interest_arrivals_free(mine->interests);
	itp_mining_release(&mine->mining);
	itp_mine_params_release(&mine->params);
	itp_params_release(&itp_mine_param_table, mine);
	g_free(mine);
}

static bool add(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	return itp_interest_arrivals_add(((struct mine *)sink)->interests, message, error);
}

/* ---- The result ---- */

static bool *layers_with_frames(const struct itp_function_table *functions)
{
	uint32_t size = itp_function_table_size(functions);
	bool *is_frame = g_new0(bool, size);

	for (uint32_t id = 0; id < size; id++) {
		is_frame[id] = itp_function_table_get(functions, id)->layer != ITP_LAYER_PROCESS;
	}
	return is_frame;
}

/* By function: whether a pattern of the parameter chooses it. NULL without patterns, and on an
 * error. To be freed. */
static bool *select_functions(const struct itp_mining *mining, const char *parameter,
			      const GPtrArray *texts, GError **error)
{
	g_autofree bool *is_frame = layers_with_frames(mining->functions);
	struct itp_patterns *patterns = texts ? itp_patterns_new(parameter, texts, error) : NULL;
	bool *selected = NULL;

	if (patterns) {
		selected = g_new0(bool, itp_function_table_size(mining->functions));
		if (!itp_patterns_select(patterns, mining->functions, is_frame, selected, error)) {
			g_clear_pointer(&selected, g_free);
		}
	}
	itp_patterns_free(patterns);
	return selected;
}

static bool select_stacks(struct mine *mine, GError **error)
{
	GError *reason = NULL;
	g_autofree bool *focus =
		select_functions(&mine->mining, "focus", mine->params.focus, &reason);
	g_autofree bool *ignore =
		reason ? NULL :
			 select_functions(&mine->mining, "ignore", mine->params.ignore, &reason);

	if (reason) {
		g_propagate_error(error, reason);
		return false;
	}
	itp_mining_select(&mine->mining, focus, ignore);
	return true;
}

/* Symptom asked for, or else looked for in the first trace. */
static const char *symptom_of(const struct mine *mine)
{
	const GArray *traces = mine->mining.traces;

	if (mine->host && mine->host->symptom) {
		return mine->host->symptom;
	}
	return traces->len > 0 ? g_array_index(traces, struct itp_mined_trace, 0).symptom : NULL;
}

static bool check_symptoms(const struct mine *mine, GError **error)
{
	const struct itp_mined_trace sum = itp_mining_sum(mine->mining.traces);
	const char *symptom = symptom_of(mine);

	if (mine->mining.traces->len == 0 && mine->host) {
		itp_failure_set(error, "none of the recordings could be read");
	} else if (mine->mining.traces->len == 0) {
		itp_failure_set(error, "no introperf:search events arrived; put "
				       "filter.introperf.wait before this sink");
	} else if (sum.symptoms == 0 && sum.calls == 0) {
		itp_failure_set(error,
				"parameter \"symptom\": there is no %s in any of the recordings",
				symptom ? symptom : "call");
	} else if (sum.symptoms == 0) {
		itp_failure_set(error,
				"parameter \"symptom\": none of %" G_GUINT64_FORMAT
				" was slower than \"%s\" says",
				sum.calls, symptom ? symptom : "call");
	}
	return sum.symptoms > 0;
}

static void render(const struct mine *mine, const struct itp_mined *mined, const GArray *matches,
		   guint broken, GString *text)
{
	const struct itp_terminal terminal = itp_terminal_of_output(!mine->output, ITP_COLOR_NEVER);
	const struct itp_mining_page page = {
		.mining = &mine->mining,
		.mined = mined,
		.signatures = mine->params.known,
		.matches = matches,
		.each = mine->host ? mine->host->each : NULL,
		.asked = mine->host ? mine->host->symptom : NULL,
		.broken = broken,
		.top = (guint)MIN(mine->top, G_MAXUINT),
		.width = MAX(terminal.columns, MIN_WIDTH),
	};

	switch (mine->params.format) {
	case ITP_MINE_TEXT:
		itp_render_mining_text(&page, text);
		break;
	case ITP_MINE_JSONL:
		itp_render_mining_jsonl(&page, text);
		break;
	case ITP_MINE_HTML:
		itp_render_mining_html(&page, text);
		break;
	}
}

static bool save_signatures(const struct mine *mine, const struct itp_mined *mined, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *dumped = NULL;

	if (!mine->params.save_signatures) {
		return true;
	}
	dumped = itp_signatures_text(&mine->mining, mined, (guint)MIN(mine->top, G_MAXUINT),
				     mine->params.known);
	g_string_append_printf(text, "%s\n", dumped);
	return itp_write(mine->params.save_signatures, text, error);
}

/* Matches of signatures; NULL without any. */
static GArray *match_known(struct mine *mine)
{
	return mine->params.known ?
		       itp_signatures_match(mine->params.known, &mine->mining,
					    itp_mining_limit(&mine->mining, &mine->params.mining)) :
		       NULL;
}

/* Weights of functions: by the paper, from counts, also of older traces. */
static struct itp_stack_statistics *statistics_of(const struct mine *mine)
{
	struct itp_stack_statistics *statistics = itp_mining_statistics(&mine->mining);

	if (mine->params.similarity == ITP_SIMILARITY_PAPER) {
		itp_stack_statistics_count(statistics, mine->mining.stacks);
	}
	return statistics;
}

static bool grow_stacks(const struct mine *mine, GError **error)
{
	const GPtrArray *paths = mine->params.stacks;

	return !paths || paths->len == 0 ||
	       itp_mine_stacks_grow(mine->mining.stacks, g_ptr_array_index(paths, 0), error);
}

/* Mines, finds and writes. */
static bool mine_all(struct mine *mine, guint broken, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) matches = match_known(mine);
	struct itp_stack_statistics *statistics = statistics_of(mine);
	struct itp_mined mined[ITP_MINE_KINDS];
	bool done;

	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_init(&mined[kind], &mine->mining, (enum itp_mine_kind)kind, statistics,
			       &mine->params.mining);
	}
	render(mine, mined, matches, broken, text);
	done = grow_stacks(mine, error) && save_signatures(mine, mined, error) &&
	       itp_write(mine->output, text, error);
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_release(&mined[kind]);
	}
	itp_stack_statistics_free(statistics);
	return done;
}

static bool finish(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	struct mine *mine = (struct mine *)sink;
	guint broken = mine->host ? *mine->host->broken : ending == ITP_RANK_FAILED;

	if (!itp_interest_arrivals_take(mine->interests, &mine->mining, mine->base, false, NULL,
					NULL, error)) {
		return false;
	}
	itp_mining_close(&mine->mining);
	return check_symptoms(mine, error) && select_stacks(mine, error) &&
	       mine_all(mine, broken, error);
}

/* ---- The component ---- */

/* True when all outputs can be written. */
static bool check_places(const struct mine *mine, GError **error)
{
	const GPtrArray *stacks = mine->params.stacks;

	return (!mine->output || itp_write_check(mine->output, NULL, error)) &&
	       (!mine->params.save_signatures ||
		itp_write_check(mine->params.save_signatures, NULL, error)) &&
	       (!stacks || stacks->len == 0 ||
		itp_write_check(g_ptr_array_index(stacks, 0), NULL, error));
}

/* Stacks are counted where the paper's similarity or a file asks for it. */
static bool begin_stacks(struct mine *mine, GError **error)
{
	const GPtrArray *stacks = mine->params.stacks;

	if (stacks || mine->params.similarity == ITP_SIMILARITY_PAPER) {
		mine->mining.stacks = itp_stack_base_new();
	}
	return !stacks || itp_mine_stacks_read(mine->mining.stacks, stacks, error);
}

struct itp_rank_sink *itp_mine_new(GHashTable *values, const struct itp_mine_host *host,
				   GError **error)
{
	struct mine *mine = g_new0(struct mine, 1);

	*mine = (struct mine){ .sink = { .add = add, .finish = finish, .free = mine_free },
			       .top = DEFAULT_TOP,
			       .params = ITP_MINE_PARAMS_DEFAULTS,
			       .host = host,
			       .interests = itp_interest_arrivals_new() };
	itp_mining_init(&mine->mining);
	if (!itp_params_read(&itp_mine_param_table, values, mine, error) ||
	    !itp_mine_params_interpret(&mine->params, error) || !check_places(mine, error) ||
	    !begin_stacks(mine, error)) {
		mine_free(&mine->sink);
		return NULL;
	}
	mine->sink.output = mine->output;
	return &mine->sink;
}

struct itp_mining *itp_mine_mining(struct itp_rank_sink *sink)
{
	return &((struct mine *)sink)->mining;
}

bool itp_mine_take(struct itp_rank_sink *sink, const char *path, bool of_base)
{
	struct mine *mine = (struct mine *)sink;
	const GArray *traces = of_base ? mine->mining.base_traces : mine->mining.traces;
	guint before = traces->len;

	return itp_interest_arrivals_take(mine->interests, &mine->mining, NULL, of_base, path,
					  mine->host->each, NULL) &&
	       traces->len > before;
}

bt_component_class_initialize_method_status itp_mine_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	g_autoptr(GHashTable) values = itp_values_of_map(params);
	GError *error = NULL;
	struct itp_rank_sink *sink = itp_mine_new(values, NULL, &error);

	(void)configuration;
	(void)data;
	return itp_rank_sink_init(self, sink, error);
}
