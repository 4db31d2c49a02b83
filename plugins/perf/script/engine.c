/* SPDX-License-Identifier: MIT */
/*
 * See engine.h.
 */
#include "plugins/perf/script/engine.h"

#include <linux/perf_event.h>
#include <string.h>

#include "common/base/failure.h"
#include "plugins/perf/script/chain.h"
#include "plugins/perf/script/places.h"
#include "plugins/perf/script/threads.h"
#include "terminal/terminal.h"

#define PAGE_MASK UINT64_C(4095)

/* Begin of perf's names for memory without a file: its map of functions. */
#define PERF_MAP_PREFIX "/tmp/perf-"

struct event {
	/* Owned by this. */
	char *name;
	struct perf_event_attr attr;
	/* perf unwinds its stacks from copies. */
	bool is_unwound;
};

struct itp_engine {
	struct itp_delivery delivery;
	/* Owned by this. */
	struct itp_places *places;
	struct itp_new_threads threads;
	/* struct event, in the order of the analysis. */
	GArray *events;
	struct itp_script_chain chain;
	/* Name of an unknown file. */
	GString *unplaced;
	/* Sample at hand, its process, and whether the process has just begun. Weak. */
	const struct itp_script_sample *sample;
	int32_t pid;
	bool is_beginning;
	bool knows_kernel;
	bool has_namespace;
	/* A sample told its process. */
	bool was_told_pid;
};

static void clear_event(gpointer event)
{
	g_free(((struct event *)event)->name);
}

static bool succeed(int code, GError **error)
{
	if (code < 0) {
		itp_failure_set(error, "%s", itp_error_text(code));
	}
	return code >= 0;
}

/* Name of a file at an unknown place: its functions are then told apart by the last digits of their
 * addresses, equal wherever the file lies. */
static const char *unplaced_path(struct itp_engine *engine, const char *path)
{
	const char *slash = strrchr(path, '/');

	g_string_printf(engine->unplaced, "//%s", slash ? slash + 1 : path);
	return engine->unplaced->str;
}

/* Learns from other frames about the file at `path`. */
static void learn_from_others(struct itp_engine *engine, const char *path)
{
	const struct itp_script_sample *sample = engine->sample;
	const uint64_t *chain = itp_script_chain_user(&engine->chain);

	for (guint i = 0; i < engine->chain.frames->len; i++) {
		size_t number = g_array_index(engine->chain.frames, size_t, i);
		const struct itp_script_frame frame = itp_script_frame(sample, number);

		if (!frame.path || strcmp(frame.path, path) != 0) {
			continue;
		}
		itp_places_learn_frame(engine->places, engine->pid, sample->chain[number], &frame);
		if (i > 0) {
			itp_places_learn_return(engine->places, engine->pid, path, chain[i]);
		}
	}
}

static bool find_frame_place(struct itp_engine *engine, size_t i,
			     const struct itp_script_frame *frame, uint64_t address,
			     uint64_t *ret_offset)
{
	uint64_t ip = engine->sample->chain[g_array_index(engine->chain.frames, size_t, i)];

	itp_places_learn_frame(engine->places, engine->pid, ip, frame);
	if (itp_places_find(engine->places, engine->pid, frame->path, address, ret_offset)) {
		return true;
	}
	learn_from_others(engine, frame->path);
	if (engine->is_beginning && i == 0) {
		itp_places_learn_entry(engine->places, engine->pid, frame->path, ip);
	}
	return itp_places_find(engine->places, engine->pid, frame->path, address, ret_offset);
}

static bool ask_for_code(void *data, size_t i, uint64_t address, struct itp_code_place *ret_place)
{
	struct itp_engine *engine = data;
	const struct itp_script_frame frame =
		itp_script_frame(engine->sample, g_array_index(engine->chain.frames, size_t, i));

	if (!frame.path) {
		return false;
	}
	*ret_place = (struct itp_code_place){ .path = frame.path, .offset = address };
	if (itp_module_is_anonymous(frame.path) || g_str_has_prefix(frame.path, PERF_MAP_PREFIX)) {
		return true;
	}
	if (!find_frame_place(engine, i, &frame, address, &ret_place->offset)) {
		ret_place->path = unplaced_path(engine, frame.path);
		ret_place->offset = address & PAGE_MASK;
	}
	return true;
}

static void say_as_script(const char *text)
{
	itp_terminal_say("introperf.py: %s", text);
}

static const struct itp_delivery_host host = { .ask = ask_for_code,
					       .say = say_as_script,
					       .next = "-- path=1" };

struct itp_engine *itp_engine_new(char *const *texts, int count, GError **error)
{
	struct itp_engine *engine = g_new0(struct itp_engine, 1);

