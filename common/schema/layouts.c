/* SPDX-License-Identifier: MIT */
/*
 * See record.h: the tables of fields, from which everything else is made.
 *
 * sink.ctf.fs and source.ctf.fs give names back unchanged, but put a length field of their own
 * before each array; readers therefore look members up by name.
 */
#include "common/schema/schema.h"

#include "common/infer/node-fields.h"

#define MEMBER(record, member) offsetof(record, member), sizeof(((record *)NULL)->member)

#define FIELD(record, name, type, bits, member, limit, labels, is_optional)                      \
	{                                                                                        \
		name, ITP_FIELD_##type, bits, MEMBER(record, member), limit, labels, is_optional \
	}
#define UNSIGNED(record, name, bits, member) \
	FIELD(record, name, UNSIGNED, bits, member, 0, NULL, false)
#define SIGNED(record, name, bits, member) FIELD(record, name, SIGNED, bits, member, 0, NULL, false)
#define BOOLEAN(record, name, member) FIELD(record, name, UNSIGNED, 8, member, 2, NULL, false)
#define STRING(record, name, member) FIELD(record, name, STRING, 0, member, 0, NULL, false)
#define LABELS(record, name, member, count, labels) \
	FIELD(record, name, LABELS, 8, member, count, labels, false)
/* Fields added later: older traces lack them. */
#define LATER_UNSIGNED(record, name, bits, member) \
	FIELD(record, name, UNSIGNED, bits, member, 0, NULL, true)
#define LATER_SIGNED(record, name, bits, member) \
	FIELD(record, name, SIGNED, bits, member, 0, NULL, true)
#define LATER_STRING(record, name, member) FIELD(record, name, STRING, 0, member, 0, NULL, true)
#define LATER_BOOLEAN(record, name, member) FIELD(record, name, UNSIGNED, 8, member, 2, NULL, true)
#define LATER_LABELS(record, name, member, count, labels) \
	FIELD(record, name, LABELS, 8, member, count, labels, true)

static const char *const kind_labels[ITP_EVENT_KIND_COUNT] = {
	[ITP_EVENT_SYSCALL_ENTER] = "syscall-enter",
	[ITP_EVENT_SYSCALL_EXIT] = "syscall-exit",
	[ITP_EVENT_SWITCH_OUT] = "switch-out",
	[ITP_EVENT_SWITCH_IN] = "switch-in",
	[ITP_EVENT_WAKEUP] = "wakeup",
	[ITP_EVENT_SAMPLE] = "sample",
	[ITP_EVENT_FUNCTION_ENTRY] = "function-entry",
	[ITP_EVENT_FUNCTION_EXIT] = "function-exit",
	[ITP_EVENT_LOSS] = "loss",
	[ITP_EVENT_START] = "start",
	[ITP_EVENT_EXEC] = "exec",
	[ITP_EVENT_END] = "end",
	[ITP_EVENT_CALL] = "call",
	[ITP_EVENT_LATE] = "late",
	[ITP_EVENT_MISPLACED] = "misplaced",
	[ITP_EVENT_WINDOW] = "window",
	[ITP_EVENT_IN_CALL] = "in-call",
	[ITP_EVENT_SPEED] = "speed",
};

static const char *const layer_labels[ITP_LAYER_COUNT] = {
	[ITP_LAYER_USER] = "user",
	[ITP_LAYER_KERNEL] = "kernel",
	[ITP_LAYER_SYSCALL] = "syscall",
	[ITP_LAYER_PROCESS] = "process",
};

static const char *const end_labels[ITP_STACK_END_COUNT] = {
	[ITP_STACK_END_UNKNOWN] = "unknown",       [ITP_STACK_END_ROOT] = "root",
	[ITP_STACK_END_DEPTH] = "depth",           [ITP_STACK_END_UNWIND] = "unwind",
	[ITP_STACK_END_SHORT_COPY] = "short-copy",
};

