/* SPDX-License-Identifier: MIT */
/*
 * Contexts and names for the tests of what holds up others.
 */
#ifndef ITP_TESTS_UNIT_REDISTRIBUTION_H
#define ITP_TESTS_UNIT_REDISTRIBUTION_H

#include "common/wait/redistribution.h"
#include "tests/unit/support.h"

/* The node of the function p!NAME below `parent`. */
uint32_t redistribution_node(struct test_run *run, uint32_t parent, const char *name);

/* All weak; "-" for ITP_FUNCTION_UNKNOWN. */
const char *redistribution_name(const struct itp_recall *recall, uint32_t function);
const char *redistribution_name_at(const struct itp_recall *recall, uint32_t node);
const char *redistribution_vertex_name(const struct itp_recall *recall,
				       const struct itp_redistribution *result, uint32_t index);

#endif
