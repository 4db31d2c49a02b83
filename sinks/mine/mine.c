/* SPDX-License-Identifier: MIT */
/*
 * See mine.h. After an error upstream, what has come until then is mined, and counts as damaged.
 */
#include "sinks/mine/mine.h"

#include "common/base/failure.h"
#include "messages/param-maps.h"
#include "sinks/mine/told-searches.h"
#include "sinks/profiles/component.h"

struct mine {
	/* First, for the methods that all sinks share. Its output is weak: the mining job's. */
	struct itp_rank_sink sink;
	/* A host's, weak; or owned by this. */
	struct itp_mining_job *job;
	bool owns_job;
	/* Owned by this. */
	struct itp_told_searches *searches;
};

static void job_free(struct itp_mining_job *job)
{
	itp_mining_job_release(job);
	g_free(job);
}

static void mine_free(struct itp_rank_sink *sink)
{
	struct mine *mine = (struct mine *)sink;

	itp_told_searches_free(mine->searches);
	if (mine->owns_job) {
		job_free(mine->job);
	}
	g_free(mine);
}

static bool add_message(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	return itp_told_searches_add(((struct mine *)sink)->searches, message, error);
}

static bool finish_mining(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	struct mine *mine = (struct mine *)sink;

	if (!itp_told_searches_take(mine->searches, mine->job, NULL, false, error)) {
		return false;
	}
	if (mine->job->mining.traces->len == 0) {
		itp_failure_set(error, "no introperf:search events arrived; put "
				       "filter.introperf.wait before this sink");
		return false;
	}
	mine->job->broken = ending == ITP_RANK_FAILED;
	return itp_mining_job_finish(mine->job, error);
}

struct itp_rank_sink *itp_mine_new(struct itp_mining_job *job)
{
	struct mine *mine = g_new0(struct mine, 1);

	mine->job = job;
	mine->sink = (struct itp_rank_sink){ .output = job->output,
					     .add = add_message,
					     .finish = finish_mining,
					     .free = mine_free };
	mine->searches = itp_told_searches_new();
	return &mine->sink;
}

bool itp_mine_take(struct itp_rank_sink *sink, const char *path, bool of_base)
{
	struct mine *mine = (struct mine *)sink;
	const GArray *traces = of_base ? mine->job->mining.base_traces : mine->job->mining.traces;
	guint before = traces->len;

	return itp_told_searches_take(mine->searches, mine->job, path, of_base, NULL) &&
	       traces->len > before;
}

bt_component_class_initialize_method_status itp_mine_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	g_autoptr(GHashTable) values = itp_values_of_map(params);
	struct itp_mining_job *job = g_new0(struct itp_mining_job, 1);
	struct itp_rank_sink *sink = NULL;
	GError *error = NULL;

	(void)configuration;
	(void)data;
	if (itp_mining_job_init(job, values, NULL, &error)) {
		sink = itp_mine_new(job);
		((struct mine *)sink)->owns_job = true;
	} else {
		job_free(job);
	}
	return itp_rank_sink_init(self, sink, error);
}
