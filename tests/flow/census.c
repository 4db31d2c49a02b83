/* SPDX-License-Identifier: MIT */
/*
 * census FILE…: of how many functions of each file is all control flow known, and what does it cost
 * to look at all of them? One line a file: functions, share known, then how many are not, by cause,
 * the time, and the memory that was kept at most.
 */
#include "common/control-flow/control-flow.h"
#include "common/control-flow/imports.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const causes[ITP_FLOW_CAUSE_COUNT] = {
	[ITP_FLOW_INDIRECT_JUMP] = "indirect jump",     [ITP_FLOW_UNDECODED] = "undecoded",
	[ITP_FLOW_STRAY_JUMP] = "stray jump",           [ITP_FLOW_STRANGE_CALL] = "strange call",
	[ITP_FLOW_EXCEPTION_TABLE] = "exception table", [ITP_FLOW_TOO_LARGE] = "too large",
};

/* Of the function at `vaddr`, by the unwind tables, or the symbols where there are none. */
static bool find_bounds(const struct itp_elf_symbols *symbols, uint64_t vaddr, uint64_t *ret_start,
			uint64_t *ret_end)
{
	const struct itp_symbol *symbol;

	if (symbols->cfi) {
		return itp_cfi_bounds(symbols->cfi, vaddr, ret_start, ret_end);
	}
	symbol = itp_symbol_table_find(&symbols->table, vaddr);
	if (symbol) {
		*ret_start = symbol->start;
		*ret_end = symbol->end;
	}
	return symbol != NULL;
}

/* Asks about the beginning of each function; names those that are not known to `list`. */
static size_t ask_all(struct itp_control_flow *flow, const struct itp_elf_symbols *symbols,
		      struct itp_flow_range code, FILE *list)
{
	struct itp_flow_counts before = itp_control_flow_counts(flow);
	uint64_t start;
	uint64_t end;
	size_t most = 0;

	for (uint64_t vaddr = code.start; vaddr < code.end; vaddr = end) {
		struct itp_flow_counts after;

		end = vaddr + 1;
		if (!find_bounds(symbols, vaddr, &start, &end)) {
			continue;
		}
		itp_control_flow_ask(flow, (struct itp_flow_point){ .vaddr = start },
				     (struct itp_flow_point){ .vaddr = start });
		most = MAX(most, itp_control_flow_bytes(flow));
		after = itp_control_flow_counts(flow);
		for (int c = 1; c < ITP_FLOW_CAUSE_COUNT && list; c++) {
			if (after.functions[c] > before.functions[c]) {
				struct itp_elf_function found =
					itp_elf_symbols_find(symbols, start);

				fprintf(list, "%s: 0x%" G_GINT64_MODIFIER "x %.*s\n", causes[c],
					start, (int)found.name_length,
					found.name ? found.name : "");
			}
		}
		before = after;
	}
	return most;
}

static struct itp_flow_range code_of(const struct itp_elf_image *image)
{
	struct itp_flow_range range = { .start = UINT64_MAX };

	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
			range.start = MIN(range.start, segment->p_vaddr);
			range.end = MAX(range.end, segment->p_vaddr + segment->p_filesz);
		}
	}
	return range;
}

static void take_census(const char *path, FILE *list)
{
	enum itp_error error;
	struct itp_elf_symbols *symbols = itp_elf_symbols_new(path, &error);
	struct itp_control_flow *flow = symbols ? itp_control_flow_new(symbols) : NULL;
	struct itp_flow_counts counts;
	int64_t begin_us = g_get_monotonic_time();
	uint64_t total = 0;
	size_t most;

	if (!flow) {
		printf("%s: not known\n", path);
		itp_control_flow_free(flow);
		itp_elf_symbols_free(symbols);
		return;
	}
	most = ask_all(flow, symbols, code_of(&symbols->image), list);
	counts = itp_control_flow_counts(flow);
	for (int c = 0; c < ITP_FLOW_CAUSE_COUNT; c++) {
		total += counts.functions[c];
	}
	printf("%s: %" G_GUINT64_FORMAT " functions, %.2f %% known", path, total,
	       100.0 * (double)counts.functions[ITP_FLOW_KNOWN] / (double)MAX(total, 1));
	for (int c = 1; c < ITP_FLOW_CAUSE_COUNT; c++) {
		if (counts.functions[c] > 0) {
			printf(", %s %" G_GUINT64_FORMAT, causes[c], counts.functions[c]);
		}
	}
	printf(", %.0f ms, %.1f MB\n", (double)(g_get_monotonic_time() - begin_us) / 1000,
	       (double)most / 1e6);
	itp_control_flow_free(flow);
	itp_elf_symbols_free(symbols);
}

int main(int argc, char **argv)
{
	FILE *list = getenv("CENSUS_LIST") ? stderr : NULL;

	for (int i = 1; i < argc; i++) {
		take_census(argv[i], list);
	}
	return 0;
}
