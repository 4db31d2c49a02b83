/* SPDX-License-Identifier: MIT */
/*
 * introperf inside of `perf script --dlfilter`.
 *
 *   dlfilter.c    perf's calls; a sample
 *   dlargs.c      --dlarg
 *   code-pages.c  mappings, found out by asking perf
 *   delivery.c    samples from perf, also a script's, up to the ranking
 */
