#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The end of processes, in which the kernel unmaps their memory: that is time of theirs, as perf report
# says of the same recording, and its stacks are whole although the stack in user mode is unmapped, too.
# So are those of a process that begins another program.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# A child that ends with 32 MiB of touched memory, 100 times; begun when told to.
cat >ends.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void end_with_memory(void)
{
	char *memory = malloc(32 << 20);

	memset(memory, 1, 32 << 20);
	exit(memory[4096] == 0);
}

int main(int argc, char **argv)
{
	char byte;

	if (argc > 1 && read(0, &byte, 1) != 1)
		return 1;
	for (int i = 0; i < 100; i++) {
		pid_t child = fork();

		if (child == 0)
			end_with_memory();
		waitpid(child, NULL, 0);
	}
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

# ranked FILE prints how much of all CPU time is ranked, or the recorder's, in percent of the ticks.
ranked() {
	introperf report --by function --top 0 --format jsonl "$1" >ranked.jsonl 2>log.txt
	perf script -i "$1" -F event 2>perf.txt | grep -c cpu-clock >ticks.txt
	python3 - <<'PYTHON'
import json
rows = [json.loads(line) for line in open("ranked.jsonl")]
ns = sum(row["own_cpu_ns"] for row in rows if row["type"] == "function")
ns += [row for row in rows if row["type"] == "summary"][0]["suspect"]["recorder_ns"]
print(round(100 * ns / 1e6 / int(open("ticks.txt").read())))
PYTHON
}
introperf record -o all.data -- ./ends >said.txt 2>&1
read -r all whole < <(ticks all.data)
ok "there are ticks at the ends of processes ($all)" test "$all" -ge 10
is "all of them have whole stacks" "$whole" "$all"
ok "and are time of these processes ($(milliseconds all.data) ms)" test "$(milliseconds all.data)" -ge $((all * 3 / 4))

ok "all CPU time is ranked ($(ranked all.data) %)" test "$(ranked all.data)" -ge 90

# In windows few system calls are seen, and hardly any exit_group().
# is_since VERSION: the kernel is of this version or a later one.
is_since() {
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}
mkfifo gate
./ends wait <gate &
ends=$!
exec 3>gate
introperf record -o some.data --overhead 5% -p $ends >said.txt 2>&1 &
recorder=$!
wait_until grep -q bpf: said.txt
sleep 0.5
echo >&3
exec 3>&-
wait "$recorder" "$ends"
read -r all whole < <(ticks some.data)
ok "also while few system calls are watched ($all)" test "$all" -ge 10
if is_since 6.16; then
	ok "nearly all have whole stacks ($whole)" test "$((all - whole))" -le "$((all / 10))"
else
	skip "nearly all have whole stacks" "the kernel tells the end when the stack is gone"
fi
ok "all CPU time is ranked there, too ($(ranked some.data) %)" test "$(ranked some.data)" -ge 90

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
