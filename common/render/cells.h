/* SPDX-License-Identifier: MIT */
/*
 * Numbers of a ranking as the cells of a table and as words in a sentence. Sums are told for a
 * unit of work, where `per` or several runs ask for that.
 */
#ifndef ITP_RENDER_CELLS_H
#define ITP_RENDER_CELLS_H

#include "common/rank/ranking.h"

/* Time of all these calls together. */
struct itp_cell_calls {
	uint64_t suspect;
	uint64_t base;
	int64_t suspect_ns;
	int64_t base_ns;
	/* Number of further calls that may exist, ITP_CALLS_UNKNOWN without a limit. */
	uint64_t suspect_unseen;
	uint64_t base_unseen;
};

/* The calls of a node; `base` may be NULL. */
struct itp_cell_calls itp_cell_calls_of(const struct itp_ranking *ranking,
					const struct itp_node_stats *suspect,
					const struct itp_node_stats *base);

/* "call of handle"; NULL when the whole input is told. */
char *itp_cell_unit(const struct itp_ranking *ranking);

/* A sum of own latency; `change` with its sign, as below. */
char *itp_cell_time(const struct itp_ranking *ranking, int64_t time_ns);
char *itp_cell_time_change(const struct itp_ranking *ranking, int64_t change_ns);
/* Number of calls; and sum in the metric, a time or a number of calls. */
char *itp_cell_number(const struct itp_ranking *ranking, int64_t count);
char *itp_cell_value(const struct itp_ranking *ranking, int64_t value);
char *itp_cell_change(const struct itp_ranking *ranking, int64_t change);
/* Number of calls: "once", "2 653 times". */
char *itp_cell_times(const struct itp_ranking *ranking, int64_t count);

/* Share of `part_ns`, own latency beyond the base's, in the difference of all threads together:
 * 0.96, and as text. More than 1 where something else got cheaper, less than 0 where whole and part
 * changed in opposite directions; NAN, and "–", where the whole is 0. All shares of a ranking are
 * told by these. */
double itp_ranking_share(const struct itp_ranking *ranking, int64_t part_ns);
/* Greatest share in a sentence, beyond which the time is told: 100 % is all. */
#define ITP_SHARE_MOST 1.005
char *itp_cell_share(const struct itp_ranking *ranking, int64_t part_ns);

/* Standard deviation of a sum of own CPU time, and "CPU time 1.20 s ± 70 ms (1 204 ticks)" with
 * twice the deviation; NULL where this is less than 1 % of `value_ns`, which the time is part of,
 * or no tick found it. */
double itp_ticks_deviation_ns(const struct itp_ticks *ticks);
char *itp_cell_ticks(const struct itp_ranking *ranking, const struct itp_ticks *ticks,
		     int64_t cpu_ns, int64_t value_ns);

/* Cell that would need an unknown number of calls. */
#define ITP_CELL_UNKNOWN "n/a"

/* Number of calls, or its ratio to the base's; "new", "gone". "≥" and "≤" precede certain bounds,
 * ITP_CELL_UNKNOWN stands for unknown numbers. */
char *itp_cell_count(const struct itp_ranking *ranking, const struct itp_cell_calls *calls);

/* True for ITP_CELL_UNKNOWN. */
bool itp_cell_is_unknown(const char *cell);

/* How long one of them takes, or how many times as long as in the base. */
char *itp_cell_each(const struct itp_ranking *ranking, const struct itp_cell_calls *calls);

/* The largest part of a difference, in a word. `is_new`: the base has nothing of it. */
const char *itp_cell_why(const struct itp_ranking *ranking, const struct itp_delta *delta,
			 bool is_new);

#endif
