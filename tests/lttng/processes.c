/* SPDX-License-Identifier: MIT */
/*
 * A program whose calls are known, for test-ust-processes.sh, built with -finstrument-functions.
 *
 * main() forks. The child calls child_work() 5 times, then end_child(), whose last instruction
 * calls leave(), which ends the process at once. The parent calls parent_work() 3 times, and then
 * opens one library after the other, of which the second takes the place of the first, and calls
 * run_plugin() of each twice. When a library has gone, it tells of a call of other code at the
 * place of run_plugin(), as a compiler at run time can.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_CALLS 5
#define PARENT_CALLS 3
#define WORK_US 100

static void child_work(void)
{
	usleep(WORK_US);
}

static void parent_work(void)
{
	usleep(WORK_US);
}

static __attribute__((noreturn)) void leave(void)
{
	_exit(0);
}

static __attribute__((noreturn)) void end_child(void)
{
	leave();
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

/* Prints where the library was. */
static void call_plugin(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*run_plugin)(void) = library ? (void (*)(void))dlsym(library, "run_plugin") : NULL;

	if (run_plugin) {
		run_plugin();
		run_plugin();
		printf("%p\n", (void *)run_plugin);
		dlclose(library);
		__cyg_profile_func_enter((void *)run_plugin, (void *)call_plugin);
		__cyg_profile_func_exit((void *)run_plugin, (void *)call_plugin);
	}
}

int main(void)
{
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < CHILD_CALLS; i++) {
			child_work();
		}
		end_child();
	}
	for (int i = 0; i < PARENT_CALLS; i++) {
		parent_work();
	}
	waitpid(child, NULL, 0);
	call_plugin("../first.so");
	call_plugin("../second.so");
	return 0;
}
