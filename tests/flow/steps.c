/* SPDX-License-Identifier: MIT */
/*
 * steps [-l] [-n STEPS] PROGRAM [ARGUMENT…]: carries out a program instruction by instruction
 * (x86-64, its first thread), from its entry point on or with -l from the dynamic linker's, and
 * asks for each step whether control can go that way. A "never" is wrong; each is printed, and the
 * exit status is 1.
 */
#include "tests/flow/steps-frames.h"

#include <capstone/capstone.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_STEPS 20000000
#define MAX_INSTRUCTION_BYTES 15
#define BREAKPOINT 0xcc

/* What is known of an instruction in memory. */
struct instruction {
	uint8_t size;
	bool is_call;
	bool is_return;
	bool is_system_call;
};

struct stepper {
	pid_t pid;
	csh capstone;
	/* struct step_module, in memory at most one at an address. Owned by this. */
	GPtrArray *modules;
	/* Of an address to struct instruction. Owned by this. */
	GHashTable *instructions;
	/* Paths to struct itp_elf_symbols. Owned by this. */
	const struct step_module *recent;
	struct step_frames *frames;
};

static void free_module(gpointer data)
{
	struct step_module *module = data;

	itp_control_flow_free(module->flow);
	itp_elf_symbols_free(module->symbols);
	g_free(module->path);
	g_free(module);
}

/* Linkage tables belong to no function; they lie in one piece, or in pieces one after another. */
static void find_stubs(struct step_module *module)
{
	Elf *elf = module->symbols->image.elf;
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0) {
		return;
	}
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    g_str_has_prefix(elf_strptr(elf, names, header.sh_name), ".plt")) {
			module->stubs_start = module->stubs_end == 0 ?
						      header.sh_addr :
						      MIN(module->stubs_start, header.sh_addr);
			module->stubs_end = MAX(module->stubs_end, header.sh_addr + header.sh_size);
		}
	}
}

static struct step_module *open_module(uint64_t start, uint64_t end, uint64_t offset,
				       const char *path)
{
	struct step_module *module = g_new0(struct step_module, 1);
	enum itp_error error;
	uint64_t vaddr;

	module->start = start;
	module->end = end;
	module->path = g_strdup(path);
	module->symbols = path[0] == '/' ? itp_elf_symbols_new(path, &error) : NULL;
	if (module->symbols && itp_elf_image_vaddr(&module->symbols->image, offset, &vaddr)) {
		module->bias = start - vaddr;
		module->flow = itp_control_flow_new(module->symbols);
		find_stubs(module);
	}
	return module;
}

static const struct step_module *known_module(const struct stepper *stepper, uint64_t address)
{
	for (guint i = 0; i < stepper->modules->len; i++) {
		const struct step_module *module = stepper->modules->pdata[i];

		if (address >= module->start && address < module->end) {
			return module;
		}
	}
	return NULL;
}

static const struct step_module *map_module(struct stepper *stepper, uint64_t address)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/maps", stepper->pid);
	FILE *maps = fopen(path, "r");
	const struct step_module *found = NULL;
	char line[4096];

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		unsigned long start;
		unsigned long end;
		unsigned long offset;
		char file[4096] = "";

		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095[^\n]", &start, &end, &offset,
			   file) >= 3 &&
		    address >= start && address < end) {
			struct step_module *module = open_module(start, end, offset, file);

			g_ptr_array_add(stepper->modules, module);
			found = module;
		}
	}
	if (maps) {
		fclose(maps);
	}
	return found;
}

static const struct step_module *find_module(struct stepper *stepper, uint64_t address)
{
	if (!stepper->recent || address < stepper->recent->start ||
	    address >= stepper->recent->end) {
		stepper->recent = known_module(stepper, address);
		if (!stepper->recent) {
			stepper->recent = map_module(stepper, address);
		}
	}
	return stepper->recent;
}

