/* SPDX-License-Identifier: MIT */
/*
 * See questions.h.
 */
#include "common/unit/questions.h"

#include <glib.h>
#include <stdbool.h>

/* Most datagrams kept of a thread. */
#define QUESTIONS_KEPT 1024

struct question {
	int32_t descriptor;
	int64_t asked_ns;
};

struct itp_questions {
	/* struct question, the oldest first. Owned by this. */
	GArray *open;
	/* One was answered since the latest wait. */
	bool has_answered;
};

struct itp_questions *itp_questions_new(void)
{
	struct itp_questions *questions = g_new0(struct itp_questions, 1);

	questions->open = g_array_new(FALSE, FALSE, sizeof(struct question));
	return questions;
}

void itp_questions_free(struct itp_questions *questions)
{
	g_array_unref(questions->open);
	g_free(questions);
}

void itp_questions_add(struct itp_questions *questions, int32_t descriptor, int64_t asked_ns,
		       int64_t count)
{
	const struct question question = { .descriptor = descriptor, .asked_ns = asked_ns };

	for (int64_t i = 0; i < count && questions->open->len < QUESTIONS_KEPT; i++) {
		g_array_append_val(questions->open, question);
	}
}

/* Place of the oldest question of the descriptor; the number of all: there is none. */
static guint find_oldest(const struct itp_questions *questions, int32_t descriptor)
{
	guint i = 0;

	while (i < questions->open->len &&
	       g_array_index(questions->open, struct question, i).descriptor != descriptor) {
		i++;
	}
	return i;
}

int64_t itp_questions_later_ns(const struct itp_questions *questions, int32_t descriptor)
{
	const guint oldest = questions->has_answered ? find_oldest(questions, descriptor) :
						       questions->open->len;

	return oldest < questions->open->len ?
		       g_array_index(questions->open, struct question, oldest).asked_ns :
		       0;
}

void itp_questions_answer(struct itp_questions *questions, int32_t descriptor)
{
	const guint oldest = find_oldest(questions, descriptor);

	if (oldest < questions->open->len) {
		g_array_remove_index(questions->open, oldest);
		questions->has_answered = true;
	}
}

void itp_questions_forget(struct itp_questions *questions)
{
	g_array_set_size(questions->open, 0);
	questions->has_answered = false;
}
