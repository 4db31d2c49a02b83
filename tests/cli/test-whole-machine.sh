#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recordings of the whole machine: rows name their processes; who records, what says how long, and
# threads of the kernel are not ranked; code that was compiled into a file in memory is known as such, and a
# program that was started from one as that. Beside that, whatever else the machine does.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording
perf record -q -a -e raw_syscalls:sys_enter -o /dev/null -- true >log.txt 2>&1 ||
	skip_all "perf may not record the machine: $(head -n 1 log.txt)"
[ "$(uname -m)" = x86_64 ] || skip_all "code is made for x86-64"

# compiled: writes a loop through one mapping of a file in memory, and calls it through another.
cat >compiled.c <<'END'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* mov %rdi,%rcx; 1: dec %rcx; jnz 1b; ret */
static const unsigned char code[] = { 0x48, 0x89, 0xf9, 0x48, 0xff, 0xc9, 0x75, 0xfb, 0xc3 };

int main(void)
{
	int fd = memfd_create("doublemapper", MFD_CLOEXEC);
	void *written = ftruncate(fd, 4096) == 0 ?
				mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	void *executed = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);

	if (written == MAP_FAILED || executed == MAP_FAILED) {
		return 1;
	}
	memcpy(written, code, sizeof(code));
	for (int i = 0; i < 100; i++) {
		((void (*)(long))executed)(10000000);
		getppid();
	}
	return 0;
}
END
# started: runs a copy of the program that is named, from a file in memory.
cat >started.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	int from = open(argv[argc - 1], O_RDONLY);
	int fd = memfd_create("image", MFD_CLOEXEC);
	char *const arguments[] = { "image", NULL };

	while (sendfile(fd, from, NULL, 1 << 20) > 0) {
	}
	return fexecve(fd, arguments, environ);
}
END
cat >spin.c <<'END'
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) static void spin(void)
{
	for (long i = 0; i < 5000000; i++) {
		sum += i;
	}
}

int main(void)
{
	for (int i = 0; i < 100; i++) {
		spin();
		getppid();
	}
	return 0;
}
END
for name in compiled started spin; do
	${CC:-cc} -O1 -g -fno-omit-frame-pointer -o "$name" "$name.c" || exit 99
done
cp spin stripped
strip stripped
# What says how long to record, and what works meanwhile.
cat >both.sh <<'END'
for program in "$@"; do
	$program &
done
wait
END

introperf record -a --fp -o work.data -- bash both.sh ./compiled ./spin "./started ./stripped" "./started ./stripped" \
	>log.txt 2>&1 || diag "$(cat log.txt)"
introperf report --top 0 work.data >report.txt 2>errors.txt
introperf report --top 0 --format jsonl work.data >report.jsonl 2>errors.txt
introperf report --top 0 --by function work.data >functions.txt 2>errors.txt
introperf report --top 0 --by function --format jsonl work.data >functions.jsonl 2>errors.txt

like "a row names its process" "$(cat report.txt)" \
	$'\n +[0-9]+ .* spin in spin\n'
like "so does that of a function of one program" "$(cat functions.txt)" $'\n +[0-9]+ .* spin in spin\n'
like "of others it is told in which most of it is" "$(cat functions.txt)" 'most of it in [^ ]+, of [0-9]+'
# Of a process that has just begun or ends nothing else may be known, not even its name.
unlike "what waits does not do so in the scheduler" "$(grep -E '^ +[0-9]+ ' functions.txt | grep -v ' in :[0-9]*$')" \
	' (__)?schedule( in |$)| finish_task_switch'
like "code that was compiled has a module" "$(cat functions.jsonl)" \
	'"function":"\[jit\]\+0x[0-9a-f]+","module":"\[jit\]","kind":"runtime","process":"compiled","processes":1,'
unlike "it is no culprit" "$(cat report.txt)" '\[jit\][^ ]* ◀'
# Places in it, not in memory.
is "a program from a file in memory has the same functions in each of its processes" \
	"$(grep -oE '"function":"memfd:image\+0x[0-9a-f]+"' functions.jsonl | sort -u | grep -cvE '0x[0-9a-f]{3,5}"')" 0
like "which are culprits" "$(cat report.txt)" 'memfd:image\+0x1[0-9a-f]{3} ◀'
paths() {
	grep '"type":"path"' "$1" | sed 's/"frames":.*//'
}
unlike "who records is not ranked" "$(paths report.jsonl)" '"process":"perf(-introperf)?"'
unlike "nor are idle threads of the kernel" "$(paths report.jsonl)" '"process":"swapper'
introperf report --format tree work.data >tree.txt 2>errors.txt
like "the tree has processes" "$(cat tree.txt)" 'spin'
unlike "but not who records" "$(cat tree.txt)" '(^| )perf(-introperf)?$'

while :; do :; done &
busy=$!
# By a name that nobody else's has.
cp "$(command -v sleep)" so-long
# Before others on a busy machine, so that nothing is lost.
nice -n -15 "$program" record -a --dwarf -o sleep.data -- ./so-long 1 >log.txt 2>&1 || diag "$(cat log.txt)"
kill "$busy"
wait "$busy" 2>/dev/null
introperf report --top 0 --format jsonl sleep.data >sleep.jsonl 2>errors.txt
unlike "what says how long to record is not ranked" "$(grep '"type":"path".*"blocked_in":"syscall:clock_nanosleep"' \
	sleep.jsonl | sed 's/"frames":.*//')" '"process":"so-long"'
like "but idle by design" "$(grep '"type":"idle"' sleep.jsonl)" '"process":"so-long"'

introperf diff sleep.data work.data --top 0 >diff.txt 2>errors.txt
like "so do rows of a difference" "$(cat diff.txt)" $'\n +~?[0-9]+ .* in [^ ]+\n'

done_testing
