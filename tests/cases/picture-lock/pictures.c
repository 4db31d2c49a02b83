/* SPDX-License-Identifier: MIT */
/*
 * pictures: a module for Python that makes pictures smaller. Pictures are grey, one byte a pixel.
 * With KEEP it computes without giving the interpreter's lock away.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

struct picture {
	const unsigned char *pixels;
	Py_ssize_t width, height;
};

/* The mean of the square of `factor` pixels each way. */
static unsigned char mean(const struct picture *picture, Py_ssize_t x, Py_ssize_t y,
			  Py_ssize_t factor)
{
	unsigned long sum = 0;

	for (Py_ssize_t i = 0; i < factor; i++) {
		const unsigned char *row = picture->pixels + (y + i) * picture->width + x;

		for (Py_ssize_t j = 0; j < factor; j++)
			sum += row[j];
	}
	return sum / (factor * factor);
}

static PyObject *pictures_shrink(PyObject *self, PyObject *arguments)
{
	Py_ssize_t factor, width, height;
	struct picture picture;
	PyObject *result = NULL;
	Py_buffer buffer;

	(void)self;
	if (!PyArg_ParseTuple(arguments, "y*nnn:shrink", &buffer, &picture.width, &picture.height,
			      &factor))
		return NULL;
	if (factor < 1 || picture.width < factor || picture.height < factor ||
	    buffer.len / picture.width < picture.height) {
		PyErr_SetString(PyExc_ValueError, "no such picture");
		goto end;
	}
	picture.pixels = buffer.buf;
	width = picture.width / factor;
	height = picture.height / factor;
	result = PyBytes_FromStringAndSize(NULL, width * height);
	if (!result)
		goto end;
	unsigned char *to = (unsigned char *)PyBytes_AS_STRING(result);
#ifndef KEEP
	Py_BEGIN_ALLOW_THREADS;
#endif
	for (Py_ssize_t y = 0; y < height; y++)
		for (Py_ssize_t x = 0; x < width; x++)
			*to++ = mean(&picture, x * factor, y * factor, factor);
#ifndef KEEP
	Py_END_ALLOW_THREADS;
#endif
end:
	PyBuffer_Release(&buffer);
	return result;
}

static PyMethodDef methods[] = {
	{ "shrink", pictures_shrink, METH_VARARGS,
	  "shrink(pixels, width, height, factor): the pixels of a smaller picture." },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT,
	.m_name = "pictures",
	.m_size = -1,
	.m_methods = methods,
};

PyMODINIT_FUNC PyInit_pictures(void)
{
	return PyModule_Create(&module);
}
