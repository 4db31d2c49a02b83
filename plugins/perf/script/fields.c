/* SPDX-License-Identifier: MIT */
/*
 * See fields.h. Look-ups use names that are made once; of a frame only its address is read, unless
 * the engine asks for more.
 */
#include "plugins/perf/script/fields.h"

#include <linux/perf_event.h>
#include <string.h>

#include "common/perf-data/tracepoint.h"

/* More than the known tracepoints need. */
#define RAW_BYTES 64

/* perf's keys. */
#define KEYS(KEY)                                 \
	KEY(COMMON_CPU, "common_cpu")             \
	KEY(COMMON_S, "common_s")                 \
	KEY(COMMON_NS, "common_ns")               \
	KEY(COMMON_PID, "common_pid")             \
	KEY(COMMON_COMM, "common_comm")           \
	KEY(COMMON_CALLCHAIN, "common_callchain") \
	KEY(ID, "id")                             \
	KEY(RET, "ret")                           \
	KEY(PREV_STATE, "prev_state")             \
	KEY(NEXT_PID, "next_pid")                 \
	KEY(NEXT_COMM, "next_comm")               \
	KEY(PID, "pid")                           \
	KEY(PROBE_IP, "__probe_ip")               \
	KEY(TID, "tid")                           \
	KEY(CPU, "cpu")                           \
	KEY(TIME, "time")                         \
	KEY(EV_NAME, "ev_name")                   \
	KEY(ATTR, "attr")                         \
	KEY(TYPE, "type")                         \
	KEY(SAMPLE_TYPE, "sample_type")           \
	KEY(SAMPLE, "sample")                     \
	KEY(RAW_BUF, "raw_buf")                   \
	KEY(COMM, "comm")                         \
	KEY(CALLCHAIN, "callchain")               \
	KEY(DSO, "dso")                           \
	KEY(DSO_BID, "dso_bid")                   \
	KEY(DSO_MAP_START, "dso_map_start")       \
	KEY(DSO_MAP_END, "dso_map_end")           \
	KEY(DSO_MAP_PGOFF, "dso_map_pgoff")       \
	KEY(SYMBOL, "symbol")                     \
	KEY(SYM_START, "sym_start")               \
	KEY(IP, "ip")                             \
	KEY(SYM, "sym")                           \
	KEY(SYM_OFF, "sym_off")                   \
	KEY(START, "start")                       \
	KEY(NAME, "name")

enum key {
#define KEY_MEMBER(member, name) KEY_##member,
	KEYS(KEY_MEMBER) KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {
#define KEY_NAME_OF(member, name) [KEY_##member] = name,
	KEYS(KEY_NAME_OF)
};

/* perf's names for the useful fields of tracepoints. */
static const enum key field_keys[][ITP_TRACEPOINT_FIELDS] = {
	[ITP_TRACEPOINT_SYS_ENTER] = { KEY_COMMON_PID, KEY_ID },
	[ITP_TRACEPOINT_SYS_EXIT] = { KEY_COMMON_PID, KEY_ID, KEY_RET },
	[ITP_TRACEPOINT_SWITCH] = { KEY_COMMON_PID, KEY_PREV_STATE, KEY_NEXT_PID, KEY_NEXT_COMM },
	[ITP_TRACEPOINT_WAKEUP] = { KEY_COMMON_PID, KEY_PID },
	[ITP_TRACEPOINT_CALL] = { KEY_COMMON_PID, KEY_PROBE_IP },
};

struct itp_fields {
	/* Owned by this (references). */
	PyObject *keys[KEY_COUNT];
	/* uint64_t: addresses of the chain. Owned by this. */
	GArray *chain;
	/* Of the sample at hand: a list. Weak. */
	PyObject *frames;
	uint8_t raw[RAW_BYTES];
};

struct itp_fields *itp_fields_new(void)
{
	struct itp_fields *fields = g_new0(struct itp_fields, 1);

	fields->chain = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (int i = 0; i < KEY_COUNT; i++) {
		fields->keys[i] = PyUnicode_InternFromString(key_names[i]);
		if (!fields->keys[i]) {
			itp_fields_free(fields);
			return NULL;
		}
	}
	return fields;
}

void itp_fields_free(struct itp_fields *fields)
{
	if (!fields) {
		return;
	}
	for (int i = 0; i < KEY_COUNT; i++) {
		Py_XDECREF(fields->keys[i]);
	}
	g_array_unref(fields->chain);
	g_free(fields);
}

/* Value of a key, weak; NULL without one. Anything but a dictionary has none. */
static PyObject *find_value(const struct itp_fields *fields, PyObject *dictionary, enum key key)
{
	return PyDict_Check(dictionary) ? PyDict_GetItemWithError(dictionary, fields->keys[key]) :
					  NULL;
}

/* Value of a necessary key; NULL with an exception set when missing. */
static PyObject *need(const struct itp_fields *fields, PyObject *dictionary, enum key key)
{
	PyObject *value = find_value(fields, dictionary, key);

	if (!value && !PyErr_Occurred()) {
		PyErr_Format(PyExc_ValueError, "perf handed over a sample without \"%s\"",
			     key_names[key]);
	}
	return value;
}

/* Lowest 64 bits: signed numbers come as themselves, and as their bits. */
static bool need_number(const struct itp_fields *fields, PyObject *dictionary, enum key key,
			uint64_t *ret_number)
{
	PyObject *value = need(fields, dictionary, key);

	if (!value) {
		return false;
	}
	*ret_number = PyLong_AsUnsignedLongLongMask(value);
	return *ret_number != UINT64_MAX || !PyErr_Occurred();
}

static bool find_number(const struct itp_fields *fields, PyObject *dictionary, enum key key,
			uint64_t *ret_number)
{
	PyObject *value = find_value(fields, dictionary, key);

	if (!value || !PyLong_Check(value)) {
		return false;
	}
	*ret_number = PyLong_AsUnsignedLongLongMask(value);
	return true;
}

/* NULL when it is no text, or perf's word for nothing. Lives as long as `value`. */
static const char *text_of_object(PyObject *value)
{
	const char *text = value && PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) :
							     NULL;

