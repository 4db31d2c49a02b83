/* SPDX-License-Identifier: MIT */
/*
 * Symptoms: the spans of threads that users call slow.
 *
 * "call:F>100ms" is each call of F that took longer; "call:F" the slowest hundredth of all calls of
 * F, at least one. "process>2s" and "process" are the same for processes, from their start to their
 * end; "process:F>2s" and "process:F" only until their first call of F, as StackMine studies
 * starting up (section VII B). "unit:T>5ms" and "unit:T" are units of work (common/unit) of the
 * types meant by T, the slowest hundredth of each type for itself; "unit>5ms" and "unit" are units
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
	/* Longest duration that is not slow; −1: the slowest hundredth are slow. */
	int64_t limit_ns;
};

/* Fails with G_OPTION_ERROR_BAD_VALUE. */
bool itp_symptom_wish_parse(struct itp_symptom_wish *wish, const char *text, GError **error);
void itp_symptom_wish_release(struct itp_symptom_wish *wish);

struct itp_symptoms;

/* Makes an empty list. `wish` and `recall` are weak; the recall's history is not looked at. Units
 * need itp_symptoms_add_stretch(), too. */
struct itp_symptoms *itp_symptoms_new(const struct itp_symptom_wish *wish,
				      const struct itp_recall *recall);
void itp_symptoms_free(struct itp_symptoms *symptoms);

/* Takes a call that has ended; calls without a seen begin or end, or with lost events, do not
 * count. */
void itp_symptoms_add(struct itp_symptoms *symptoms, const struct itp_instance *instance);
void itp_symptoms_add_stretch(struct itp_symptoms *symptoms, const struct itp_stretch *stretch);
void itp_symptoms_add_unplaced(struct itp_symptoms *symptoms, const struct itp_instance *call,
			       uint32_t function);

/* Symptoms wished for, to be asked once: a GArray of struct itp_symptom, by begin, thread and end.
 * A call within another call of the same thread is part of the outer call. *ret_count: number of
 * all, slow or not. Free with g_array_unref(). */
GArray *itp_symptoms_finish(struct itp_symptoms *symptoms, guint *ret_count);

#endif
