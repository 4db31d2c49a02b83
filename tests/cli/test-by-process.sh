#!/bin/bash
# SPDX-License-Identifier: MIT
#
# report and diff --by process: whose time it is, of each program, process or thread.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording
# Computes for so many milliseconds of CPU time in two threads, one after the other.
cat >computes.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static long limit_ms;

static void *compute(void *unused)
{
	struct timespec now;

	do {
		for (volatile int i = 0; i < 1000000; i++) {
		}
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < limit_ms);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	limit_ms = argc > 1 ? atol(argv[1]) : 0;
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, compute, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}
END
cat >naps.c <<'END'
#include <time.h>

int main(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
	return 0;
}
END
for program_of in computes naps; do
	${CC:-cc} -O1 -g -fno-omit-frame-pointer -o $program_of $program_of.c -pthread || exit 99
done
introperf record -q -o good.data -- sh -c './computes 100 & ./naps; wait' >log.txt 2>&1 || diag "$(cat log.txt)"
introperf record -q -o slow.data -- sh -c './computes 250 & ./naps; wait' >log.txt 2>&1 || diag "$(cat log.txt)"

introperf report --by process --top 0 --format jsonl slow.data >processes.jsonl 2>errors.txt
is "each program has its time on a CPU and blocked, and together they are all" "$(python3 - processes.jsonl <<'PYTHON'
import json, sys
header, *rows = map(json.loads, open(sys.argv[1]))
rows = {row["process"]: row for row in rows if row["type"] == "process"}
print(sum(row["own_ns"] for row in rows.values()) == header["suspect_own_ns"],
      abs(rows["computes"]["own_cpu_ns"] - 500e6) < 50e6, abs(rows["naps"]["own_blocked_ns"] - 300e6) < 60e6,
      rows["naps"]["own_cpu_ns"] < 20e6, "function" in rows["naps"])
PYTHON
)" "True True True True False"
like "the text has a row for each, the greatest first" "$(introperf report --by process slow.data 2>errors.txt | tr -s ' ')" \
	$'# all share CPU for a CPU blocked process\n 1 [^\n]* computes\n 2 [^\n]* naps'
like "against a base, what was added of each" "$(introperf diff --by process good.data slow.data 2>errors.txt | tr -s ' ')" \
	$'Δ all good slow Δ CPU Δ for a CPU Δ blocked process\n 1 \+[^+]*\+(2[89]|3[0-2])[0-9] ms [^\n]*computes'
is "each thread by itself, when it is asked for" "$(introperf report --by thread --top 0 --format jsonl slow.data \
	2>errors.txt | grep -c '"type":"process".*"process":"computes')" 3
complains "there is no other number of processes" 1 '--metric: processes are ranked by their time; leave it out' \
	report --by process --metric count slow.data

done_testing
