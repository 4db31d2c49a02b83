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
 *
 * The analysis is the dlfilter's (plugins/perf/dlfilter). To keep this way costs 2 000 lines: perf
 * hands its script engine names and fields, where the dlfilter gets addresses and threads.
 */
