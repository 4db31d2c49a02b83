/* SPDX-License-Identifier: MIT */
/*
 * Messages of Babeltrace, also of other tracers, into core records and back, and the frame of all
 * filters. The layouts of records are common/schema's.
 *
 *   output.c           classes of an output trace, and the trace
 *   encode.c           record → event message; decode.c: event → record
 *   filter.c           filters: the component and its message iterators
 *     filter-router.c    effects of an upstream message
 *     filter-trace.c     an input trace, and its output
 *     upstream.c         messages of a component in front, with its errors
 *   foreign.c          traces of other tracers, as stack events: LTTng's, also of functions
 *     foreign-layout.c   meanings of event classes; foreign-field.c: fields by name
 *     foreign-memory.c   threads, processes, mappings; foreign-maps.c: saved mappings
 *     foreign-stack.c    stacks; foreign-names.c: names of single addresses
 *   told-contexts.c    contexts of a trace, told by filter.introperf.infer
 *   param-maps.c       parameters of components, in maps of Babeltrace
 *   failure.c          errors on their way to the user
 *     refusal.c          traces refused by Babeltrace, in a sentence; ours are refused by the
 *                        filters, and by plugins/babeltrace/graphs/trace-look.c
 *   mip.c              versions of the message interchange protocol
 *     identity.c         identities of clocks, traces and classes, by version
 *     packet.c           a packet around all events, by version
 *   clock.c            clocks, and times in nanoseconds
 *   message.c          common properties of messages
 */
