/* SPDX-License-Identifier: MIT */
/*
 * One libdwfl session for each layout of an address space, since modules cannot be moved within
 * one. Separate debugging files are not looked for: both sides know the same.
 */
#include "tests/perf/unwind-libdwfl.h"

#include "common/symbol/module.h"
#include "common/unwind/cfi-expression.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <unistd.h>

/* What a callback of libdwfl needs of the sample at hand. */
struct current {
	struct itp_registers registers;
	struct itp_stack_copy stack;
	struct reference_frame *frames;
	size_t count;
	size_t max;
};

struct reference {
	/* Weak. */
	const struct recording *recording;
	/* Dwfl by layout. */
	GHashTable *sessions;
	struct current current;
};

static pid_t next_thread(Dwfl *dwfl, void *data, void **thread_data)
{
	(void)dwfl;
	if (*thread_data) {
		return 0;
	}
	*thread_data = data;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *data, void **thread_data)
{
	(void)dwfl;
	(void)tid;
	*thread_data = data;
	return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *ret_value, void *data)
{
	struct reference *reference = data;

	(void)dwfl;
	return itp_stack_copy_load(&reference->current.stack, address, ret_value);
}

static bool set_registers(Dwfl_Thread *thread, void *data)
{
	struct reference *reference = data;

	for (unsigned int i = 0; i < 17; i++) {
		Dwarf_Word value = reference->current.registers.values[i];

		if ((reference->current.registers.known & ITP_REGISTER_BIT(i)) &&
		    !dwfl_thread_state_registers(thread, (int)i, 1, &value)) {
			return false;
		}
	}
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static int no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **path)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	(void)path;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* The vdso's file is a copy in memory; the descriptor is libdwfl's afterwards. */
static int copy_of_vdso(uint64_t mapped_bytes)
{
	struct itp_elf_image image;
	FILE *file;
	int fd;

	if (itp_unwind_open_vdso(&image, mapped_bytes, "") != 0) {
		return -1;
	}
	file = tmpfile();
	fd = file ? dup(fileno(file)) : -1;
	if (fd >= 0) {
		fwrite(image.map.bytes.data, 1, image.map.bytes.size, file);
		fclose(file);
	}
	itp_elf_image_release(&image);
	return fd;
}

static void report(Dwfl *dwfl, const struct recording_sample *sample,
		   const struct itp_mapping *mapping)
{
	uint64_t offset;
	uint64_t vaddr = UINT64_MAX;
	const char *path = recording_place(sample, mapping->start, &offset);

	itp_module_cfi(mapping->module, offset, &vaddr);
	if (vaddr != UINT64_MAX) {
		int fd = path[0] == '/' ? -1 : copy_of_vdso(mapping->end - mapping->start);

		dwfl_report_elf(dwfl, path, path, fd, mapping->start - vaddr, true);
	}
}

static Dwfl *open_session(struct reference *reference, const struct recording_sample *sample)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct itp_elf_image image = { .elf = NULL };

	dwfl_report_begin(dwfl);
	for (guint i = 0; i < reference->recording->starts->len; i++) {
		uint64_t start = g_array_index(reference->recording->starts, uint64_t, i);
		const struct itp_mapping *mapping = itp_address_space_find(sample->space, start);

		if (mapping && mapping->start == start) {
			report(dwfl, sample, mapping);
		}
	}
	dwfl_report_end(dwfl, NULL, NULL);
	/* Any file tells it the architecture. */
	if (itp_elf_image_init(&image, "/proc/self/exe") != 0 ||
	    !dwfl_attach_state(dwfl, image.elf, 1, &thread_callbacks, reference)) {
		fprintf(stderr, "libdwfl: %s\n", dwfl_errmsg(-1));
	}
	itp_elf_image_release(&image);
	return dwfl;
}

static void close_session(gpointer dwfl)
{
	dwfl_end(dwfl);
}

struct reference *reference_new(const struct recording *recording)
{
	struct reference *reference = g_new0(struct reference, 1);

	reference->recording = recording;
	reference->sessions =
		g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, close_session);
	return reference;
}

void reference_free(struct reference *reference)
{
	g_hash_table_destroy(reference->sessions);
	g_free(reference);
}

static int add_frame(Dwfl_Frame *frame, void *data)
{
	struct current *current = data;
	Dwarf_Addr address;
	bool is_exact;

	if (current->count == current->max || !dwfl_frame_pc(frame, &address, &is_exact)) {
		return DWARF_CB_ABORT;
	}
	current->frames[current->count++] =
		(struct reference_frame){ .address = address, .is_exact = is_exact };
	return DWARF_CB_OK;
}

static bool read_registers(struct current *current, const struct recording_sample *sample)
{
	struct itp_bytes bytes = sample->user.registers;
	uint64_t values[64];
	size_t count = 0;

	while (count < G_N_ELEMENTS(values) && itp_bytes_u64(&bytes, &values[count])) {
		count++;
	}
	return itp_registers_from_perf(itp_register_set(ITP_X86_64), sample->attr->user_registers,
				       values, count, &current->registers);
}

static Dwfl *session(struct reference *reference, const struct recording_sample *sample)
{
	gpointer key = GUINT_TO_POINTER(itp_address_space_layout(sample->space));
	Dwfl *dwfl = g_hash_table_lookup(reference->sessions, key);

	if (!dwfl) {
		dwfl = open_session(reference, sample);
		g_hash_table_insert(reference->sessions, key, dwfl);
	}
	return dwfl;
}

size_t reference_unwind(struct reference *reference, const struct recording_sample *sample,
			uint64_t back, struct reference_frame *frames, size_t max)
{
	const struct itp_register_set *set = itp_register_set(ITP_X86_64);
	struct current *current = &reference->current;

	if (!read_registers(current, sample)) {
		return 0;
	}
	current->registers.values[set->program_counter] -= back;
	current->stack = (struct itp_stack_copy){
		.data = sample->user.stack.data,
		.size = sample->user.stack.size,
		.address = current->registers.values[set->stack_pointer],
	};
	current->frames = frames;
	current->max = max;
	current->count = 0;
	dwfl_getthread_frames(session(reference, sample), 1, add_frame, current);
	return current->count;
}

bool reference_has_rule(struct reference *reference, const struct recording_sample *sample,
			uint64_t address)
{
	Dwfl_Module *module = dwfl_addrmodule(session(reference, sample), address);
	Dwarf_Addr bias = 0;
	Dwarf_CFI *cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;
	Dwarf_Frame *frame = NULL;
	bool has_rule = cfi && dwarf_cfi_addrframe(cfi, address - bias, &frame) == 0;

	free(frame);
	return has_rule;
}
