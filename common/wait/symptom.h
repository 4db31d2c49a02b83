/* SPDX-License-Identifier: MIT */
/*
 * Which spans of which threads are looked into: those that users call slow.
 *
 * "call:F>100ms" is each call of F that took longer; "call:F" the slowest hundredth of them, at
 * least one. "process>2s" and "process" are the same of processes, from their start to their end;
 * "process:F>2s" and "process:F" only until their first call of F, which is how StackMine studies
 * starting up (section VII B). "unit:T>5ms" and "unit:T" are units of work (common/unit) of the
 * types of which T tells, the slowest hundredth of each for itself; "unit>5ms" and "unit" are those
 * of all types.
 */
#ifndef ITP_WAIT_SYMPTOM_H
#define ITP_WAIT_SYMPTOM_H

#include "common/wait/chain.h"

enum itp_symptom_kind {
	ITP_SYMPTOM_CALL,
	ITP_SYMPTOM_PROCESS,
	ITP_SYMPTOM_UNIT,
};

struct itp_symptom_wish {
	enum itp_symptom_kind kind;
	/* F or T, or NULL. Owned by this. */
	char *name;
	/* What is longer than that; −1: the slowest hundredth. */
	int64_t limit_ns;
};

/* Fails with G_OPTION_ERROR_BAD_VALUE. */
bool itp_symptom_wish_parse(struct itp_symptom_wish *wish, const char *text, GError **error);
void itp_symptom_wish_release(struct itp_symptom_wish *wish);

struct itp_symptoms;

/* All is weak; the recall's history is not looked at. Units need to hear of stretches, too. */
struct itp_symptoms *itp_symptoms_new(const struct itp_symptom_wish *wish,
				      const struct itp_recall *recall);
void itp_symptoms_free(struct itp_symptoms *symptoms);

/* Takes a call that has ended; those that were not seen to begin or to end, or in which events were
 * lost, do not count. */
void itp_symptoms_add(struct itp_symptoms *symptoms, const struct itp_instance *instance);
void itp_symptoms_add_stretch(struct itp_symptoms *symptoms, const struct itp_stretch *stretch);
void itp_symptoms_add_unplaced(struct itp_symptoms *symptoms, const struct itp_instance *call,
			       uint32_t function);

/* Those that are wished for, to be asked once: a GArray of struct itp_symptom, by begin, thread and
 * end. Calls within another one of the same thread are part of that. *ret_count: of how many they
 * are the slow ones. Free with g_array_unref(). */
GArray *itp_symptoms_finish(struct itp_symptoms *symptoms, guint *ret_count);

#endif