	if (!text) {
		/* Invalid text. */
		PyErr_Clear();
	}
	return text && strcmp(text, "[unknown]") != 0 ? text : NULL;
}

static void describe_frame(void *data, size_t i, struct itp_script_frame *ret_frame)
{
	const struct itp_fields *fields = data;
	PyObject *frame = PyList_GetItem(fields->frames, (Py_ssize_t)i);
	PyObject *symbol = find_value(fields, frame, KEY_SYM);

	ret_frame->path = text_of_object(find_value(fields, frame, KEY_DSO));
	if (symbol) {
		ret_frame->symbol = text_of_object(find_value(fields, symbol, KEY_NAME));
		ret_frame->has_place =
			find_number(fields, symbol, KEY_START, &ret_frame->symbol_start) &&
			find_number(fields, frame, KEY_SYM_OFF, &ret_frame->symbol_offset);
	}
}

static bool read_chain(struct itp_fields *fields, PyObject *frames,
		       struct itp_script_sample *sample)
{
	Py_ssize_t count = PyList_Check(frames) ? PyList_Size(frames) : 0;

	fields->frames = frames;
	g_array_set_size(fields->chain, (guint)count);
	for (Py_ssize_t i = 0; i < count; i++) {
		if (!need_number(fields, PyList_GetItem(frames, i), KEY_IP,
				 &g_array_index(fields->chain, uint64_t, i))) {
			return false;
		}
	}
	sample->chain = (const uint64_t *)(const void *)fields->chain->data;
	sample->chain_length = (size_t)count;
	sample->describe = describe_frame;
	sample->data = fields;
	return true;
}

static void read_map(const struct itp_fields *fields, PyObject *sample, struct itp_script_map *map)
{
	if (find_number(fields, sample, KEY_DSO_MAP_START, &map->start) &&
	    find_number(fields, sample, KEY_DSO_MAP_END, &map->end)) {
		map->path = text_of_object(find_value(fields, sample, KEY_DSO));
		map->build_id = text_of_object(find_value(fields, sample, KEY_DSO_BID));
		map->has_offset = find_number(fields, sample, KEY_DSO_MAP_PGOFF, &map->offset);
	}
	if (find_number(fields, sample, KEY_SYM_START, &map->symbol_start)) {
		map->symbol = text_of_object(find_value(fields, sample, KEY_SYMBOL));
	}
}

/* perf's whole structure, or its present members. */
static bool read_attr(const struct itp_fields *fields, PyObject *sample,
		      struct perf_event_attr *ret_attr)
{
	PyObject *attr = find_value(fields, sample, KEY_ATTR);
	uint64_t type;
	char *bytes;
	Py_ssize_t size;

	if (!attr) {
		return false;
	}
	if (PyBytes_Check(attr) && PyBytes_AsStringAndSize(attr, &bytes, &size) == 0) {
		memcpy(ret_attr, bytes, MIN((size_t)size, sizeof(*ret_attr)));
		return true;
	}
	if (!find_number(fields, attr, KEY_TYPE, &type) ||
	    !find_number(fields, attr, KEY_SAMPLE_TYPE, (uint64_t *)&ret_attr->sample_type)) {
		return false;
	}
	ret_attr->type = (uint32_t)type;
	return true;
}

static bool find_event(const struct itp_fields *fields, struct itp_engine *engine, const char *name,
		       PyObject *sample, uint32_t *ret_event, GError **error)
{
	struct perf_event_attr attr = { .type = 0 };
	const struct itp_bytes bytes = { .data = (const uint8_t *)&attr, .size = sizeof(attr) };
	int event = itp_engine_find_event(engine, name);

	if (event < 0) {
		bool is_told = read_attr(fields, sample, &attr);

		event = itp_engine_add_event(engine, name, is_told ? &bytes : NULL, error);
	}
	*ret_event = (uint32_t)event;
	return event >= 0;
}

