/* SPDX-License-Identifier: MIT */
/*
 * Threads that hold up others, and for how long (StackMine, section IV).
 *
 *   history.c        stretches of all threads, as the inference tells them
 *   critical-path.c  the stretch that held up a thread, at each instant of a span
 *     division.c       running time in a span, among its contexts
 *   graph.c          all stretches on which the waits of a span depend (the paper's Figure 2)
 *   chain.c          critical paths of several spans → one chain for people to read
 *     face.c           the function that names a context
 *   redistribution.c places that hold up others, over whole lives
 *     actors.c         threads at an instant
 *     held-sums.c      sums
 *     vertices.c       threads that are alike
 *     knots.c          threads waiting for one another in circles
 *   symptom.c        spans to be looked into: slow calls, slow processes
 *     nested.c         symptoms that are part of others
 *   interest.c       symptoms → weighted stacks, for common/mine
 *
 * Wakers and ends of waits are found by common/infer; results are shown by common/render.
 */
