/* SPDX-License-Identifier: MIT */
/*
 * Places of a process' files in its memory, which perf does not tell a script.
 *
 * A file is loaded as a whole, so a single address with a known place in the file tells all others.
 * perf tells such places by its symbols. For a file without symbols there are the memory around the
 * instruction pointer of a sample, the entry point at which a program begins, and the calls in
 * front of return addresses: files lie on whole pages, so the last digits of an address are those
 * of its place in the file, and few pages have calls in all the places that several addresses ask
 * for.
 */
#ifndef ITP_PERF_SCRIPT_PLACES_H
#define ITP_PERF_SCRIPT_PLACES_H

#include "common/elf/image.h"
#include "common/symbol/symbolizer.h"
#include "plugins/perf/script/sample.h"

struct itp_places;

/* `symbolizer` is weak and must outlive the result. */
struct itp_places *itp_places_new(struct itp_symbolizer *symbolizer);
void itp_places_free(struct itp_places *places);

/* The process is another program. */
void itp_places_forget(struct itp_places *places, int32_t pid);

/* Learns from the memory around a sample. */
void itp_places_learn_map(struct itp_places *places, int32_t pid, const struct itp_script_map *map);
/* Learns from `frame`, at `ip`, about its file. */
void itp_places_learn_frame(struct itp_places *places, int32_t pid, uint64_t ip,
			    const struct itp_script_frame *frame);
/* The process has just begun to run a program at `ip`. */
void itp_places_learn_entry(struct itp_places *places, int32_t pid, const char *path, uint64_t ip);

/* A frame of the file at `path` is to be returned to at `address`. */
void itp_places_learn_return(struct itp_places *places, int32_t pid, const char *path,
			     uint64_t address);

/* Place of `address` in the file at `path`; false when unknown. */
bool itp_places_find(struct itp_places *places, int32_t pid, const char *path, uint64_t address,
		     uint64_t *ret_offset);

/* Number of places in memory at which a file for x86-64 can lie, as calls in it return to
 * `addresses`: none when one of these is no call's, and more addresses may leave fewer. *ret_slide
 * is the distance of an address from the file's own at the last of them. SIZE_MAX when nothing can
 * be told. */
size_t itp_places_count(const struct itp_elf_image *image, const uint64_t *addresses, size_t count,
			uint64_t *ret_slide);

#endif
