/* SPDX-License-Identifier: MIT */
/*
 * The parameters of sink.introperf.mine, as given and as they are meant.
 */
#ifndef ITP_SINKS_MINE_PARAMS_H
#define ITP_SINKS_MINE_PARAMS_H

#include "common/mine/signatures.h"
#include "common/engine/params.h"

enum itp_mine_format {
	ITP_MINE_TEXT = 0,
	ITP_MINE_JSONL,
	ITP_MINE_HTML,
};

struct itp_mine_params {
	/* Values as given. Owned by this. */
	char *min_cost;
	char *signatures;
	char *save_signatures;
	GPtrArray *stacks;
	GPtrArray *focus;
	GPtrArray *ignore;
	enum itp_mine_format format;
	enum itp_pattern_choice patterns;
	enum itp_similarity_choice similarity;
	enum itp_linkage linkage;
	enum itp_cluster_order order;
	double cut;
	/* Parsed values. */
	struct itp_mining_options mining;
	/* struct itp_signature of `signatures`, or NULL. Owned by this. */
	GArray *known;
};

#define ITP_MINE_PARAMS_DEFAULTS                            \
	{                                                   \
		.linkage = ITP_LINKAGE_AVERAGE, .cut = 0.35 \
	}

extern const char *const itp_mine_format_names[];
extern const char *const itp_mine_pattern_names[];
extern const char *const itp_mine_similarity_names[];
extern const char *const itp_mine_linkage_names[];
extern const char *const itp_mine_order_names[];

/* Rows for the table of a structure that has them as `member`. */
#define ITP_MINE_PARAMS(structure, member)                                                        \
	{ "min-cost", ITP_PARAM_STRING, offsetof(structure, member.min_cost), NULL },             \
		{ "patterns", ITP_PARAM_CHOICE, offsetof(structure, member.patterns),             \
		  itp_mine_pattern_names },                                                       \
		{ "focus", ITP_PARAM_STRINGS, offsetof(structure, member.focus), NULL },          \
		{ "ignore", ITP_PARAM_STRINGS, offsetof(structure, member.ignore), NULL },        \
		{ "order", ITP_PARAM_CHOICE, offsetof(structure, member.order),                   \
		  itp_mine_order_names },                                                         \
		{ "similarity", ITP_PARAM_CHOICE, offsetof(structure, member.similarity),         \
		  itp_mine_similarity_names },                                                    \
		{ "linkage", ITP_PARAM_CHOICE, offsetof(structure, member.linkage),               \
		  itp_mine_linkage_names },                                                       \
		{ "cut", ITP_PARAM_REAL, offsetof(structure, member.cut), NULL },                 \
		{ "format", ITP_PARAM_CHOICE, offsetof(structure, member.format),                 \
		  itp_mine_format_names },                                                        \
		{ "signatures", ITP_PARAM_STRING, offsetof(structure, member.signatures), NULL }, \
		{ "stacks", ITP_PARAM_STRINGS, offsetof(structure, member.stacks), NULL },        \
	{                                                                                         \
		"save-signatures", ITP_PARAM_STRING, offsetof(structure, member.save_signatures), \
			NULL                                                                      \
	}

/* Takes the values apart, and reads the signatures. An error names the parameter. */
bool itp_mine_params_interpret(struct itp_mine_params *params, GError **error);
/* Frees parsed values. Values as given are released with the table. */
void itp_mine_params_release(struct itp_mine_params *params);

#endif