static const char *const found_by_labels[ITP_FOUND_BY_COUNT] = {
	[ITP_FOUND_BY_RECORDER] = "recorder",
	[ITP_FOUND_BY_RULE] = "rule",
	[ITP_FOUND_BY_EXPRESSION] = "expression",
	[ITP_FOUND_BY_FRAME_POINTER] = "frame-pointer",
};

static const char *const stretch_labels[ITP_STRETCH_KIND_COUNT] = {
	[ITP_STRETCH_RUN] = "run",
	[ITP_STRETCH_READY] = "ready",
	[ITP_STRETCH_WAIT] = "wait",
	[ITP_STRETCH_UNKNOWN] = "unknown",
};

static const char *const wait_end_labels[ITP_WAIT_END_COUNT] = {
	[ITP_WAIT_WOKEN] = "woken",
	[ITP_WAIT_UNSEEN] = "unseen",
	[ITP_WAIT_CUT] = "cut",
};

/* Words handed to a system call, in a record's `member`. */
#define WORDS_FIELDS(record, member)                                   \
	LATER_BOOLEAN(record, "words_known", member.are_known),        \
		LATER_UNSIGNED(record, "word_0", 64, member.words[0]), \
		LATER_UNSIGNED(record, "word_1", 64, member.words[1]), \
		LATER_UNSIGNED(record, "word_2", 64, member.words[2])

static const struct itp_field stack_fields[] = {
	LABELS(struct itp_stack_event, "kind", kind, ITP_EVENT_KIND_COUNT, kind_labels),
	SIGNED(struct itp_stack_event, "pid", 32, pid),
	SIGNED(struct itp_stack_event, "tid", 32, tid),
	SIGNED(struct itp_stack_event, "cpu", 32, cpu),
	STRING(struct itp_stack_event, "comm", comm),
	SIGNED(struct itp_stack_event, "argument", 64, argument),
	UNSIGNED(struct itp_stack_event, "callee", 32, callee),
	BOOLEAN(struct itp_stack_event, "complete", complete),
	FIELD(struct itp_frame, "addresses", ADDRESSES, 64, address, 0, NULL, false),
	FIELD(struct itp_frame, "functions", ARRAY, 32, function, 0, NULL, false),
	LATER_LABELS(struct itp_stack_event, "end", end, ITP_STACK_END_COUNT, end_labels),
	LATER_LABELS(struct itp_stack_event, "found_by", found_by, ITP_FOUND_BY_COUNT,
		     found_by_labels),
	LATER_UNSIGNED(struct itp_stack_event, "filled", 32, filled_count),
	WORDS_FIELDS(struct itp_stack_event, words),
	LATER_SIGNED(struct itp_stack_event, "since_wake_ns", 64, since_wake_ns),
	LATER_SIGNED(struct itp_stack_event, "tick_ns", 64, tick_ns),
};

static const struct itp_field function_fields[] = {
	UNSIGNED(struct itp_function_record, "id", 32, id),
	STRING(struct itp_function_record, "name", function.name),
	STRING(struct itp_function_record, "module", function.module),
	STRING(struct itp_function_record, "build_id", function.build_id),
	LABELS(struct itp_function_record, "layer", function.layer, ITP_LAYER_COUNT, layer_labels),
	LATER_BOOLEAN(struct itp_function_record, "unnamed", function.is_unnamed),
	LATER_STRING(struct itp_function_record, "file", function.file),
	LATER_BOOLEAN(struct itp_function_record, "signal_frame", function.is_signal_frame),
	LATER_BOOLEAN(struct itp_function_record, "system", function.is_system),
	LATER_STRING(struct itp_function_record, "choices", function.choices),
};

static const struct itp_field context_fields[] = {
	UNSIGNED(struct itp_context_record, "id", 32, id),
	UNSIGNED(struct itp_context_record, "parent", 32, parent),
	UNSIGNED(struct itp_context_record, "function", 32, function),
};

