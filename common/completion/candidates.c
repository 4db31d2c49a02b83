/* SPDX-License-Identifier: MIT */
/*
 * See candidates.h. Each candidate is looked through for jumps to others.
 */
#include "common/completion/candidates.h"

#include "common/completion/scan.h"
#include "common/control-flow/call.h"

struct search {
	/* All weak. */
	struct itp_candidates *candidates;
	struct itp_code_files *files;
	const struct itp_address_space *space;
	/* The candidate that is looked through. */
	guint at;
};

/* What has no name is no function that could be told. */
static void add(struct search *search, struct itp_code_file *file, uint64_t vaddr)
{
	struct itp_candidates *candidates = search->candidates;

	for (guint i = 0; i < candidates->count; i++) {
		if (candidates->list[i].file == file && candidates->list[i].vaddr == vaddr) {
			return;
		}
	}
	if (candidates->count >= ITP_MAX_CANDIDATES || !itp_flow_code_symbol(&file->code, vaddr)) {
		candidates->is_open = true;
		return;
	}
	candidates->list[candidates->count++] =
		(struct itp_candidate){ .file = file, .vaddr = vaddr };
}

/* What `instruction` in `file` calls or jumps to. */
static void add_target(struct search *search, struct itp_code_file *file,
		       const struct itp_flow_instruction *instruction)
{
	const char *name = itp_flow_call_name(&file->code, instruction);
	struct itp_code_file *other;
	uint64_t vaddr;

	if (name) {
		if (itp_code_files_find(search->files, search->space, name, &other, &vaddr)) {
			add(search, other, vaddr);
		} else {
			search->candidates->is_open = true;
		}
	} else if (instruction->kind == ITP_FLOW_CALL_INDIRECT ||
		   instruction->kind == ITP_FLOW_JUMP_INDIRECT) {
		search->candidates->is_by_pointer = true;
	} else {
		add(search, file, instruction->target);
	}
}

static void look_at(const struct itp_flow_instruction *instruction, bool is_tail, void *data)
{
	struct search *search = data;
	struct itp_candidate *candidate = &search->candidates->list[search->at];

	if (is_tail) {
		add_target(search, candidate->file, instruction);
	} else {
		candidate->has_frame |= itp_cfi_frame(candidate->file->symbols->cfi,
						      instruction->vaddr) == ITP_CFI_FRAME_OWN;
	}
}

void itp_candidates_find(struct itp_candidates *ret_candidates, struct itp_code_files *files,
			 const struct itp_address_space *space, struct itp_code_file *file,
			 uint64_t site)
{
	struct search search = { .candidates = ret_candidates, .files = files, .space = space };
	struct itp_flow_instruction call;

	*ret_candidates = (struct itp_candidates){ .is_open = true };
	if (!itp_flow_call_before(&file->code, site, &call) || call.kind == ITP_FLOW_SYSTEM_CALL) {
		return;
	}
	ret_candidates->is_open = false;
	add_target(&search, file, &call);
	for (; search.at < ret_candidates->count && !ret_candidates->is_open; search.at++) {
		const struct itp_candidate *candidate = &ret_candidates->list[search.at];

		ret_candidates->is_open |= !itp_scan_function(&candidate->file->code,
							      candidate->vaddr, look_at, &search);
	}
}
