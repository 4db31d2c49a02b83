/* SPDX-License-Identifier: MIT */
/*
 * Records of a profile, from messages or a file, which become a workload of a set. Ids of
 * functions, nodes and types of units belong to their input; each must be introduced before its
 * use.
 */
#ifndef ITP_PROFILE_FILE_INTAKE_H
#define ITP_PROFILE_FILE_INTAKE_H

#include "common/compare/workload-set.h"
#include "common/schema/schema.h"

struct itp_intake;

/* Records go into `workload`, a member of `set`. Both are weak, and must outlive the intake. */
struct itp_intake *itp_intake_new(struct itp_workload_set *set, struct itp_set_workload *workload);
void itp_intake_free(struct itp_intake *intake);

/* Takes the next record; records that are no part of a profile add nothing. */
bool itp_intake_take(struct itp_intake *intake, const struct itp_record *record, GError **error);

#endif
