#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program, a plug-in and a function that the two runs call otherwise: they are compared as one where
# their functions say so, and only there; what is said of it; and what users say about it.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# Each function makes a system call, so that each is on a stack.
cat >plugin.c <<'END'
#include <unistd.h>

#define FUNCTION __attribute__((noinline)) static void

static char byte;

FUNCTION letters(int file)
{
	_Bool is_read = read(file, &byte, 1) == 1;

	__asm__ volatile("" ::"r"(is_read));
}

FUNCTION words(int file)
{
	letters(file);
	__asm__ volatile("");
}

FUNCTION lines(int file)
{
	words(file);
	__asm__ volatile("");
}

void scan(int file)
{
	lines(file);
	__asm__ volatile("");
}
END
cat >job.c <<'END'
#include <fcntl.h>
#include <unistd.h>

void scan(int file);

#define FUNCTION __attribute__((noinline)) static void

__attribute__((always_inline)) static inline void touch(int file, int times)
{
	char byte;

	for (int i = 0; i < times; i++) {
		if (read(file, &byte, 1) < 0) {
			_exit(3);
		}
	}
	__asm__ volatile("");
}

FUNCTION load(int file)
{
	touch(file, 2);
	__asm__ volatile("");
}

#ifdef CHECKS
#define parse read_words
#define PARTS 60
#else
#define PARTS 1
#endif

FUNCTION parse(int file)
{
	touch(file, PARTS);
	scan(file);
	__asm__ volatile("");
}

FUNCTION store(int file)
{
	touch(file, 1);
	__asm__ volatile("");
}

#ifdef CHECKS
FUNCTION check(int file)
{
	touch(file, 300);
	__asm__ volatile("");
}
#endif

FUNCTION handle(int file)
{
	load(file);
	parse(file);
#ifdef CHECKS
	check(file);
#endif
	store(file);
}

int main(void)
{
	int file = open("/dev/zero", O_RDONLY);

	for (int i = 0; i < 100; i++) {
		handle(file);
	}
	return 0;
}
END
flags=(-O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls)
{
	gcc "${flags[@]}" -shared -fPIC -o scan_a.so plugin.c &&
		gcc "${flags[@]}" -g -shared -fPIC -o filter.so plugin.c &&
		gcc "${flags[@]}" -o job-1.7 job.c ./scan_a.so &&
		gcc "${flags[@]}" -DCHECKS -o job-1.8 job.c ./filter.so &&
		gcc "${flags[@]}" -g -o worker job.c ./scan_a.so
} 2>log.txt || skip_all "no C compiler: $(head -n 1 log.txt)"
cp job-1.7 copy
strip -o job-2.0 job-1.8
for run in job-1.7 job-1.8 job-2.0 copy worker; do
	introperf record --fp -o $run.data -- ./$run >log.txt 2>&1 ||
		skip_all "it cannot be recorded: $(tail -n 1 log.txt)"
done

# compare RUN OPTION… compares job-1.7 with it.
compare() {
	introperf diff "${@:2}" job-1.7.data "$1.data" 2>&1
}

# first prints the culprit of the first entry on standard input, as JSON lines, and what is new of it.
first() {
	python3 -c '
import json, sys
path = next(row for row in map(json.loads, sys.stdin) if row["type"] == "path")
frame = path["frames"][path["culprit"]]
print(frame["function"], frame["module"], path["novelty"])'
}

result=$(compare job-1.8)
like "a program with its version in its name is one" "$result" \
	'Taken as one program: job-1\.7 and job-1\.8\.'
like "and so is a plug-in that has another name" "$result" \
	'Taken as one module: scan_a\.so and filter\.so\.'
like "and a function in it" "$result" 'Taken as one function: parse and read_words\.'
like "which is told where it stands" "$(compare job-1.8 --top 0 | tr '\n' ' ' | tr -s ' ')" \
	'called parse in job-1\.7\.data'
