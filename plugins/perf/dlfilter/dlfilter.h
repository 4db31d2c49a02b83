/* SPDX-License-Identifier: MIT */
/*
 * introperf inside of `perf script --dlfilter`.
 *
 *   dlfilter.c      perf's calls; a sample
 *   dlargs.c        --dlarg
 *   code-pages.c    mappings, found out by asking perf
 *   early-events.c  events from before the first switch
 *   delivery.c      samples from perf, also a script's, up to the ranking
 */
