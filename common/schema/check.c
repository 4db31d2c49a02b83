/* SPDX-License-Identifier: MIT */
/*
 * See record.h: agreement between the fields of a record. Each field alone is held against its
 * width and its limit by field.c; ids, which belong to an input, against introduced ids by the
 * input's reader; and a stack event by the core (itp_infer_push()), which gets stack events from
 * others than messages, too.
 *
 * A record that passes here may still be wrong, but has no span that ends before its begin, no
 * context that is its own caller, and no depth beyond the deepest stack.
 */
#include "common/schema/schema.h"

/* The thread itself, its stack, and a system call. */
#define MAX_INSTANCE_DEPTH (ITP_MAX_STACK_DEPTH + 2)

static const char *check_function(const struct itp_function_record *record)
{
	/* Id 0 stands for an unknown function in every trace, introduced or not. */
	return record->id != ITP_FUNCTION_UNKNOWN ||
			       g_str_equal(record->function.name, ITP_UNKNOWN_NAME) ?
		       NULL :
		       "id";
}

/* Contexts are told callers first. */
static const char *check_context(uint32_t id, uint32_t parent)
{
	return parent < id ? NULL : "parent";
}

/* True when a span of `ns` from `begin_ns` on has an end. */
static bool lasts(int64_t begin_ns, int64_t ns)
{
	int64_t end_ns;

	return ns >= 0 && !__builtin_add_overflow(begin_ns, ns, &end_ns);
}

static const char *check_instance(const struct itp_instance *instance)
{
	if (instance->node == ITP_CONTEXT_ROOT) {
		return "node";
	}
	if (instance->depth > MAX_INSTANCE_DEPTH) {
		return "depth";
	}
	if (!lasts(instance->begin_ns, instance->conservative_ns)) {
		return "conservative_ns";
	}
	if (!lasts(instance->begin_ns, instance->aggressive_ns)) {
		return "aggressive_ns";
	}
	if (instance->upper_ns < instance->lower_ns) {
		return "upper_ns";
	}
	return lasts(instance->best_begin_ns, instance->best_ns) ? NULL : "best_ns";
}

static const char *check_node(const struct itp_node_record *record)
{
	const struct itp_node_stats *stats = &record->stats;

	if (record->id == ITP_CONTEXT_ROOT) {
		return "id";
	}
	if (record->id == record->parent) {
		return "parent";
	}
	return stats->count > 0 && stats->max_ns < stats->min_ns ? "max_ns" : NULL;
}

static const char *check_slowest(const struct itp_slow_call *call)
{
	if (!lasts(call->begin_ns, call->latency_ns)) {
		return "latency_ns";
	}
	return call->upper_ns < call->lower_ns ? "upper_ns" : NULL;
}

static const char *check_latency(const struct itp_latency *latency)
{
	return latency->latency_ns < 0 ? "latency_ns" : NULL;
}

static const char *check_span(int64_t begin_ns, int64_t end_ns)
{
	int64_t ns;

	return __builtin_sub_overflow(end_ns, begin_ns, &ns) || ns < 0 ? "end_ns" : NULL;
}

static const char *check_unit(const struct itp_unit_sum *sum)
{
	return sum->count > 0 && sum->max_ns < sum->min_ns ? "max_ns" : NULL;
}

const char *itp_record_wrong_field(const struct itp_record *record)
{
	switch (record->type) {
	case ITP_RECORD_FUNCTION:
		return check_function(&record->function);
	case ITP_RECORD_CONTEXT:
		return check_context(record->context.id, record->context.parent);
	case ITP_RECORD_INSTANCE:
	case ITP_RECORD_RUNNING:
		return check_instance(&record->instance.instance);
	case ITP_RECORD_NODE:
		return check_node(&record->node);
	case ITP_RECORD_SLOWEST:
		return check_slowest(&record->slowest);
	case ITP_RECORD_LATENCY:
	case ITP_RECORD_UNIT_LATENCY:
		return check_latency(&record->latency);
	case ITP_RECORD_STRETCH:
		return check_span(record->stretch.begin_ns, record->stretch.end_ns);
	case ITP_RECORD_WAIT:
		return check_span(record->wait.wait.begin_ns, record->wait.wait.end_ns);
	case ITP_RECORD_SYMPTOM:
		return check_span(record->symptom.begin_ns, record->symptom.end_ns);
	case ITP_RECORD_UNIT_SPAN:
		return check_span(record->unit_span.begin_ns, record->unit_span.end_ns);
	case ITP_RECORD_INTEREST:
		return record->interest.cost_ns < 0 ? "cost_ns" : NULL;
	case ITP_RECORD_UNIT:
		return check_unit(&record->unit.sum);
	case ITP_RECORD_UNPLACED:
	case ITP_RECORD_STACK:
	case ITP_RECORD_WORKLOAD:
	case ITP_RECORD_WAKER:
	case ITP_RECORD_SHARE:
	case ITP_RECORD_SEARCH:
	case ITP_RECORD_FOREIGN:
		/* Records of numbers that are counted, and nothing else. */
		return NULL;
	}
	g_assert_not_reached();
}