static const struct itp_field instance_fields[] = {
	UNSIGNED(struct itp_instance_record, "node", 32, instance.node),
	STRING(struct itp_instance_record, "function", function),
	SIGNED(struct itp_instance_record, "pid", 32, instance.pid),
	SIGNED(struct itp_instance_record, "tid", 32, instance.tid),
	UNSIGNED(struct itp_instance_record, "depth", 32, instance.depth),
	SIGNED(struct itp_instance_record, "begin_ns", 64, instance.begin_ns),
	SIGNED(struct itp_instance_record, "conservative_ns", 64, instance.conservative_ns),
	SIGNED(struct itp_instance_record, "aggressive_ns", 64, instance.aggressive_ns),
	SIGNED(struct itp_instance_record, "lower_ns", 64, instance.lower_ns),
	SIGNED(struct itp_instance_record, "upper_ns", 64, instance.upper_ns),
	SIGNED(struct itp_instance_record, "cpu_ns", 64, instance.use.cpu_ns),
	SIGNED(struct itp_instance_record, "blocked_ns", 64, instance.use.blocked_ns),
	SIGNED(struct itp_instance_record, "runnable_ns", 64, instance.use.runnable_ns),
	UNSIGNED(struct itp_instance_record, "flags", 8, instance.flags),
	SIGNED(struct itp_instance_record, "best_begin_ns", 64, instance.best_begin_ns),
	SIGNED(struct itp_instance_record, "best_ns", 64, instance.best_ns),
	SIGNED(struct itp_instance_record, "best_cpu_ns", 64, instance.best_use.cpu_ns),
	SIGNED(struct itp_instance_record, "best_blocked_ns", 64, instance.best_use.blocked_ns),
	SIGNED(struct itp_instance_record, "best_runnable_ns", 64, instance.best_use.runnable_ns),
	LATER_UNSIGNED(struct itp_instance_record, "max_calls", 32, instance.max_calls),
	LATER_BOOLEAN(struct itp_instance_record, "would_block", instance.would_block),
	WORDS_FIELDS(struct itp_instance_record, instance.words),
	LATER_SIGNED(struct itp_instance_record, "result", 64, instance.result),
	LATER_BOOLEAN(struct itp_instance_record, "has_result", instance.has_result),
	LATER_SIGNED(struct itp_instance_record, "woke_ns", 64, instance.woke_ns),
	LATER_UNSIGNED(struct itp_instance_record, "window", 32, instance.window),
	LATER_SIGNED(struct itp_instance_record, "unseen_calls", 32, instance.unseen_calls),
	LATER_STRING(struct itp_instance_record, "thread_name", instance.thread_name),
};

