/* SPDX-License-Identifier: MIT */
/*
 * Python's interface, restricted to the part that is equal in every version from 3.10 on: perf
 * brings its own Python.
 */
#ifndef ITP_PERF_SCRIPT_PYTHON_H
#define ITP_PERF_SCRIPT_PYTHON_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030a0000
#include <Python.h>

#endif