	engine->events = g_array_new(FALSE, TRUE, sizeof(struct event));
	g_array_set_clear_func(engine->events, clear_event);
	itp_script_chain_init(&engine->chain);
	engine->unplaced = g_string_new(NULL);
	itp_new_threads_init(&engine->threads, &engine->delivery);
	if (!itp_delivery_init(&engine->delivery, &host, texts, count, error)) {
		itp_engine_free(engine);
		return NULL;
	}
	engine->places = itp_places_new(engine->delivery.translator.symbolizer);
	return engine;
}

void itp_engine_free(struct itp_engine *engine)
{
	if (!engine) {
		return;
	}
	itp_places_free(engine->places);
	itp_new_threads_release(&engine->threads);
	itp_delivery_release(&engine->delivery);
	itp_script_chain_release(&engine->chain);
	g_array_unref(engine->events);
	g_string_free(engine->unplaced, TRUE);
	g_free(engine);
}

int itp_engine_find_event(const struct itp_engine *engine, const char *name)
{
	for (guint i = 0; i < engine->events->len; i++) {
		if (strcmp(g_array_index(engine->events, struct event, i).name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* Copies of stacks are perf's business, which hands over their frames. */
static struct event make_event(const struct itp_engine *engine, const char *name,
			       const struct itp_bytes *attr)
{
	const uint64_t copies = PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER;
	struct event event = { .name = g_strdup(name) };

	if (attr) {
		memcpy(&event.attr, attr->data, MIN(attr->size, sizeof(event.attr)));
	} else if (engine->events->len > 0) {
		event.attr = g_array_index(engine->events, struct event, 0).attr;
		event.is_unwound = g_array_index(engine->events, struct event, 0).is_unwound;
		event.attr.type = PERF_TYPE_TRACEPOINT;
	}
	event.attr.size = sizeof(event.attr);
	event.is_unwound |= (event.attr.sample_type & copies) != 0;
	event.attr.sample_type &= ~copies;
	return event;
}

int itp_engine_add_event(struct itp_engine *engine, const char *name, const struct itp_bytes *attr,
			 GError **error)
{
	const struct event event = make_event(engine, name, attr);
	const struct itp_bytes bytes = { .data = (const uint8_t *)&event.attr,
					 .size = sizeof(event.attr) };
	int index = itp_delivery_add_event(&engine->delivery, &bytes, name);

	if (!succeed(index, error)) {
		g_free(event.name);
		return -1;
	}
	if (event.attr.context_switch) {
		itp_translator_expect_switches(&engine->delivery.translator);
	}
	g_array_append_val(engine->events, event);
	return index;
}

const struct itp_tracepoint *itp_engine_tracepoint(const struct itp_engine *engine, uint32_t event)
{
	return &engine->delivery.translator.tracepoints[event];
}

/* Learns the kernel and its place from its first function known to perf. */
static int learn_kernel(struct itp_engine *engine, const struct itp_script_sample *sample)
{
	const struct itp_script_map *map = &sample->map;
	bool tells_build = map->path && map->build_id &&
			   g_str_has_prefix(map->path, ITP_KERNEL_MAP);

	if (tells_build && map->symbol) {
		engine->knows_kernel = true;
		return itp_delivery_set_kernel(&engine->delivery, map->build_id, map->symbol,
					       map->symbol_start);
	}
	for (size_t i = 0; i < sample->chain_length && itp_script_is_kernel(sample->chain[i]);
	     i++) {
		const struct itp_script_frame frame = itp_script_frame(sample, i);

		if (frame.has_place && frame.path &&
		    (frame.path[0] != '[' || g_str_has_prefix(frame.path, ITP_KERNEL_MAP))) {
			engine->knows_kernel = true;
			return itp_delivery_set_kernel(
				&engine->delivery, tells_build ? map->build_id : "", frame.symbol,
				sample->chain[i] - frame.symbol_offset);
		}
	}
	return 0;
}

static int32_t pid_of(struct itp_engine *engine, const struct itp_script_sample *sample)
{
	if (sample->pid != ITP_SCRIPT_PID_UNTOLD) {
		engine->was_told_pid = true;
		itp_new_threads_know(&engine->threads, sample->tid);
		return sample->pid;
	}
	return sample->tid > 0 ? itp_new_threads_find(&engine->threads, sample->tid) : sample->tid;
}

static void learn_map(struct itp_engine *engine, const struct itp_script_map *map)
{
	uint64_t offset;

	if (!map->path || map->path[0] != '/' ||
	    itp_places_find(engine->places, engine->pid, map->path, map->start, &offset)) {
		return;
	}
	if (map->build_id) {
		itp_symbolizer_set_build_id(engine->delivery.translator.symbolizer, map->path,
					    map->build_id);
	}
	itp_places_learn_map(engine->places, engine->pid, map);
}

/* Prepares a stack: its thread, and its memory. */
static int prepare_stack(struct itp_engine *engine, const struct itp_script_sample *given,
			 const struct itp_perf_sample *sample, struct itp_task *task)
{
	int code = engine->knows_kernel ? 0 : learn_kernel(engine, given);

	if (code == 0) {
		code = itp_delivery_begin(&engine->delivery, sample, task);
	}
	if (code != 0 || !task) {
		return code;
	}
	engine->is_beginning = itp_address_space_is_empty(task->process->space);
	if (engine->is_beginning) {
		itp_places_forget(engine->places, engine->pid);
	}
	learn_map(engine, &given->map);
	itp_code_pages_visit(engine->delivery.pages, task, itp_script_chain_user(&engine->chain),
			     engine->chain.frames->len, engine);
	return 0;
}

/* True when the code at `address` is of a function that nobody calls. */
static bool is_outermost(struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *mapping = itp_address_space_find(space, address);
	const struct itp_cfi_row *row;
	struct itp_cfi *cfi;
	uint64_t vaddr;
	bool is_lasting;

	cfi = mapping ? itp_module_cfi(mapping->module, address - mapping->start + mapping->offset,
				       &vaddr) :
			NULL;
	row = cfi ? itp_cfi_find(cfi, vaddr, &is_lasting) : NULL;
	return row && row->caller == ITP_CFI_CALLER_NONE;
}

/* perf gives no reason for its stop where it unwound. */
static bool lacks_root(const struct itp_engine *engine, const struct itp_task *task)
{
	guint count = engine->chain.frames->len;

	/* A return address belongs to the call before it. */
	return count > 0 &&
	       !is_outermost(task->process->space,
			     itp_script_chain_user(&engine->chain)[count - 1] - (count > 1));
}

static int push_sample(struct itp_engine *engine, const struct itp_script_sample *given)
{
	const struct event *event = &g_array_index(engine->events, struct event, given->event);
	struct itp_task *task =
		itp_delivery_task(&engine->delivery, engine->pid, given->tid, given->comm);
	struct itp_perf_sample sample = {
		.stamp = { .attr = given->event,
			   .time = itp_delivery_time(&engine->delivery, given->time_ns),
			   .pid = engine->pid,
			   .tid = given->tid,
			   .cpu = given->cpu },
		.chain = { .data = (const uint8_t *)engine->chain.entries->data,
			   .size = engine->chain.entries->len * sizeof(uint64_t) },
		.has_chain = (event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0,
		.is_unwound = event->is_unwound,
		.raw = given->raw,
	};
	int code;

	code = prepare_stack(engine, given, &sample, task);
	if (code != 0) {
		return code;
	}
	sample.lacks_root = event->is_unwound && task && lacks_root(engine, task);
	code = itp_delivery_push(&engine->delivery, 0, &sample, task);
	itp_new_threads_watch(&engine->threads, &sample);
	return code;
}

bool itp_engine_push(struct itp_engine *engine, const struct itp_script_sample *sample,
		     GError **error)
{
	itp_delivery_watch(&engine->delivery);
	engine->sample = sample;
	engine->pid = pid_of(engine, sample);
	engine->has_namespace |= sample->is_renumbered;
	itp_script_chain_take(
		&engine->chain, sample,
		g_array_index(engine->events, struct event, sample->event).is_unwound);
	return succeed(push_sample(engine, sample), error);
}

bool itp_engine_wants_pid(const struct itp_engine *engine)
{
	const struct itp_translator *translator = &engine->delivery.translator;

	return !engine->was_told_pid || engine->has_namespace ||
	       (translator->is_system_wide && !translator->has_switch_records) ||
	       itp_new_threads_may_come(&engine->threads);
}

bool itp_engine_switch(struct itp_engine *engine, uint64_t time_ns, int32_t pid, int32_t tid,
		       int32_t cpu, bool is_out, bool is_preempted, GError **error)
{
	const struct itp_perf_stamp stamp = {
		.time = itp_delivery_time(&engine->delivery, time_ns),
		.pid = pid,
		.tid = tid,
		.cpu = cpu,
	};

	itp_translator_expect_switches(&engine->delivery.translator);
	return tid <= 0 || !itp_new_threads_switch(&engine->threads, pid, tid) ||
	       succeed(itp_delivery_switch(&engine->delivery, &stamp, is_out, is_preempted), error);
}

bool itp_engine_finish(struct itp_engine *engine, bool is_cut, bool *ret_is_whole, GError **error)
{
	GError *reason = NULL;
	enum itp_outcome outcome = itp_delivery_conclude(&engine->delivery, is_cut, &reason);

	*ret_is_whole = outcome == ITP_OUTCOME_DONE;
	if (outcome == ITP_OUTCOME_FAILED) {
		g_propagate_error(error, reason);
		return false;
	}
	if (reason) {
		say_as_script(reason->message);
		g_error_free(reason);
	}
	return true;
}
