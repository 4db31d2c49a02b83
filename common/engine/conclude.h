/* SPDX-License-Identifier: MIT */
/*
 * Common end of all hosts: reads the recordings, and makes the result of them and of the host's own
 * profiles.
 */
#ifndef ITP_ENGINE_CONCLUDE_H
#define ITP_ENGINE_CONCLUDE_H

#include "common/engine/recordings.h"
#include "common/engine/result.h"

enum itp_outcome {
	ITP_OUTCOME_DONE,
	/* The readable part was ranked or saved nevertheless. */
	ITP_OUTCOME_FAILED,
	ITP_OUTCOME_INTERRUPTED,
};

struct itp_conclusion {
	/* Weak, all of them. */
	struct itp_result *result;
	struct itp_recordings *recordings;
	struct itp_interrupt *interrupt;
	/* Told while recordings are read; the progress may be NULL, and is told NULL when they all
	 * were, before anything is written. */
	struct itp_recordings_watch watch;
	/* struct itp_memory_profile of the host; those of the recordings are added. */
	GArray *profiles;
	/* Profiles were cut short by an interrupt. */
	bool is_interrupted;
};

/* Concludes; to be called once. The error tells why it is not ITP_OUTCOME_DONE. Once a reading has
 * taken the interrupt, the outcome is ITP_OUTCOME_INTERRUPTED, whatever the reading has
 * returned. */
enum itp_outcome itp_conclude(struct itp_conclusion *conclusion,
			      GError **error) G_GNUC_WARN_UNUSED_RESULT;

#endif
