/* SPDX-License-Identifier: MIT */
/*
 * The script engine in a Python of our own: this program does what perf does when it runs
 * introperf.py, with samples of two of its own functions.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <glib.h>
#include <glib/gstdio.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MILLISECOND G_GUINT64_CONSTANT(1000000)
#define PID 100

/* What is sampled. Far enough into a function to be in it, wherever it stands. */
#define INSIDE 4

__attribute__((noinline, used)) static void outer_function(void)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
}

__attribute__((noinline, used)) static void inner_function(void)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
}

/* One run of introperf.py. */
struct script {
	/* Its module. Owned by this (a reference). */
	PyObject *globals;
	/* Owned by this. */
	char *directory;
	char *output;
	/* What perf knows of this program. */
	char *path;
	uint64_t start;
	uint64_t offset;
	uint64_t sample_type;
};

#define PLAIN (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)

/* perf's module, which tells introperf.py where it is. */
static PyObject *init_context(void)
{
	static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT,
						 .m_name = "perf_trace_context" };

	return PyModule_Create(&definition);
}

/* Where the code of this program is mapped. */
static void find_code(struct script *script)
{
	g_autofree char *maps = NULL;
	g_auto(GStrv) lines = NULL;
	uint64_t address = (uintptr_t)outer_function;

	g_assert_true(g_file_get_contents("/proc/self/maps", &maps, NULL, NULL));
	lines = g_strsplit(maps, "\n", -1);
	for (char **line = lines; *line; line++) {
		uint64_t start;
		uint64_t end;
		uint64_t offset;

		if (sscanf(*line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    address >= start && address < end) {
			script->start = start;
			script->offset = offset;
		}
	}
	script->path = g_file_read_link("/proc/self/exe", NULL);
}

/* The result of a call into the script; NULL for an exception, which is left. */
static PyObject *call(const struct script *script, const char *name, PyObject *arguments)
{
	PyObject *function = PyDict_GetItemString(script->globals, name);
	PyObject *result;

	g_assert_nonnull(function);
	result = PyObject_CallObject(function, arguments);
	Py_XDECREF(arguments);
	return result;
}

static void run_call(const struct script *script, const char *name, PyObject *arguments)
{
	PyObject *result = call(script, name, arguments);

	if (!result) {
		PyErr_Print();
	}
	g_assert_nonnull(result);
	Py_XDECREF(result);
}

/* `extra` is one more argument, or NULL. */
static void load(struct script *script, const char *extra)
{
	g_autofree char *path = g_build_filename(g_getenv("ITP_SOURCE_DIR"),
						 "plugins/perf/script/introperf.py", NULL);
	g_autofree char *output = g_strconcat("output=", script->output, NULL);
	g_autofree char *text = NULL;
	PyObject *list = Py_BuildValue("[s,s,s,s,s,s]", path, output, "format=jsonl", "top=0",
				       "estimate=conservative",
				       extra ? extra : "continuity=function");
	PyObject *code;
	PyObject *result;

	PySys_SetObject("argv", list);
	Py_DECREF(list);
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	script->globals = PyDict_New();
	PyDict_SetItemString(script->globals, "__builtins__", PyEval_GetBuiltins());
	code = Py_CompileString(text, path, Py_file_input);
	g_assert_nonnull(code);
	result = PyEval_EvalCode(code, script->globals, script->globals);
	if (!result) {
		PyErr_Print();
	}
	Py_XDECREF(result);
	Py_DECREF(code);
}

static void set_up(struct script *script, gconstpointer data)
{
	(void)data;
	script->directory = g_dir_make_tmp("introperf-XXXXXX", NULL);
	script->output = g_build_filename(script->directory, "result", NULL);
	script->sample_type = PLAIN;
	find_code(script);
	load(script, NULL);
}

static void tear_down(struct script *script, gconstpointer data)
{
	(void)data;
	Py_CLEAR(script->globals);
	g_remove(script->output);
	g_rmdir(script->directory);
	g_free(script->output);
	g_free(script->directory);
	g_free(script->path);
}

/* A frame at `distance` behind the beginning of one of the functions, as perf shows it. */
static PyObject *frame_of(const struct script *script, void (*function)(void), const char *name,
			  uint64_t distance)
{
	uint64_t address = (uintptr_t)function;
	uint64_t place = address - script->start + script->offset;

	return Py_BuildValue("{s:K,s:{s:K,s:K,s:i,s:s},s:K,s:s}", "ip", address + distance, "sym",
			     "start", place, "end", place + INSIDE * 2, "binding", 0, "name", name,
			     "sym_off", distance, "dso", script->path);
}

/* Leaf first: "i" for the inner function, "o" for the outer one. */
static PyObject *chain_of(const struct script *script, const char *functions)
{
	PyObject *chain = PyList_New(0);

	for (const char *function = functions; *function; function++) {
		PyObject *frame =
			*function == 'i' ?
				frame_of(script, inner_function, "inner_function", INSIDE) :
				frame_of(script, outer_function, "outer_function", INSIDE);

		PyList_Append(chain, frame);
		Py_DECREF(frame);
	}
	return chain;
}

static PyObject *sample_of(const struct script *script, const char *event, uint32_t type,
			   uint64_t time, int tid, PyObject *chain)
{
	struct perf_event_attr attr = { .type = type,
					.size = sizeof(attr),
					.sample_type = script->sample_type };

	return Py_BuildValue("{s:s,s:y#,s:{s:i,s:i,s:K,s:K},s:y#,s:s,s:N}", "ev_name", event,
			     "attr", (const char *)&attr, (Py_ssize_t)sizeof(attr), "sample", "pid",
			     PID, "tid", tid, "cpu", G_GUINT64_CONSTANT(0xffffffff), "time", time,
			     "raw_buf", "", (Py_ssize_t)0, "comm", "program", "callchain", chain);
}

static void tick(const struct script *script, uint64_t time, const char *functions)
{
	run_call(script, "process_event",
		 Py_BuildValue("(N)", sample_of(script, "cpu-clock", PERF_TYPE_SOFTWARE, time, PID,
						chain_of(script, functions))));
}

/* Four milliseconds in the inner function, between others. */
static void run_program(const struct script *script)
{
	tick(script, 1 * MILLISECOND, "o");
	for (uint64_t i = 2; i <= 6; i++) {
		tick(script, i * MILLISECOND, "io");
	}
	tick(script, 7 * MILLISECOND, "o");
}

/* perf's arguments: brief, or whole with a dictionary more. */
static PyObject *tracepoint(const struct script *script, const char *name, const char *event,
			    uint64_t time, int tid, PyObject *own, bool is_whole)
{
	PyObject *fields = Py_BuildValue(
		"{s:i,s:K,s:K,s:i,s:s,s:N}", "common_cpu", 0, "common_s",
		time / (1000 * MILLISECOND), "common_ns", time % (1000 * MILLISECOND), "common_pid",
		tid, "common_comm", "program", "common_callchain", chain_of(script, "o"));

	PyDict_Update(fields, own);
	Py_DECREF(own);
	return is_whole ? Py_BuildValue("(sONN)", name, Py_None, fields,
					sample_of(script, event, PERF_TYPE_TRACEPOINT, time, tid,
						  chain_of(script, "o"))) :
			  Py_BuildValue("(sON)", name, Py_None, fields);
}

/* Does perf's part: as many arguments as the function takes. */
static void syscall_event(const struct script *script, bool is_enter, uint64_t time, int tid,
			  int number, int result, bool wants_whole)
{
	PyObject *function = PyDict_GetItemString(script->globals, "trace_unhandled");
	PyObject *code = PyObject_GetAttrString(function, "__code__");
	PyObject *count = PyObject_GetAttrString(code, "co_argcount");
	bool is_whole = PyLong_AsLong(count) == 4;
	PyObject *own = is_enter ? Py_BuildValue("{s:i}", "id", number) :
				   Py_BuildValue("{s:i,s:i}", "id", number, "ret", result);

	g_assert_cmpint(is_whole, ==, wants_whole);
	run_call(script, "trace_unhandled",
		 tracepoint(script, is_enter ? "raw_syscalls__sys_enter" : "raw_syscalls__sys_exit",
			    is_enter ? "raw_syscalls:sys_enter" : "raw_syscalls:sys_exit", time,
			    tid, own, is_whole));
	Py_DECREF(count);
	Py_DECREF(code);
}

/* The number behind `"name":` in the first line of the result that holds `marker`. */
static int64_t result_number(const struct script *script, const char *marker, const char *name)
{
	g_autofree char *text = NULL;
	g_autofree char *key = g_strdup_printf("\"%s\":", name);
	const char *found;

	g_assert_true(g_file_get_contents(script->output, &text, NULL, NULL));
	found = strstr(text, marker);
	found = found ? strstr(found, key) : NULL;
	g_assert_nonnull(found);
	return found ? g_ascii_strtoll(found + strlen(key), NULL, 10) : -1;
}

static guint count_in_result(const struct script *script, const char *part)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) parts = NULL;

	g_assert_true(g_file_get_contents(script->output, &text, NULL, NULL));
	parts = g_strsplit(text, part, -1);
	return g_strv_length(parts) - 1;
}

