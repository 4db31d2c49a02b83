#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Slow programs that wait for slow programs: what the latter did is part of what held up the former,
# and is lost once.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# A restaurant waits for its cook, and this one for a helper; both are children.
cat >restaurant.c <<'END'
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

/* By the process's own time, as the machine may be busy. */
__attribute__((noinline)) static void peel_potatoes(void)
{
	struct timespec now;

	do {
		for (unsigned long i = 0; i < 20000; i++) {
			sink += i * i;
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec == 0 && now.tv_nsec < 200000000);
	sink++;
}

__attribute__((noinline)) static void have_done(void (*work)(void))
{
	pid_t child = fork();

	if (child == 0) {
		work();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	sink++;
}

__attribute__((noinline)) static void cook_dinner(void)
{
	have_done(peel_potatoes);
	sink++;
}

__attribute__((noinline)) static void serve_guests(void)
{
	have_done(cook_dinner);
	sink++;
}

int main(void)
{
	serve_guests();
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o restaurant restaurant.c || exit 99
# Before others on a busy machine, so that they wait for each other rather than for a CPU.
nice -n -15 "$program" record --overhead none -o restaurant.data -- ./restaurant >record.log 2>&1 || skip_all "perf may not record here"
nice -n -15 "$program" record --overhead none -o substitution.data -- sh -c 'sum=$(sleep 0.3); :' >record.log 2>&1 || exit 99

# counts FILE prints what the header in JSON lines says: symptoms and how many others were left out;
# and whether the lost time is that of the one symptom.
counts() {
	python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
costs = [row["cost_ns"] for row in rows if row["type"] == "symptom"]
print(rows[0]["symptoms"], rows[0]["left_out"], rows[0]["calls"] >= rows[0]["symptoms"] + rows[0]["left_out"],
      sum(costs) == rows[0]["cost_ns"], len(costs))' "$1"
}

introperf mine --symptom 'process>100ms' --each --format jsonl restaurant.data >mined.jsonl 2>errors.txt
is "a child that its parent waits for, and the child of that, are no symptoms of their own" \
	"$(counts mined.jsonl)" "1 2 True True 1"
is "what they did is what held up the parent" "$(python3 -c '
import json
rows = [json.loads(line) for line in open("mined.jsonl")]
first = next(row for row in rows if row["type"] == "cluster" and row["kind"] == "running")
# A child has the stack of its parent, and goes on from there.
names = dict.fromkeys(name.split("!")[1] for name in first["common"])
told = [name for name in names if name in ("serve_guests", "cook_dinner", "peel_potatoes")]
print(*told, first["cost_ns"] > rows[0]["cost_ns"] / 3, first["covered_ns"] <= rows[0]["cost_ns"])')" \
	"serve_guests cook_dinner peel_potatoes True True"
introperf mine --symptom 'process>100ms' restaurant.data >mined.txt 2>errors.txt
like "the text says how many were left out" "$(head -n 2 mined.txt | tr -s '\n ' ' ')" \
	"^1 trace, 1 symptom of 3 \(process>100ms\), [0-9.]+ m?s lost; 2 others left out, as these waited for them "
introperf mine --symptom 'process>100ms' --format html -o mined.html restaurant.data 2>errors.txt
is "the page has it, too" "$(grep -o '"left_out":[0-9]*' mined.html)" '"left_out":2'

introperf mine --symptom 'call:peel_potatoes>100ms' --each --format jsonl restaurant.data >call.jsonl 2>errors.txt
is "what no symptom waits for is one" "$(counts call.jsonl)" "1 0 True True 1"
introperf mine --symptom 'process>100ms' --each --format jsonl substitution.data >substitution.jsonl 2>errors.txt
is "where a shell reads what a program prints, the shell's time is lost" "$(counts substitution.jsonl)" "1 1 True True 1"

# The messages say the same, and saved ones.
graph restaurant.data -c filter.introperf.infer -c filter.introperf.wait \
	--params='symptom="process>100ms"' -c sink.ctf.fs --params='path="saved"' >graph.txt 2>errors.txt
introperf mine --symptom 'process>100ms' --format jsonl saved >saved.jsonl 2>errors.txt
introperf mine --symptom 'process>100ms' --format jsonl restaurant.data >command.jsonl 2>errors.txt
is "saved interests tell it" "$(head -n 1 saved.jsonl)" "$(head -n 1 command.jsonl)"

done_testing