static const struct instruction *find_instruction(struct stepper *stepper, uint64_t address)
{
	struct instruction *known =
		g_hash_table_lookup(stepper->instructions, GSIZE_TO_POINTER(address));
	uint8_t bytes[MAX_INSTRUCTION_BYTES];
	struct iovec local = { .iov_base = bytes, .iov_len = sizeof(bytes) };
	struct iovec remote = { .iov_base = GSIZE_TO_POINTER(address), .iov_len = sizeof(bytes) };
	ssize_t size;
	cs_insn *decoded;

	if (known) {
		return known;
	}
	known = g_new0(struct instruction, 1);
	size = process_vm_readv(stepper->pid, &local, 1, &remote, 1, 0);
	if (size > 0 &&
	    cs_disasm(stepper->capstone, bytes, (size_t)size, address, 1, &decoded) == 1) {
		known->size = (uint8_t)decoded->size;
		known->is_call = decoded->id == X86_INS_CALL;
		known->is_return = decoded->id == X86_INS_RET;
		known->is_system_call = decoded->id == X86_INS_SYSCALL;
		cs_free(decoded, 1);
	}
	g_hash_table_insert(stepper->instructions, GSIZE_TO_POINTER(address), known);
	return known;
}

/* False when the program has ended. */
static bool step_once(struct stepper *stepper, struct user_regs_struct *registers, int *signal)
{
	struct user_regs_struct old = *registers;
	const struct instruction *instruction = find_instruction(stepper, old.rip);
	bool had_signal = *signal != 0;
	struct step step;
	int status;

	if (ptrace(PTRACE_SINGLESTEP, stepper->pid, NULL, (void *)(intptr_t)*signal) != 0 ||
	    waitpid(stepper->pid, &status, 0) != stepper->pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_GETREGS, stepper->pid, NULL, registers) != 0) {
		return false;
	}
	*signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	/* A signal that stops the thread before it did anything. */
	if (*signal != 0 && registers->rip == old.rip && registers->rsp == old.rsp) {
		return true;
	}
	step = (struct step){
		.from_module = find_module(stepper, old.rip),
		.to_module = find_module(stepper, registers->rip),
		.from = old.rip,
		.to = registers->rip,
		.next = old.rip + instruction->size,
		.old_stack_pointer = old.rsp,
		.stack_pointer = registers->rsp,
		.is_call = instruction->is_call,
		.is_return = instruction->is_return,
		.is_system_call = instruction->is_system_call,
		.is_signal = had_signal && registers->rsp < old.rsp - 128,
	};
	step_frames_step(stepper->frames, &step);
	return true;
}

static pid_t start(char **arguments)
{
	pid_t pid = fork();

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(arguments[0], arguments);
		_exit(127);
	}
	return pid;
}

static void print_share(const char *what, const uint64_t *answers)
{
	uint64_t total = answers[0] + answers[1] + answers[2];

	printf("%s %" G_GUINT64_FORMAT ": seen %.1f %%, not %.1f %%, unknown %.1f %%\n", what,
	       total, 100.0 * (double)answers[ITP_FLOW_NEVER] / (double)MAX(total, 1),
	       100.0 * (double)answers[ITP_FLOW_REACHES] / (double)MAX(total, 1),
	       100.0 * (double)answers[ITP_FLOW_UNKNOWN] / (double)MAX(total, 1));
}

static int report(const struct stepper *stepper)
{
	struct step_counts counts = step_frames_counts(stepper->frames);

	printf("steps %" G_GUINT64_FORMAT ", calls %" G_GUINT64_FORMAT ", wrong %" G_GUINT64_FORMAT
	       ", right %" G_GUINT64_FORMAT ", unknown %" G_GUINT64_FORMAT "\n",
	       counts.steps, counts.calls, counts.answers[ITP_FLOW_NEVER],
	       counts.answers[ITP_FLOW_REACHES], counts.answers[ITP_FLOW_UNKNOWN]);
	print_share("boundaries, last to first:", counts.last_to_first);
	print_share("boundaries, first to first:", counts.first_to_first);
	return counts.answers[ITP_FLOW_NEVER] > 0;
}

