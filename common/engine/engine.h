/* SPDX-License-Identifier: MIT */
/*
 * From a request to a result, whoever asks: without messages, and without options of a host.
 *
 *   conclude.c        the reading, then the result
 *   result.c          profiles and traces → a ranking, or a saved profile
 *     host-graphs.h     traces in CTF, read by others
 *     saving.c          profiles → a file
 *   live.c            a growing recording → a ranking of each period; period.c: its periods
 *   interrupt.c       Ctrl-C
 *   values.c          values of a request's parameters by name
 *     params.c          parameters, checked against a table
 *     stages.c          all parameters of a request, by their stage
 *     symbol-params.c   sources of names; symbol-warnings.c: obstacles to names
 *     wait-params.c     symptoms, and the waits behind them
 *   inputs.c          kinds of inputs
 *   perf-inputs.c     recordings of perf that are read together
 *     missing-names.c   names missing in them, with a remedy
 *   recordings.c      recordings of perf → profiles
 *     memory-profile.c  a profile in memory, on its way to a ranking
 *   analysis.c        stack events of a recording → a profile, units and waits
 *   ranking-job.c     workloads, ranked by the options of a request, and their result
 *     view-options.c    contexts that a request chooses
 *     written-ranking.c a ranking as the result
 *       ranking-params.c  its parameters
 *       limit.c           slow-downs from which on a run has failed
 *     page-job.c        a page as the result
 *   write.c           files and standard output for results
 *     place.c           the place of a file, by a path that others may change
 *
 * Parsing options is left to hosts, and so are traces in CTF.
 */