static bool put_field(struct itp_fields *fields, PyObject *event, enum key key,
		      const struct itp_raw_field *field)
{
	uint64_t number;

	if (key == KEY_NEXT_COMM) {
		const char *text = text_of_object(find_value(fields, event, key));

		memset(fields->raw + field->offset, 0, field->size);
		if (text) {
			g_strlcpy((char *)fields->raw + field->offset, text, field->size);
		}
		return true;
	}
	if (!need_number(fields, event, key, &number)) {
		return false;
	}
	number = GUINT64_TO_LE(number);
	memcpy(fields->raw + field->offset, &number, field->size);
	return true;
}

/* Lays the fields of a tracepoint out as the engine looks for them: perf knows where the recorded
 * kernel had them. */
static bool read_fields(struct itp_fields *fields, const struct itp_tracepoint *tracepoint,
			PyObject *event, struct itp_script_sample *sample)
{
	for (int i = 0; tracepoint->kind != ITP_TRACEPOINT_OTHER && i < ITP_TRACEPOINT_FIELDS;
	     i++) {
		if (tracepoint->fields[i].size > 0 &&
		    !put_field(fields, event, field_keys[tracepoint->kind][i],
			       &tracepoint->fields[i])) {
			return false;
		}
	}
	sample->raw = (struct itp_bytes){ .data = fields->raw, .size = sizeof(fields->raw) };
	return true;
}

static bool read_ids(const struct itp_fields *fields, PyObject *sample,
		     struct itp_script_sample *ret_sample)
{
	PyObject *numbers = need(fields, sample, KEY_SAMPLE);
	uint64_t pid;
	uint64_t tid;

	if (!numbers || !need_number(fields, numbers, KEY_PID, &pid) ||
	    !need_number(fields, numbers, KEY_TID, &tid)) {
		return false;
	}
	ret_sample->pid = (int32_t)pid;
	ret_sample->tid = (int32_t)tid;
	return true;
}

/* Facts about the sample of a tracepoint without its dictionary. */
static bool read_common(struct itp_fields *fields, PyObject *event,
			struct itp_script_sample *sample)
{
	PyObject *frames = need(fields, event, KEY_COMMON_CALLCHAIN);
	uint64_t cpu;
	uint64_t seconds;
	uint64_t nanoseconds;
	uint64_t tid;

	if (!frames || !need_number(fields, event, KEY_COMMON_CPU, &cpu) ||
	    !need_number(fields, event, KEY_COMMON_S, &seconds) ||
	    !need_number(fields, event, KEY_COMMON_NS, &nanoseconds) ||
	    !need_number(fields, event, KEY_COMMON_PID, &tid)) {
		return false;
	}
	sample->cpu = (int32_t)cpu;
	sample->time_ns = seconds * G_GUINT64_CONSTANT(1000000000) + nanoseconds;
	sample->pid = ITP_SCRIPT_PID_UNTOLD;
	sample->tid = (int32_t)tid;
	sample->comm = text_of_object(find_value(fields, event, KEY_COMMON_COMM));
	return read_chain(fields, frames, sample);
}

bool itp_fields_push_tracepoint(struct itp_fields *fields, struct itp_engine *engine,
				PyObject *name, PyObject *event, PyObject *sample, GError **error)
{
	struct itp_script_sample read = { .event = 0 };
	const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
	int32_t tid;

	if (!text || !find_event(fields, engine, text, sample, &read.event, error) ||
	    !read_common(fields, event, &read) ||
	    !read_fields(fields, itp_engine_tracepoint(engine, read.event), event, &read)) {
		return false;
	}
	tid = read.tid;
	if (sample != Py_None) {
		if (!read_ids(fields, sample, &read)) {
			return false;
		}
		read_map(fields, sample, &read.map);
	}
	read.is_renumbered = read.tid != tid;
	return itp_engine_push(engine, &read, error);
}

bool itp_fields_push_sample(struct itp_fields *fields, struct itp_engine *engine, PyObject *sample,
			    GError **error)
{
	struct itp_script_sample read = { .event = 0 };
	const char *name = text_of_object(need(fields, sample, KEY_EV_NAME));
	PyObject *numbers = need(fields, sample, KEY_SAMPLE);
	PyObject *frames = need(fields, sample, KEY_CALLCHAIN);
	PyObject *raw = find_value(fields, sample, KEY_RAW_BUF);
	uint64_t cpu;
	char *bytes;
	Py_ssize_t size;

	if (!name || !numbers || !frames || !read_ids(fields, sample, &read) ||
	    !need_number(fields, numbers, KEY_TIME, &read.time_ns) ||
	    !need_number(fields, numbers, KEY_CPU, &cpu) ||
	    !find_event(fields, engine, name, sample, &read.event, error) ||
	    !read_chain(fields, frames, &read)) {
		return false;
	}
	read.cpu = (int32_t)cpu;
	read.comm = text_of_object(find_value(fields, sample, KEY_COMM));
	if (raw && PyBytes_Check(raw) && PyBytes_AsStringAndSize(raw, &bytes, &size) == 0) {
		read.raw =
			(struct itp_bytes){ .data = (const uint8_t *)bytes, .size = (size_t)size };
	}
	read_map(fields, sample, &read.map);
	return itp_engine_push(engine, &read, error);
}