static void test_samples(struct script *script, gconstpointer data)
{
	(void)data;
	run_call(script, "trace_begin", NULL);
	run_program(script);
	run_call(script, "trace_end", NULL);
	g_assert_cmpint(result_number(script, "\"function\":\"inner_function\"", "own_ns"), ==,
			4 * (int64_t)MILLISECOND);
	g_assert_cmpint(result_number(script, "\"function\":\"outer_function\"", "total_ns"), ==,
			6 * (int64_t)MILLISECOND);
}

static void test_unwound(struct script *script, gconstpointer data)
{
	PyObject *chain = chain_of(script, "iio");

	(void)data;
	script->sample_type |= PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER;
	run_call(script, "trace_begin", NULL);
	run_program(script);
	run_call(script, "process_event",
		 Py_BuildValue("(N)", sample_of(script, "cpu-clock", PERF_TYPE_SOFTWARE,
						8 * MILLISECOND, PID, chain)));
	run_call(script, "trace_end", NULL);
	/* Neither is a thread's first function. */
	g_assert_cmpint(result_number(script, "\"type\":\"summary\"", "broken_stacks"), ==, 8);
	/* A leaf that comes twice is there once: nothing is deeper than two. */
	g_assert_cmpint(result_number(script, "\"type\":\"summary\"", "stacks"), ==, 8);
}

