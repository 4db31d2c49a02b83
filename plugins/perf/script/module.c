/* SPDX-License-Identifier: MIT */
/*
 * Python module `_introperf`: an Engine, which takes perf's samples and writes the ranking, and
 * Error, whose text is for the user.
 */
#include "plugins/perf/script/python.h"

#include "common/base/failure.h"
#include "plugins/perf/script/engine.h"
#include "plugins/perf/script/fields.h"

struct engine_object {
	PyObject_HEAD
		/* Both owned by this. */
		struct itp_engine *engine;
	struct itp_fields *fields;
	/* `Error` of the module. Owned by this (a reference). */
	PyObject *failure;
};

static PyObject *raise_failure(PyObject *failure, GError *error)
{
	g_autofree char *text = itp_failure_line(error->message);

	PyErr_SetString(failure, text);
	g_error_free(error);
	return NULL;
}

/* The strings of a list; NULL with an exception set. Owned by the caller (g_strfreev). */
static char **strings_of(PyObject *list)
{
	g_autoptr(GStrvBuilder) strings = g_strv_builder_new();
	Py_ssize_t count = PyList_Size(list);

	for (Py_ssize_t i = 0; i < count; i++) {
		const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);

		if (!text) {
			return NULL;
		}
		g_strv_builder_add(strings, text);
	}
	return count < 0 ? NULL : g_strv_builder_end(strings);
}

static int engine_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
	struct engine_object *self = (struct engine_object *)object;
	PyObject *module = PyImport_ImportModule("_introperf");
	g_auto(GStrv) texts = NULL;
	GError *error = NULL;
	PyObject *list;

	(void)keywords;
	self->failure = module ? PyObject_GetAttrString(module, "Error") : NULL;
	Py_XDECREF(module);
	if (!self->failure || !PyArg_ParseTuple(arguments, "O", &list)) {
		return -1;
	}
	texts = strings_of(list);
	self->fields = texts ? itp_fields_new() : NULL;
	if (!self->fields) {
		return -1;
	}
	self->engine = itp_engine_new(texts, (int)g_strv_length(texts), &error);
	if (!self->engine) {
		raise_failure(self->failure, error);
		return -1;
	}
	return 0;
}

static void engine_dealloc(PyObject *object)
{
	struct engine_object *self = (struct engine_object *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	itp_engine_free(self->engine);
	itp_fields_free(self->fields);
	Py_XDECREF(self->failure);
	release(object);
	Py_DECREF(type);
}

/* True when the next sample is wanted with everything perf knows of it, after one that was taken or
 * not. */
static PyObject *answer(const struct engine_object *self, bool is_taken, GError *error)
{
	if (error) {
		return raise_failure(self->failure, error);
	}
	return is_taken ? PyBool_FromLong(itp_engine_wants_pid(self->engine)) : NULL;
}

static PyObject *engine_tracepoint(PyObject *object, PyObject *const *arguments, Py_ssize_t count)
{
	struct engine_object *self = (struct engine_object *)object;
	GError *error = NULL;
	bool is_taken;

	if (count != 3) {
		PyErr_SetString(PyExc_TypeError, "tracepoint(name, fields, sample)");
		return NULL;
	}
	is_taken = itp_fields_push_tracepoint(self->fields, self->engine, arguments[0],
					      arguments[1], arguments[2], &error);
	return answer(self, is_taken, error);
}

static PyObject *engine_sample(PyObject *object, PyObject *sample)
{
	struct engine_object *self = (struct engine_object *)object;
	GError *error = NULL;
	bool is_taken = itp_fields_push_sample(self->fields, self->engine, sample, &error);

	return answer(self, is_taken, error);
}

static PyObject *engine_switch(PyObject *object, PyObject *arguments)
{
	struct engine_object *self = (struct engine_object *)object;
	unsigned long long time_ns;
	int cpu;
	int pid;
	int tid;
	int is_out;
	int is_preempted;
	GError *error = NULL;

	if (!PyArg_ParseTuple(arguments, "Kiiipp", &time_ns, &cpu, &pid, &tid, &is_out,
			      &is_preempted)) {
		return NULL;
	}
	if (!itp_engine_switch(self->engine, time_ns, pid, tid, cpu, is_out, is_preempted,
			       &error)) {
		return raise_failure(self->failure, error);
	}
	Py_RETURN_NONE;
}

static PyObject *engine_finish(PyObject *object, PyObject *arguments)
{
	struct engine_object *self = (struct engine_object *)object;
	int is_cut;
	bool is_whole;
	GError *error = NULL;

	if (!PyArg_ParseTuple(arguments, "p", &is_cut)) {
		return NULL;
	}
	if (!itp_engine_finish(self->engine, is_cut, &is_whole, &error)) {
		return raise_failure(self->failure, error);
	}
	return PyBool_FromLong(is_whole);
}

static PyMethodDef engine_methods[] = {
	{ "tracepoint", (PyCFunction)(void (*)(void))engine_tracepoint, METH_FASTCALL,
	  "tracepoint(name, fields, sample): takes a sample of the tracepoint SYSTEM:NAME; `sample` "
	  "may be None. True when the next one is wanted with it." },
	{ "sample", engine_sample, METH_O,
	  "sample(dictionary): takes a sample of any other event. True as above." },
	{ "switch", engine_switch, METH_VARARGS,
	  "switch(time, cpu, pid, tid, is_out, is_preempted): takes a context switch." },
	{ "finish", engine_finish, METH_VARARGS,
	  "finish(is_cut): writes the result. Not all was read if `is_cut`, or if Ctrl-C was "
	  "pressed; True when all was." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot engine_slots[] = {
	{ Py_tp_doc, "Engine(arguments): ranks where the time went. Raises Error." },
	{ Py_tp_new, PyType_GenericNew },
	{ Py_tp_init, engine_init },
	{ Py_tp_dealloc, engine_dealloc },
	{ Py_tp_methods, engine_methods },
	{ 0, NULL },
};

static PyType_Spec engine_spec = {
	.name = "_introperf.Engine",
	.basicsize = sizeof(struct engine_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = engine_slots,
};

static int module_exec(PyObject *module)
{
	PyObject *failure = PyErr_NewException("_introperf.Error", NULL, NULL);
	PyObject *engine = PyType_FromSpec(&engine_spec);
	int result = -1;

	if (failure && engine && PyModule_AddObjectRef(module, "Error", failure) == 0) {
		result = PyModule_AddObjectRef(module, "Engine", engine);
	}
	Py_XDECREF(failure);
	Py_XDECREF(engine);
	return result;
}

static PyModuleDef_Slot module_slots[] = {
	{ Py_mod_exec, module_exec },
	{ 0, NULL },
};

static struct PyModuleDef module_definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "_introperf",
	.m_doc = "The engine of introperf.py",
	.m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__introperf(void);

PyMODINIT_FUNC PyInit__introperf(void)
{
	return PyModuleDef_Init(&module_definition);
}