static const struct itp_field node_fields[] = {
	UNSIGNED(struct itp_node_record, "id", 32, id),
	UNSIGNED(struct itp_node_record, "parent", 32, parent),
	UNSIGNED(struct itp_node_record, "function", 32, function),
#define NODE_FIELD(name, member, type, merging) \
	type(struct itp_node_record, #name, 64, stats.member),
	ITP_NODE_FIELDS(NODE_FIELD)
#undef NODE_FIELD
		{ "histogram", ITP_FIELD_ARRAY, 32, 0, sizeof(uint32_t), 0, NULL, false },
#define NODE_FIELD(name, member, type, merging) \
	LATER_##type(struct itp_node_record, #name, 64, stats.member),
	ITP_NODE_LATER_FIELDS(NODE_FIELD)
#undef NODE_FIELD
};

static const struct itp_field workload_fields[] = {
	STRING(struct itp_workload_record, "name", name),
	SIGNED(struct itp_workload_record, "begin_ns", 64, counts.begin_ns),
	SIGNED(struct itp_workload_record, "end_ns", 64, counts.end_ns),
	UNSIGNED(struct itp_workload_record, "threads", 64, counts.threads),
	UNSIGNED(struct itp_workload_record, "events", 64, counts.events),
	UNSIGNED(struct itp_workload_record, "stacks", 64, counts.stacks),
	UNSIGNED(struct itp_workload_record, "broken_stacks", 64, counts.broken_stacks),
	UNSIGNED(struct itp_workload_record, "interrupted_stacks", 64, counts.interrupted_stacks),
	UNSIGNED(struct itp_workload_record, "losses", 64, counts.losses),
	UNSIGNED(struct itp_workload_record, "lost_events", 64, counts.lost_events),
	BOOLEAN(struct itp_workload_record, "cut", counts.cut),
	BOOLEAN(struct itp_workload_record, "complete", complete),
	STRING(struct itp_workload_record, "options", options),
	LATER_UNSIGNED(struct itp_workload_record, "deep_stacks", 64, counts.deep_stacks),
	LATER_UNSIGNED(struct itp_workload_record, "unwind_failures", 64, counts.unwind_failures),
	LATER_UNSIGNED(struct itp_workload_record, "found_by_recorder", 64,
		       counts.found_by[ITP_FOUND_BY_RECORDER]),
	LATER_UNSIGNED(struct itp_workload_record, "found_by_rule", 64,
		       counts.found_by[ITP_FOUND_BY_RULE]),
	LATER_UNSIGNED(struct itp_workload_record, "found_by_expression", 64,
		       counts.found_by[ITP_FOUND_BY_EXPRESSION]),
	LATER_UNSIGNED(struct itp_workload_record, "found_by_frame_pointer", 64,
		       counts.found_by[ITP_FOUND_BY_FRAME_POINTER]),
	LATER_UNSIGNED(struct itp_workload_record, "period", 64, period),
	LATER_UNSIGNED(struct itp_workload_record, "timer_samples", 64, counts.timer_samples),
	LATER_UNSIGNED(struct itp_workload_record, "unfollowed_stacks", 64,
		       counts.unfollowed_stacks),
	LATER_UNSIGNED(struct itp_workload_record, "deep_chains", 64, counts.deep_chains),
	LATER_UNSIGNED(struct itp_workload_record, "short_copies", 64, counts.short_copies),
	LATER_UNSIGNED(struct itp_workload_record, "completed_stacks", 64, counts.completed_stacks),
	LATER_UNSIGNED(struct itp_workload_record, "filled_frames", 64, counts.filled_frames),
	LATER_UNSIGNED(struct itp_workload_record, "late_records", 64, counts.late_records),
	LATER_UNSIGNED(struct itp_workload_record, "misplaced_records", 64,
		       counts.misplaced_records),
	LATER_SIGNED(struct itp_workload_record, "tick_ns", 64, counts.tick_ns),
	LATER_UNSIGNED(struct itp_workload_record, "watched", 32, counts.watched),
	LATER_SIGNED(struct itp_workload_record, "windows_ns", 64, counts.windows_ns),
	LATER_SIGNED(struct itp_workload_record, "rests_ns", 64, counts.rests_ns),
	LATER_SIGNED(struct itp_workload_record, "slowed_ns", 64, counts.slowed_ns),
	LATER_SIGNED(struct itp_workload_record, "drawn_ns", 64, counts.drawn_ns),
	LATER_UNSIGNED(struct itp_workload_record, "speeds", 64, counts.speeds.count),
	LATER_UNSIGNED(struct itp_workload_record, "speed_meters", 64, counts.speeds.meters),
	LATER_UNSIGNED(struct itp_workload_record, "computed_ns", 64, counts.speeds.computed_ns),
	LATER_UNSIGNED(struct itp_workload_record, "computed_ns2", 64, counts.speeds.computed_ns2),
	LATER_UNSIGNED(struct itp_workload_record, "units", 64, counts.units),
	LATER_UNSIGNED(struct itp_workload_record, "commands", 64, counts.commands),
	LATER_SIGNED(struct itp_workload_record, "blocked_ns", 64, counts.blocked_ns),
	LATER_UNSIGNED(struct itp_workload_record, "drawn_windows", 64, counts.drawn_windows),
};

static const struct itp_field waker_fields[] = {
	UNSIGNED(struct itp_waker, "node", 32, node),
	UNSIGNED(struct itp_waker, "process", 32, process),
	UNSIGNED(struct itp_waker, "function", 32, function),
	UNSIGNED(struct itp_waker, "count", 64, count),
	SIGNED(struct itp_waker, "blocked_ns", 64, blocked_ns),
	LATER_UNSIGNED(struct itp_waker, "role", 32, role),
	LATER_UNSIGNED(struct itp_waker, "square_us2", 64, square_us2),
};

static const struct itp_field slowest_fields[] = {
	UNSIGNED(struct itp_slow_call, "node", 32, node),
	SIGNED(struct itp_slow_call, "pid", 32, pid),
	SIGNED(struct itp_slow_call, "tid", 32, tid),
	SIGNED(struct itp_slow_call, "begin_ns", 64, begin_ns),
	SIGNED(struct itp_slow_call, "latency_ns", 64, latency_ns),
	SIGNED(struct itp_slow_call, "lower_ns", 64, lower_ns),
	SIGNED(struct itp_slow_call, "upper_ns", 64, upper_ns),
	UNSIGNED(struct itp_slow_call, "flags", 8, flags),
};

static const struct itp_field share_fields[] = {
	UNSIGNED(struct itp_share, "node", 32, node),
	UNSIGNED(struct itp_share, "within", 32, within),
	SIGNED(struct itp_share, "cpu_ns", 64, cpu_ns),
	UNSIGNED(struct itp_share, "samples", 64, samples),
	UNSIGNED(struct itp_share, "variance_us2", 64, variance_us2),
	LATER_SIGNED(struct itp_share, "wanted_ns", 64, demand.wanted_ns),
	LATER_SIGNED(struct itp_share, "life_ns", 64, demand.life_ns),
	LATER_SIGNED(struct itp_share, "passed_ns", 64, demand.passed_ns),
};

static const struct itp_field latency_fields[] = {
	UNSIGNED(struct itp_latency, "node", 32, node),
	SIGNED(struct itp_latency, "latency_ns", 64, latency_ns),
	UNSIGNED(struct itp_latency, "calls", 64, calls),
};

/* Members of a stretch, in a record's `prefix`. */
#define STRETCH_FIELDS(record, prefix)                                                  \
	SIGNED(record, "pid", 32, prefix pid), SIGNED(record, "tid", 32, prefix tid),   \
		UNSIGNED(record, "node", 32, prefix node),                              \
		SIGNED(record, "begin_ns", 64, prefix begin_ns),                        \
		SIGNED(record, "end_ns", 64, prefix end_ns),                            \
		LABELS(record, "end", prefix end, ITP_WAIT_END_COUNT, wait_end_labels), \
		SIGNED(record, "waker_tid", 32, prefix waker_tid),                      \
		UNSIGNED(record, "waker_node", 32, prefix waker_node),                  \
		UNSIGNED(record, "waker_process", 32, prefix waker_process),            \
		UNSIGNED(record, "waker_function", 32, prefix waker_function)

static const struct itp_field stretch_fields[] = {
	LABELS(struct itp_stretch, "kind", kind, ITP_STRETCH_KIND_COUNT, stretch_labels),
	STRETCH_FIELDS(struct itp_stretch, ),
	UNSIGNED(struct itp_stretch, "ticks", 32, ticks),
	BOOLEAN(struct itp_stretch, "in_call", is_in_call),
};

static const struct itp_field unplaced_fields[] = {
	UNSIGNED(struct itp_unplaced_record, "function", 32, function),
	SIGNED(struct itp_unplaced_record, "pid", 32, call.pid),
	SIGNED(struct itp_unplaced_record, "tid", 32, call.tid),
	SIGNED(struct itp_unplaced_record, "begin_ns", 64, call.best_begin_ns),
	SIGNED(struct itp_unplaced_record, "end_ns", 64, call.begin_ns),
	BOOLEAN(struct itp_unplaced_record, "would_block", call.would_block),
	WORDS_FIELDS(struct itp_unplaced_record, call.words),
	SIGNED(struct itp_unplaced_record, "result", 64, call.result),
	SIGNED(struct itp_unplaced_record, "woke_ns", 64, call.woke_ns),
};

static const struct itp_field symptom_fields[] = {
	UNSIGNED(struct itp_symptom_record, "id", 32, id),
	SIGNED(struct itp_symptom_record, "tid", 32, tid),
	SIGNED(struct itp_symptom_record, "begin_ns", 64, begin_ns),
	SIGNED(struct itp_symptom_record, "end_ns", 64, end_ns),
};

static const struct itp_field wait_fields[] = {
	UNSIGNED(struct itp_wait_record, "symptom", 32, symptom),
	UNSIGNED(struct itp_wait_record, "depth", 32, depth),
	BOOLEAN(struct itp_wait_record, "followed", is_followed),
	STRETCH_FIELDS(struct itp_wait_record, wait.),
};

static const struct itp_field interest_fields[] = {
	BOOLEAN(struct itp_interest_record, "waits", is_wait),
	UNSIGNED(struct itp_interest_record, "count", 64, count),
	SIGNED(struct itp_interest_record, "cost_ns", 64, cost_ns),
	{ "contexts", ITP_FIELD_ARRAY, 32, 0, sizeof(uint32_t), 0, NULL, false },
};

static const struct itp_field search_fields[] = {
	STRING(struct itp_search_record, "name", name),
	STRING(struct itp_search_record, "symptom", symptom),
	UNSIGNED(struct itp_search_record, "calls", 64, calls),
	BOOLEAN(struct itp_search_record, "wakeups", has_wakeups),
	BOOLEAN(struct itp_search_record, "complete", complete),
	LATER_UNSIGNED(struct itp_search_record, "left_out", 64, left_out),
};

static const struct itp_field unit_fields[] = {
	UNSIGNED(struct itp_unit_record, "id", 32, id),
	STRING(struct itp_unit_record, "process", sum.process),
	STRING(struct itp_unit_record, "loop", sum.loop),
	STRING(struct itp_unit_record, "wait", sum.wait),
	STRING(struct itp_unit_record, "telling", sum.telling),
	UNSIGNED(struct itp_unit_record, "count", 64, sum.count),
	SIGNED(struct itp_unit_record, "total_ns", 64, sum.total_ns),
	SIGNED(struct itp_unit_record, "min_ns", 64, sum.min_ns),
	SIGNED(struct itp_unit_record, "max_ns", 64, sum.max_ns),
	SIGNED(struct itp_unit_record, "cpu_ns", 64, sum.use.cpu_ns),
	SIGNED(struct itp_unit_record, "blocked_ns", 64, sum.use.blocked_ns),
	SIGNED(struct itp_unit_record, "runnable_ns", 64, sum.use.runnable_ns),
};

static const struct itp_field unit_latency_fields[] = {
	UNSIGNED(struct itp_latency, "unit", 32, node),
	SIGNED(struct itp_latency, "latency_ns", 64, latency_ns),
	UNSIGNED(struct itp_latency, "count", 64, calls),
};

static const struct itp_field unit_span_fields[] = {
	UNSIGNED(struct itp_unit_span_record, "unit", 32, unit),
	SIGNED(struct itp_unit_span_record, "pid", 32, pid),
	SIGNED(struct itp_unit_span_record, "tid", 32, tid),
	SIGNED(struct itp_unit_span_record, "begin_ns", 64, begin_ns),
	SIGNED(struct itp_unit_span_record, "end_ns", 64, end_ns),
};

#define LAYOUT(name, fields, record)                               \
	{                                                          \
		name, fields, G_N_ELEMENTS(fields), sizeof(record) \
	}

static const struct itp_layout layouts[ITP_RECORD_TYPE_COUNT] = {
	[ITP_RECORD_STACK] = LAYOUT("introperf:stack", stack_fields, struct itp_stack_event),
	[ITP_RECORD_FUNCTION] =
		LAYOUT("introperf:function", function_fields, struct itp_function_record),
	[ITP_RECORD_CONTEXT] =
		LAYOUT("introperf:context", context_fields, struct itp_context_record),
	[ITP_RECORD_INSTANCE] =
		LAYOUT("introperf:instance", instance_fields, struct itp_instance_record),
	[ITP_RECORD_NODE] = LAYOUT("introperf:node", node_fields, struct itp_node_record),
	[ITP_RECORD_WORKLOAD] =
		LAYOUT("introperf:workload", workload_fields, struct itp_workload_record),
	[ITP_RECORD_WAKER] = LAYOUT("introperf:waker", waker_fields, struct itp_waker),
	[ITP_RECORD_SLOWEST] = LAYOUT("introperf:slowest", slowest_fields, struct itp_slow_call),
	[ITP_RECORD_RUNNING] =
		LAYOUT("introperf:running", instance_fields, struct itp_instance_record),
	[ITP_RECORD_SHARE] = LAYOUT("introperf:share", share_fields, struct itp_share),
	[ITP_RECORD_LATENCY] = LAYOUT("introperf:latency", latency_fields, struct itp_latency),
	[ITP_RECORD_STRETCH] = LAYOUT("introperf:stretch", stretch_fields, struct itp_stretch),
	[ITP_RECORD_UNPLACED] =
		LAYOUT("introperf:unplaced", unplaced_fields, struct itp_unplaced_record),
	[ITP_RECORD_SYMPTOM] =
		LAYOUT("introperf:symptom", symptom_fields, struct itp_symptom_record),
	[ITP_RECORD_WAIT] = LAYOUT("introperf:wait", wait_fields, struct itp_wait_record),
	[ITP_RECORD_INTEREST] =
		LAYOUT("introperf:interest", interest_fields, struct itp_interest_record),
	[ITP_RECORD_SEARCH] = LAYOUT("introperf:search", search_fields, struct itp_search_record),
	[ITP_RECORD_UNIT] = LAYOUT("introperf:unit", unit_fields, struct itp_unit_record),
	[ITP_RECORD_UNIT_LATENCY] =
		LAYOUT("introperf:unit_latency", unit_latency_fields, struct itp_latency),
	[ITP_RECORD_UNIT_SPAN] =
		LAYOUT("introperf:unit_span", unit_span_fields, struct itp_unit_span_record),
};

G_STATIC_ASSERT(G_N_ELEMENTS(stack_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(function_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(context_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(instance_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(node_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(workload_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(waker_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(slowest_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(share_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(latency_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(stretch_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(unplaced_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(symptom_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(wait_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(interest_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(search_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(unit_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(unit_latency_fields) <= ITP_LAYOUT_MAX_FIELDS);
G_STATIC_ASSERT(G_N_ELEMENTS(unit_span_fields) <= ITP_LAYOUT_MAX_FIELDS);

const struct itp_layout *itp_layout_get(enum itp_record_type type)
{
	return &layouts[type];
}

enum itp_record_type itp_record_type_from_name(const char *event_name)
{
	enum itp_record_type type = ITP_RECORD_STACK;

	while (type < ITP_RECORD_TYPE_COUNT &&
	       g_strcmp0(layouts[type].event_name, event_name) != 0) {
		type++;
	}
	return type;
}

struct itp_workload itp_workload_of_record(const struct itp_workload_record *record)
{
	return (struct itp_workload){ .name = (char *)record->name,
				      .options = (char *)record->options,
				      .complete = record->complete,
				      .counts = record->counts };
}
