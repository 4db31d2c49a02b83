/* SPDX-License-Identifier: MIT */
/*
 * Code of files mapped by processes, and its references to a place: calls and jumps to functions,
 * and slots through which functions of other files are found.
 */
#ifndef ITP_COMPLETION_FILES_H
#define ITP_COMPLETION_FILES_H

#include "common/control-flow/code.h"
#include "common/symbol/address-space.h"
#include "common/symbol/module.h"

struct itp_references;

struct itp_code_file {
	/* Weak. */
	struct itp_module *module;
	const struct itp_elf_symbols *symbols;
	struct itp_flow_code code;
	/* References; NULL until asked for, and for files without any. Owned by this. */
	struct itp_references *references;
	bool has_references;
};

struct itp_code_files;

struct itp_code_files *itp_code_files_new(void);
void itp_code_files_free(struct itp_code_files *files);

/* File mapped at `address` of a process, whose module must outlive `files`; NULL for an unknown
 * one. */
struct itp_code_file *itp_code_files_at(struct itp_code_files *files,
					struct itp_address_space *space, uint64_t address);

/* File mapped as number `number` of a process; NULL without a file, or when nothing can be known of
 * it. False beyond the last mapping. A file may come several times. */
bool itp_code_files_number(struct itp_code_files *files, const struct itp_address_space *space,
			   uint32_t number, struct itp_code_file **ret_file);

/* References inside of `file`; NULL when they cannot be known. Owned by the file. */
const struct itp_references *itp_code_file_references(struct itp_code_file *file);

/* Visitor of a reference: an instruction that calls its target, jumps to it, or, of kind
 * ITP_FLOW_PLAIN, makes or reads its address. */
typedef void itp_reference_func(const struct itp_flow_instruction *instruction, void *data);

/* Shows `visit` all references to `target`. False when there are too many. */
bool itp_references_each(const struct itp_references *references, uint64_t target,
			 itp_reference_func *visit, void *data);

/* Function found by a process under `name`: *ret_file and *ret_vaddr. False when there is none, or
 * several are possible. */
bool itp_code_files_find(struct itp_code_files *files, const struct itp_address_space *space,
			 const char *name, struct itp_code_file **ret_file, uint64_t *ret_vaddr);

#endif
