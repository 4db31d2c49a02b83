/* SPDX-License-Identifier: MIT */
/*
 * See interpreters.h.
 *
 * CPython 3.13 tells its offsets at the beginning of its state, for debuggers (_Py_DebugOffsets in
 * Include/internal/pycore_runtime.h); their order is the version's own. Offsets of 3.11 are from
 * its headers for x86-64 (Include/cpython, Include/internal), equal in all of 3.11.
 */
#include "plugins/perf/record/interpreters.h"

#include <glib.h>
#include <string.h>

#include "common/elf/bytes.h"
#include "common/elf/image.h"
#include "common/symbol/address-space.h"
#include "common/symbol/module.h"

/* Symbols that every build of CPython exports, shared library or not. */
#define STATE_NAME "_PyRuntime"
#define LOOP_NAME "_PyEval_EvalFrameDefault"
#define VERSION_NAME "Py_Version"
/* Py_Version: 0x030b07f0 is 3.11.7. */
#define VERSION_SHIFT 16
#define VERSION_3_11 0x030b
#define VERSION_3_13 0x030d

/* Bytes of further members in front of the characters, in a text not of ASCII: in 3.11, and since.
 */
#define TEXT_MORE_3_11 24
#define TEXT_MORE 16
/* FRAME_OWNED_BY_CSTACK of CPython. */
#define ENTRY_OWNER 3

static const struct itp_record_interpreter of_3_11 = {
	.first_interpreter = 40,
	.next_interpreter = 0,
	.first_thread = 16,
	.next_thread = 8,
	.thread_identity = 152,
	.thread_frame = 56,
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
	.text_other = 48 + TEXT_MORE_3_11,
};

/* Words of _Py_DebugOffsets in 3.13. */
enum told {
	TOLD_COOKIE = 0,
	TOLD_VERSION = 1,
	TOLD_FIRST_INTERPRETER = 5,
	TOLD_NEXT_INTERPRETER = 8,
	TOLD_FIRST_THREAD = 9,
	TOLD_NEXT_THREAD = 21,
	TOLD_THREAD_FRAME = 23,
	TOLD_THREAD_IDENTITY = 24,
	TOLD_FRAME_CALLER = 29,
	TOLD_FRAME_CODE = 30,
	TOLD_FRAME_OWNER = 33,
	TOLD_CODE_FILE = 35,
	TOLD_CODE_NAME = 37,
	TOLD_CODE_LINE = 39,
	TOLD_TEXT_STATE = 68,
	TOLD_TEXT_LENGTH = 69,
	TOLD_TEXT_ASCII = 70,
	TOLD_WORDS,
};

#define COOKIE "xdebugpy"

#define MEMBER(name) offsetof(struct itp_record_interpreter, name)

static const struct {
	enum told word;
	size_t member;
} told_members[] = {
	{ TOLD_FIRST_INTERPRETER, MEMBER(first_interpreter) },
	{ TOLD_NEXT_INTERPRETER, MEMBER(next_interpreter) },
	{ TOLD_FIRST_THREAD, MEMBER(first_thread) },
	{ TOLD_NEXT_THREAD, MEMBER(next_thread) },
	{ TOLD_THREAD_FRAME, MEMBER(thread_frame) },
	{ TOLD_THREAD_IDENTITY, MEMBER(thread_identity) },
	{ TOLD_FRAME_CALLER, MEMBER(frame_caller) },
	{ TOLD_FRAME_CODE, MEMBER(frame_code) },
	{ TOLD_FRAME_OWNER, MEMBER(frame_owner) },
	{ TOLD_CODE_FILE, MEMBER(code_file) },
	{ TOLD_CODE_NAME, MEMBER(code_name) },
	{ TOLD_CODE_LINE, MEMBER(code_line) },
	{ TOLD_TEXT_STATE, MEMBER(text_state) },
	{ TOLD_TEXT_LENGTH, MEMBER(text_length) },
	{ TOLD_TEXT_ASCII, MEMBER(text_ascii) },
};

static bool take_told(struct itp_bytes bytes, uint64_t version,
		      struct itp_record_interpreter *ret_layout)
{
	uint64_t words[TOLD_WORDS];

	for (size_t i = 0; i < TOLD_WORDS; i++) {
		if (!itp_bytes_u64(&bytes, &words[i])) {
			return false;
		}
	}
	if (memcmp(&words[TOLD_COOKIE], COOKIE, strlen(COOKIE)) != 0 ||
	    words[TOLD_VERSION] != version) {
		return false;
	}
	*ret_layout = (struct itp_record_interpreter){
		.holder_frame = ITP_RECORD_NO_HOLDER,
		.entry_owner = ENTRY_OWNER,
	};
	for (size_t i = 0; i < G_N_ELEMENTS(told_members); i++) {
		const uint64_t word = words[told_members[i].word];
		const uint16_t offset = (uint16_t)word;

		if (word > UINT16_MAX) {
			return false;
		}
		memcpy((char *)ret_layout + told_members[i].member, &offset, sizeof(offset));
	}
	ret_layout->text_other = ret_layout->text_ascii + TEXT_MORE;
	return true;
}

static bool find_layout(const struct itp_elf_image *image, uint64_t state,
			struct itp_record_interpreter *ret_layout)
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
	switch (version >> VERSION_SHIFT) {
	case VERSION_3_11:
		*ret_layout = of_3_11;
		return true;
	case VERSION_3_13:
		return take_told(itp_elf_image_at(image, state), version, ret_layout);
	default:
		return false;
	}
}

bool itp_recorder_interpreter_find(const struct itp_mapping *mapping,
				   struct itp_record_interpreter *ret_interpreter)
{
	const struct itp_elf_image *image = itp_module_image(mapping->module);
	GElf_Sym state;
	GElf_Sym loop;
	uint64_t vaddr;
	uint64_t slide;

	if (!image || !itp_elf_image_find_symbol(image, STATE_NAME, &state) ||
	    !itp_elf_image_find_symbol(image, LOOP_NAME, &loop) ||
	    !itp_elf_image_vaddr(image, mapping->offset, &vaddr) ||
	    !find_layout(image, state.st_value, ret_interpreter)) {
		return false;
	}
	slide = mapping->start - vaddr;
	ret_interpreter->runtime = slide + state.st_value;
	ret_interpreter->loop_begin = slide + loop.st_value;
	ret_interpreter->loop_end = slide + loop.st_value + loop.st_size;
	return true;
}
