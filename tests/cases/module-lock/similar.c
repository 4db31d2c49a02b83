/* SPDX-License-Identifier: MIT */
/*
 * similar: a module for Python that finds articles with similar descriptions. Built with
 * -DHOLD it keeps the interpreter's lock while it compares them; without, other threads of Python
 * run meanwhile.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#ifdef HOLD
#define OTHERS_MAY_RUN
#define OTHERS_WAIT
#else
#define OTHERS_MAY_RUN Py_BEGIN_ALLOW_THREADS
#define OTHERS_WAIT Py_END_ALLOW_THREADS
#endif

enum {
	BITS = 512
};

struct fingerprint {
	uint64_t bits[BITS / 64];
};

/* A bit for each three letters that follow one another. */
static struct fingerprint fingerprint_of(const char *text, Py_ssize_t length)
{
	struct fingerprint print = { { 0 } };

	for (Py_ssize_t i = 0; i + 3 <= length; i++) {
		uint32_t hash = 2166136261u;

		for (int j = 0; j < 3; j++)
			hash = (hash ^ (unsigned char)text[i + j]) * 16777619u;
		hash = (hash ^ hash >> 15) % BITS;
		print.bits[hash / 64] |= (uint64_t)1 << hash % 64;
	}
	return print;
}

static int difference(const struct fingerprint *a, const struct fingerprint *b)
{
	int bits = 0;

	for (int i = 0; i < BITS / 64; i++)
		bits += __builtin_popcountll(a->bits[i] ^ b->bits[i]);
	return bits;
}

/* The article that is nearest to each. */
__attribute__((noinline)) static void compare_articles(const struct fingerprint *prints,
						       Py_ssize_t count, Py_ssize_t *nearest)
{
	for (Py_ssize_t i = 0; i < count; i++) {
		int least = BITS + 1;

		for (Py_ssize_t j = 0; j < count; j++) {
			int bits = i == j ? BITS + 1 : difference(&prints[i], &prints[j]);

			if (bits < least) {
				least = bits;
				nearest[i] = j;
			}
		}
	}
}

static PyObject *list_of(const Py_ssize_t *numbers, Py_ssize_t count)
{
	PyObject *list = PyList_New(count);

	for (Py_ssize_t i = 0; list && i < count; i++)
		PyList_SET_ITEM(list, i, PyLong_FromSsize_t(numbers[i]));
	return list;
}

static PyObject *similar_articles(PyObject *module, PyObject *texts)
{
	Py_ssize_t count = PySequence_Size(texts);
	struct fingerprint *prints;
	Py_ssize_t *nearest;
	PyObject *result = NULL;

	(void)module;
	if (count < 0)
		return NULL;
	prints = PyMem_Calloc(count, sizeof(*prints));
	nearest = PyMem_Calloc(count, sizeof(*nearest));
	if (!prints || !nearest) {
		PyErr_NoMemory();
		goto out;
	}
	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *text = PySequence_GetItem(texts, i);
		Py_ssize_t length;
		const char *letters = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;

		if (letters)
			prints[i] = fingerprint_of(letters, length);
		Py_XDECREF(text);
		if (!letters)
			goto out;
	}
	OTHERS_MAY_RUN
	compare_articles(prints, count, nearest);
	OTHERS_WAIT
	result = list_of(nearest, count);
out:
	PyMem_Free(prints);
	PyMem_Free(nearest);
	return result;
}

static PyMethodDef methods[] = {
	{ "similar_articles", similar_articles, METH_O, "The article nearest to each, by number." },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "similar",
	.m_methods = methods,
};

PyMODINIT_FUNC PyInit_similar(void)
{
	return PyModule_Create(&definition);
}
