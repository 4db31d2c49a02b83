/* SPDX-License-Identifier: MIT */
/*
 * introperf inside of perf's Python: introperf.py, run by perf, hands samples over.
 *
 *   module.c   the Python module
 *   fields.c   Python's dictionaries → samples
 *   engine.c   samples → the analysis
 *   chain.c    the stack of a sample
 *   threads.c  processes of threads
 *   places.c   places of files in memory
 */