/* The program's own entry point. */
static uint64_t entry_point(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/auxv", pid);
	g_autofree char *bytes = NULL;
	uint64_t pair[2];
	gsize size;

	if (!g_file_get_contents(path, &bytes, &size, NULL)) {
		return 0;
	}
	for (gsize at = 0; at + sizeof(pair) <= size; at += sizeof(pair)) {
		memcpy(pair, bytes + at, sizeof(pair));
		if (pair[0] == AT_ENTRY) {
			return pair[1];
		}
	}
	return 0;
}

/* Lets the program run until its entry point. */
static bool skip_linker(pid_t pid, struct user_regs_struct *registers)
{
	uint64_t entry = entry_point(pid);
	long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)entry, NULL);
	int status;

	if (ptrace(PTRACE_POKETEXT, pid, (void *)entry, (void *)((word & ~0xffL) | BREAKPOINT)) !=
		    0 ||
	    ptrace(PTRACE_CONT, pid, NULL, NULL) != 0 || waitpid(pid, &status, 0) != pid ||
	    !WIFSTOPPED(status) || ptrace(PTRACE_POKETEXT, pid, (void *)entry, (void *)word) != 0 ||
	    ptrace(PTRACE_GETREGS, pid, NULL, registers) != 0) {
		return false;
	}
	registers->rip = entry;
	return ptrace(PTRACE_SETREGS, pid, NULL, registers) == 0;
}

/* Lets the program run for a while. */
static bool wait_for(pid_t pid, unsigned int seconds, struct user_regs_struct *registers)
{
	int signal = 0;
	int status;

	if (ptrace(PTRACE_CONT, pid, NULL, NULL) != 0) {
		return false;
	}
	sleep(seconds);
	syscall(SYS_tgkill, pid, pid, SIGSTOP);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		signal = WSTOPSIG(status);
		if (signal == SIGSTOP) {
			return ptrace(PTRACE_GETREGS, pid, NULL, registers) == 0;
		}
		ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)signal);
	}
	return false;
}

static void run(struct stepper *stepper, uint64_t steps, bool with_linker, unsigned int seconds)
{
	struct user_regs_struct registers;
	int signal = 0;
	int status;

	if (waitpid(stepper->pid, &status, 0) != stepper->pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_GETREGS, stepper->pid, NULL, &registers) != 0 ||
	    (!with_linker && !skip_linker(stepper->pid, &registers)) ||
	    (seconds > 0 && !wait_for(stepper->pid, seconds, &registers))) {
		return;
	}
	ptrace(PTRACE_SETOPTIONS, stepper->pid, NULL, (void *)PTRACE_O_EXITKILL);
	while (steps > 0 && step_once(stepper, &registers, &signal)) {
		steps--;
	}
	/* Whatever is left of it. */
	kill(stepper->pid, SIGKILL);
	waitpid(stepper->pid, &status, 0);
}

int main(int argc, char **argv)
{
	struct stepper stepper = { .pid = 0 };
	uint64_t steps = DEFAULT_STEPS;
	bool with_linker = false;
	unsigned int seconds = 0;
	int option;
	int status;

	while ((option = getopt(argc, argv, "+ln:w:")) != -1) {
		if (option == 'l') {
			with_linker = true;
		} else if (option == 'w') {
			seconds = (unsigned int)strtoul(optarg, NULL, 10);
		} else {
			steps = option == 'n' ? strtoull(optarg, NULL, 10) : 0;
		}
	}
	if (optind >= argc || steps == 0) {
		fprintf(stderr, "usage: %s [-l] [-n STEPS] [-w SECONDS] PROGRAM [ARGUMENT…]\n",
			argv[0]);
		return 2;
	}
	stepper.modules = g_ptr_array_new_with_free_func(free_module);
	stepper.instructions = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	stepper.frames = step_frames_new(stderr);
	cs_open(CS_ARCH_X86, CS_MODE_64, &stepper.capstone);
	stepper.pid = start(argv + optind);
	run(&stepper, steps, with_linker, seconds);
	status = report(&stepper);
	step_frames_free(stepper.frames);
	g_hash_table_destroy(stepper.instructions);
	g_ptr_array_unref(stepper.modules);
	cs_close(&stepper.capstone);
	return status;
}
