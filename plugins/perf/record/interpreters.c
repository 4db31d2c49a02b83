/* SPDX-License-Identifier: MIT */
/*
 * See interpreters.h. Offsets are those of CPython's own headers for x86-64 (Include/cpython,
 * Include/internal), which stay as they are within a version such as 3.11.
 */
#include "plugins/perf/record/interpreters.h"

#include <glib.h>
#include <string.h>

#include "common/elf/bytes.h"
#include "common/symbol/address-space.h"
#include "common/symbol/elf-symbols.h"
#include "common/symbol/module.h"

/* Names that every build of CPython exports, shared library or not. */
#define STATE_NAME "_PyRuntime"
#define LOOP_NAME "_PyEval_EvalFrameDefault"
#define VERSION_NAME "Py_Version"
/* Py_Version: 0x030b0700 and more bits is 3.11.7. */
#define VERSION_SHIFT 16

static const struct {
	uint32_t version;
	struct itp_record_interpreter interpreter;
} known[] = {
	{ 0x030b,
	  {
		  .first_interpreter = 40,
		  .next_interpreter = 0,
		  .first_thread = 16,
		  .next_thread = 8,
		  .thread_identity = 152,
		  .thread_holder = 56,
		  .holder_frame = 8,
		  .frame_code = 32,
		  .frame_caller = 48,
		  .frame_is_entry = 68,
		  .code_name = 128,
		  .code_file = 112,
		  .code_line = 72,
		  .text_length = 16,
		  .text_state = 32,
		  .text_ascii = 48,
		  .text_other = 72,
	  } },
};

static bool find_layout(const struct itp_elf_image *image, struct itp_record_interpreter *layout)
{
	struct itp_bytes bytes;
	GElf_Sym symbol;
	uint64_t version;

	if (!itp_elf_image_find_symbol(image, VERSION_NAME, &symbol)) {
		return false;
	}
	bytes = itp_elf_image_at(image, symbol.st_value);
	if (!itp_bytes_u64(&bytes, &version)) {
		return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (known[i].version == version >> VERSION_SHIFT) {
			*layout = known[i].interpreter;
			return true;
		}
	}
	return false;
}

bool itp_recorder_interpreter_find(const struct itp_mapping *mapping,
				   struct itp_record_interpreter *ret_interpreter)
{
	const struct itp_elf_symbols *symbols = itp_module_peek(mapping->module);
	GElf_Sym state;
	GElf_Sym loop;
	uint64_t vaddr;
	uint64_t slide;

	if (!symbols || !itp_elf_image_find_symbol(&symbols->image, STATE_NAME, &state) ||
	    !itp_elf_image_find_symbol(&symbols->image, LOOP_NAME, &loop) ||
	    !itp_elf_image_vaddr(&symbols->image, mapping->offset, &vaddr) ||
	    !find_layout(&symbols->image, ret_interpreter)) {
		return false;
	}
	slide = mapping->start - vaddr;
	ret_interpreter->runtime = slide + state.st_value;
	ret_interpreter->loop_begin = slide + loop.st_value;
	ret_interpreter->loop_end = slide + loop.st_value + loop.st_size;
	return true;
}