unlike "which is no doubtful comparison" "$result" "did not run"
is "what has been added is first" "$(compare job-1.8 --format jsonl | first)" "check job-1.8 new"
is "JSON lines say why" "$(compare job-1.8 --format jsonl | head -n 1 | python3 -c '
import json, sys
for pair in json.load(sys.stdin)["pairs"]:
    print(pair["kind"], pair["base"], pair["suspect"], pair["by"])')" \
	"program job-1.7 job-1.8 name
module scan_a.so filter.so functions
module job-1.7 job-1.8 name
function parse read_words functions"
introperf diff --html page.html job-1.7.data job-1.8.data 2>errors.txt
ok "the page says so" grep -q 'Taken as one program: job-1.7 and job-1.8' page.html
like "a program of another name is known by its functions" \
	"$(compare worker --format jsonl | head -n 1)" \
	'"kind":"program","base":"job-1\.7","suspect":"worker","by":"functions"'
like "a copy of the file by its build id" "$(compare copy --format jsonl | head -n 1)" \
	'"kind":"module","base":"job-1\.7","suspect":"copy","by":"build id"'

result=$(compare job-2.0)
unlike "without names of functions nothing is known" "$result" 'one program'
like "and the reader is told what helps" "$(tr '\n' ' ' <<<"$result" | tr -s ' ')" \
	'Doubtful comparison: [^.]*; where two are one, say so with --pair BASE=SUSPECT'
like "as is done" "$(compare job-2.0 --pair=job-1.7=job-2.0)" \
	'Taken as one program: job-1\.7 and job-2\.0\.'
unlike "the user can forbid it" "$(compare job-1.8 --pair=none)" 'Taken as one'
unlike "but for what the user says" "$(compare job-1.8 --pair=none --pair=scan_a.so=filter.so)" 'one program'
unlike "nothing is told of one run alone" "$(introperf report job-1.8.data 2>&1)" 'Taken as one'

# The feature that names the architecture: a length and a text that is filled up to it.
python3 - <<'END'
import re
data = open("job-1.8.data", "rb").read()
machine = re.compile(rb"(?<=\x40\0\0\0)(?:x86_64\0{58}|aarch64\0{57})")
other = b"aarch64" if b"x86_64" in machine.search(data)[0] else b"x86_64"
open("machine.data", "wb").write(machine.sub(other.ljust(64, b"\0"), data))
END
result=$(compare machine | tr '\n' ' ' | tr -s ' ')
like "another kind of machine is doubted" "$result" \
	'Doubtful comparison: the base was recorded on (x86_64|aarch64), the suspect on (aarch64|x86_64), so'
unlike "and its code tells nothing" "$result" 'Taken as one'
like "so says the header for programs" "$(compare machine --format jsonl | head -n 1)" \
	'"doubts":\[.*"architectures"'
like "the user still knows what is one" "$(compare machine --pair=job-1.7=job-1.8)" \
	'Taken as one program: job-1\.7 and job-1\.8\.'
introperf report --save machine.profile machine.data >report.txt 2>&1
like "a saved profile knows its machine" "$(introperf diff job-1.7.data machine.profile 2>&1 | tr "\n" " ")" "was recorded on"

complains "names that are not there" 1 \
	'--pair: no program or module is called "job" in one workload and "tool" in the other; names in one alone: job-1.7, scan_a.so (base); job-1.8, filter.so (suspect)' \
	diff --pair=job=tool job-1.7.data job-1.8.data
complains "what is no pair" 1 \
	'--pair: "job-1.7" is neither BASE=SUSPECT, two names of a program or a module, nor "none"' \
	diff --pair=job-1.7 job-1.7.data job-1.8.data
complains "a pair in one run" 1 \
	'--pair: nothing is compared; --base names the good run' \
	report --pair=job-1.7=job-1.8 job-1.8.data

done_testing
