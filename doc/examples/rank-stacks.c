/* SPDX-License-Identifier: MIT */
/*
 * Ranks stacks from standard input, of a program that behaves and of one that is slow, in the order
 * of time. Each is a line: base|suspect MILLISECONDS THREAD OUTERMOST-FUNCTION;FUNCTION;…
 *
 *     cc rank-stacks.c $(pkg-config --cflags --libs introperf) -o rank-stacks
 */
#include <introperf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int error, const char *what)
{
	if (error != 0) {
		fprintf(stderr, "%s: %s\n", what, introperf_error_text(error));
		exit(1);
	}
}

static void print(const struct introperf_ranking *ranking, size_t number)
{
	struct introperf_entry entry;
	struct introperf_place place = { .function = "?" };

	introperf_ranking_entry(ranking, number, &entry);
	introperf_ranking_place(ranking, number, (size_t)entry.culprit, &place);
	printf("%+ld ms in %ld calls of %s:", (long)(entry.cost_ns / 1000000), (long)entry.calls,
	       place.function);
	for (size_t i = 0; introperf_ranking_place(ranking, number, i, &place) == 0; i++) {
		printf(" %s (own %ld ms)", place.function, (long)(place.own_ns / 1000000));
	}
	puts(entry.is_noise ? ", may be chance" : "");
}

int main(void)
{
	struct introperf *introperf = introperf_new();
	struct introperf_run *base = introperf_run_new(introperf, "base", INTROPERF_BASE);
	struct introperf_run *suspect = introperf_run_new(introperf, "suspect", INTROPERF_SUSPECT);
	struct introperf_event event = { .kind = INTROPERF_SAMPLE, .pid = 1, .name = "program" };
	struct introperf_ranking *ranking = NULL;
	char role[16], stack[4096];
	long ms;

	while (scanf("%15s %ld %d %4095s", role, &ms, &event.tid, stack) == 4) {
		event.time_ns = ms * 1000000;
		check(introperf_run_feed_folded(role[0] == 'b' ? base : suspect, &event, "program",
						stack),
		      "feeding a stack");
	}
	check(introperf_run_finish(base), "finishing");
	check(introperf_run_finish(suspect), "finishing");
	check(introperf_rank(introperf, 3, &ranking), "ranking");
	for (size_t i = 0; i < introperf_ranking_size(ranking); i++) {
		print(ranking, i);
	}
	introperf_ranking_free(ranking);
	introperf_free(introperf);
	return 0;
}