static void test_inlined(struct script *script, gconstpointer data)
{
	PyObject *chain = PyList_New(0);
	PyObject *inlined = frame_of(script, inner_function, "part_of_it", INSIDE);
	PyObject *frame = frame_of(script, inner_function, "inner_function", INSIDE);

	(void)data;
	PyList_Append(chain, inlined);
	PyList_Append(chain, frame);
	/* It called itself. */
	PyList_Append(chain, inlined);
	PyList_Append(chain, frame);
	Py_DECREF(inlined);
	Py_DECREF(frame);
	Py_CLEAR(script->globals);
	load(script, "fold-recursion=no");
	run_call(script, "trace_begin", NULL);
	for (uint64_t i = 1; i <= 2; i++) {
		run_call(script, "process_event",
			 Py_BuildValue("(N)", sample_of(script, "cpu-clock", PERF_TYPE_SOFTWARE,
							i * MILLISECOND, PID,
							PyList_GetSlice(chain, 0, 4))));
	}
	Py_DECREF(chain);
	run_call(script, "trace_end", NULL);
	g_assert_cmpuint(count_in_result(script, "\"function\":\"inner_function\""), ==, 2);
	g_assert_cmpuint(count_in_result(script, "part_of_it"), ==, 0);
}

static void test_whole_and_brief(struct script *script, gconstpointer data)
{
	const int clone = 56;
	const int getpid = 39;
	const int child = PID + 1;
	uint64_t time = MILLISECOND;

	(void)data;
	run_call(script, "trace_begin", NULL);
	/* At first nothing is known. */
	syscall_event(script, true, time, PID, getpid, 0, true);
	syscall_event(script, false, time + 1, PID, getpid, PID, false);
	/* While a thread is made, and until it was seen. */
	syscall_event(script, true, time + 2, PID, clone, 0, false);
	syscall_event(script, false, time + 3, PID, clone, child, true);
	syscall_event(script, true, time + 4, PID, getpid, 0, true);
	syscall_event(script, false, time + 5, child, clone, 0, true);
	syscall_event(script, true, time + 6, child, getpid, 0, false);
	run_call(script, "trace_end", NULL);
	g_assert_cmpint(result_number(script, "\"type\":\"summary\"", "threads"), ==, 2);
}

