/* SPDX-License-Identifier: MIT */
/*
 * Layouts told by a file, held against one's own: a file may lack later fields, and have fields and
 * records of a later program, which are read past.
 */
#ifndef ITP_PROFILE_FILE_LAYOUTS_H
#define ITP_PROFILE_FILE_LAYOUTS_H

#include "common/profile-file/bytes.h"
#include "common/profile-file/format.h"

/* Layouts by their number in the file. */
struct itp_told_layouts;

/* Reads the content of a section of layouts. NULL after an error, with *ret_problem. `problem` is
 * owned by the caller. */
struct itp_told_layouts *itp_told_layouts_new(struct itp_bytes *section, char **ret_problem);
void itp_told_layouts_free(struct itp_told_layouts *layouts);

/* Reads a record; of type ITP_RECORD_FOREIGN is one that is no part of a profile. Its texts are the
 * bytes'. False after an error, with *ret_problem as above. */
bool itp_told_layouts_read(const struct itp_told_layouts *layouts, struct itp_bytes *section,
			   struct itp_record *ret_record, char **ret_problem);

#endif
