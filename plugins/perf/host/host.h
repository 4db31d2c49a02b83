/* SPDX-License-Identifier: MIT */
/*
 * From recordings to a ranking or a saved profile, for hosts without a graph of their own.
 *
 *   conclude.c         the reading, then the result
 *   result.c           profiles and traces → a ranking, or a saved profile
 *     saving.c           profiles saved by a graph; profiles-filter.c: their entry into it
 *   traces.c           traces in CTF, read by graphs
 *     chain.c            filters of a graph
 *     graph.c            the graph; classes.c: the linked component classes
 *     trial.c            a trial reading, as readers may crash
 *     trace-look.c       reasons for a trace that is refused
 *   interrupt.c        Ctrl-C
 */
