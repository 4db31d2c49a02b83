/* SPDX-License-Identifier: MIT */
/*
 * perf.data files as a sequence of stack events in time order.
 *
 *   reader.c         opening, the loop, and the end of a recording
 *     directory.c      a recording that is a directory, and the files in it
 *     speeds.c         speeds of the machine, a feature section of introperf's own
 *   opening.c        the mapped file, and its header
 *     attributes.c     recorded events, and places of fields in their records
 *     record-bounds.c  from record to record, and the reason to stop
 *     pipe-layout.c    records in place of sections
 *     growing.c        a recording read while perf writes it
 *     memory.c         memory given back behind the reading
 *     feature.c        feature sections: facts of the recording about itself
 *   records.c        all records of a file, also out of compressed records (zstd)
 *     rounds.c         the promise of rounds, and late records
 *     order.c          records of all buffers in one order in time; merge.c: of all files
 *   sample.c         fields of a record, by the attribute's sample type
 *     mapping.c        fields of a record about a mapping
 *     tracepoint.c     fields of tracepoints, by formats in the file (libtraceevent)
 *     deferred.c       user parts of stacks that come later than their samples
 *   record-types.h   types of records that no system header has
 *   translate.c      records as stack events; translator.c: the translator itself
 *     events.c         samples as stack events; chains.c: their chains
 *
 * Numbers in files are read by common/elf/bytes.h.
 */
