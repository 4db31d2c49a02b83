#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The end of processes, in which the kernel unmaps their memory: that is time of theirs, as the kernel
# counts it, and its stacks are whole although the stack in user mode is unmapped, too. So are those of a
# process that begins another program.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# A child that ends with 32 MiB of touched memory, 500 times; begun when told to. Prints the CPU time of
# all in milliseconds.
cat >ends.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void end_with_memory(void)
{
	char *memory = malloc(32 << 20);

	memset(memory, 1, 32 << 20);
	exit(memory[4096] == 0);
}

static long cpu_ms(int whose)
{
	struct rusage use;

	getrusage(whose, &use);
	return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000 +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
}

int main(int argc, char **argv)
{
	char byte;

	if (argc > 1 && read(0, &byte, 1) != 1)
		return 1;
	for (int i = 0; i < 500; i++) {
		pid_t child = fork();

		if (child == 0)
			end_with_memory();
		waitpid(child, NULL, 0);
	}
	printf("%ld\n", cpu_ms(RUSAGE_SELF) + cpu_ms(RUSAGE_CHILDREN));
	return 0;
}
END
"${CC:-cc}" -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o ends ends.c || skip_all "no compiler"

# ticks FILE prints how many ticks were in the kernel's end of a process, and how many of these have a
# stack that leads to its first function.
ticks() {
	perf script -i "$1" -F event,ip,sym 2>perf.txt | awk -v RS= '
		/cpu-clock/ && /do_exit/ { all++; whole += /_start[^\n]*\n*$/ }
		END { print all + 0, whole + 0 }'
}
# milliseconds FILE prints how much time was spent there.
milliseconds() {
	introperf export --format folded -o folded.txt "$1" >log.txt 2>&1
	awk '/do_exit/ { sum += $NF } END { print int(sum / 1e6) }' folded.txt
}

# times FILE MS prints in percent how much of the MS of CPU time is known, the recorder's included, and how
# much of that is ranked or the recorder's.
times() {
	introperf report --by function --top 0 --format jsonl "$1" >ranked.jsonl 2>log.txt
	python3 - "$2" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open("ranked.jsonl")]
of = [row for row in rows if row["type"] == "summary"][0]["suspect"]
known = of["cpu_ns"]
ranked = of["recorder_ns"] + sum(row["own_cpu_ns"] for row in rows if row["type"] == "function")
print(round(100 * known / 1e6 / int(sys.argv[1])), round(100 * ranked / known))
PYTHON
}
# is_all FILE MS WHERE: to the tenth that beginnings and ends of threads have, which are not recorded, or to some
# more on a busy machine. Of what is attached to nobody knows whose loss its waits are: they are guessed, and their
# CPU time is ranked.
is_all() {
	local known ranked
	read -r known ranked < <(times "$1" "$2")
	ok "all CPU time is known$3 ($known %)" test "$known" -ge 85 -a "$known" -le 110
	ok "all of that is ranked$3 ($ranked %)" test "$ranked" -ge 99 -a "$ranked" -le 101
}
introperf record -o all.data -- ./ends >all.txt 2>said.txt
read -r all whole < <(ticks all.data)
ok "there are ticks at the ends of processes ($all)" test "$all" -ge 10
is "all of them have whole stacks" "$whole" "$all"
ok "and are time of these processes ($(milliseconds all.data) ms)" test "$(milliseconds all.data)" -ge $((all / 2))

is_all all.data "$(cat all.txt)" ""

# In windows few system calls are seen, and hardly any exit_group().
# is_since VERSION: the kernel is of this version or a later one.
is_since() {
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}
mkfifo gate
exec 3<>gate
./ends wait <&3 >some.txt &
ends=$!
wait_until test "/proc/$ends/exe" -ef ends
introperf record -o some.data --overhead 5% -p $ends -- sh -c "echo >gate; tail -f --pid=$ends /dev/null" >said.txt 2>&1
wait "$ends"
exec 3>&-
read -r all whole < <(ticks some.data)
ok "also while few system calls are watched ($all)" test "$all" -ge 10
if is_since 6.16; then
	ok "nearly all have whole stacks ($whole)" test "$((all - whole))" -le "$((all / 10))"
else
	skip "nearly all have whole stacks" "the kernel tells the end when the stack is gone"
fi
is_all some.data "$(cat some.txt)" " there, too"

# ---- Another program ----

cat >begins.c <<'END'
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc > 1)
		return 0;
	for (int i = 0; i < 200; i++) {
		if (fork() == 0)
			execl(argv[0], argv[0], "again", (char *)0);
		wait(0);
	}
	return 0;
}
END
"${CC:-cc}" -O1 -g -fno-omit-frame-pointer -o begins begins.c
introperf record -o begins.data --overhead 5% -- ./begins >said.txt 2>&1
read -r all whole < <(perf script -i begins.data -F event,ip,sym 2>perf.txt | awk -v RS= '
	/load_elf_binary/ { all++; whole += /_start[^\n]*\n*$/ }
	END { print all + 0, whole + 0 }')
ok "processes are seen while they begin another program ($all)" test "$all" -ge 10
if is_since 6.10; then
	ok "nearly all of these have whole stacks, too ($whole)" test "$((all - whole))" -le "$((all / 10))"
else
	skip "nearly all of these have whole stacks, too" "the kernel does not tell of it before the stack is gone"
fi

done_testing