static void test_guess(struct script *script, gconstpointer data)
{
	const int getpid = 39;
	uint64_t time = MILLISECOND;

	(void)data;
	run_call(script, "trace_begin", NULL);
	syscall_event(script, true, time, PID, getpid, 0, true);
	syscall_event(script, true, time + 7, PID + 1, getpid, 0, false);
	syscall_event(script, false, time + 8, PID + 1, getpid, PID, true);
	syscall_event(script, true, time + 9, PID, getpid, 0, false);
	run_call(script, "trace_end", NULL);
}

static PyObject *switch_at(uint64_t time, bool is_out)
{
	return Py_BuildValue("(KiiiiiiOOii)", time, 0, PID, PID, -1, -1, -1,
			     is_out ? Py_True : Py_False, Py_False, 0, -1);
}

static void test_switches(struct script *script, gconstpointer data)
{
	(void)data;
	run_call(script, "trace_begin", NULL);
	tick(script, 1 * MILLISECOND, "io");
	run_call(script, "context_switch", switch_at(2 * MILLISECOND, true));
	run_call(script, "context_switch", switch_at(9 * MILLISECOND, false));
	tick(script, 10 * MILLISECOND, "io");
	run_call(script, "trace_end", NULL);
	g_assert_cmpint(result_number(script, "\"function\":\"inner_function\"", "blocked_ns"), ==,
			7 * (int64_t)MILLISECOND);
}

/* The script ended the process, as Python tells it, with this status. */
static void assert_exit(PyObject *result, long status)
{
	PyObject *code;

	g_assert_null(result);
	g_assert_true(PyErr_ExceptionMatches(PyExc_SystemExit));
	PyErr_Fetch(&(PyObject *){ NULL }, &code, &(PyObject *){ NULL });
	g_assert_nonnull(code);
	if (PyLong_Check(code)) {
		g_assert_cmpint(PyLong_AsLong(code), ==, status);
	} else {
		PyObject *number = PyObject_GetAttrString(code, "code");

		g_assert_cmpint(PyLong_AsLong(number), ==, status);
		Py_DECREF(number);
	}
	Py_DECREF(code);
}

static void test_missing_field(struct script *script, gconstpointer data)
{
	(void)data;
	run_call(script, "trace_begin", NULL);
	assert_exit(call(script, "trace_unhandled",
			 Py_BuildValue("(sO{}{})", "raw_syscalls__sys_enter", Py_None)),
		    1);
	assert_exit(call(script, "process_event", Py_BuildValue("(s)", "nothing")), 1);
	g_assert_false(g_file_test(script->output, G_FILE_TEST_EXISTS));
}

static void test_unknown_argument(struct script *script, gconstpointer data)
{
	(void)data;
	Py_CLEAR(script->globals);
	load(script, "--colour=red");
	assert_exit(call(script, "trace_begin", NULL), 1);
}

static void test_argument_forms(struct script *script, gconstpointer data)
{
	(void)data;
	Py_CLEAR(script->globals);
	load(script, "--name=as an option");
	run_call(script, "trace_begin", NULL);
	run_program(script);
	run_call(script, "trace_end", NULL);
	g_assert_cmpint(result_number(script, "\"suspect\":\"as an option\"", "paths"), >, 0);
}

/* For a build with sanitizers: what Python keeps until the end is its own affair. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpython";
}

int main(int argc, char **argv)
{
	g_autofree char *modules = g_build_filename(g_getenv("ITP_BUILD_DIR"), ".libs", NULL);
	int result;

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_setenv("PYTHONPATH", modules, TRUE);
	PyImport_AppendInittab("perf_trace_context", init_context);
	Py_InitializeEx(0);
#define TEST(sentence, function) \
	g_test_add("/script-engine/" sentence, struct script, NULL, set_up, function, tear_down)
	TEST("samples become calls and their times", test_samples);
	TEST("where perf unwound, a stack without the first function is broken", test_unwound);
	TEST("what was inlined counts as what it is part of", test_inlined);
	TEST("perf is asked for processes while threads are made", test_whole_and_brief);
	TEST("and when one comes that nobody was seen to make", test_guess);
	TEST("context switches tell what was blocked", test_switches);
	TEST("a sample without its fields ends it with one sentence", test_missing_field);
	TEST("so does an unknown argument", test_unknown_argument);
	TEST("arguments may be written as options", test_argument_forms);
#undef TEST
	result = g_test_run();
	Py_Finalize();
	return result;
}
