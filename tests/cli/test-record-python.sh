#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recordings of CPython without perf: functions that it interprets are in the stacks, where the
# interpreter itself has them, and all readers have their names.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording
# With a cache of perf's that is the test's own.
export HOME=$PWD/home
mkdir home
python=
for each in /usr/bin/python3 python3; do
	if "$each" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>log.txt; then
		python=$(command -v "$each")
		break
	fi
done
[ -n "$python" ] || skip_all "no CPython 3.11"
introperf record --bpf -o trial.data -- true >said.txt 2>&1 || skip_all "no programs in the kernel: $(tail -n 1 said.txt)"

cp "$ITP_SOURCE_DIR/tests/cli/python-calls.py" .
export PYTHONUTF8=1
introperf record --overhead none -o calls.data -- "$python" python-calls.py >truth.txt 2>said.txt
is "record succeeds" $? 0
# stacks: as the program prints them, from the events of getpgid(2).
stacks() {
	perf script -i "$1" --no-inline --max-stack 1024 -F tid,event,trace,ip,sym 2>perf.txt | awk '
		function finish() { if (line != "") { print line } line = "" }
		/raw_syscalls:sys_enter:/ { finish(); if (/ NR 121 /) { line = $1 } next }
		/^ *[0-9]+ +[a-z]/ { finish(); next }
		line != "" && $2 ~ /^py::/ { sub(/^py::/, "", $2); sub(/:[^:]*$/, "", $2); line = line " " $2 }
		END { finish() }'
}
stacks calls.data >stacks.txt
ok "some thousand calls are known" test "$(wc -l <truth.txt)" -gt 1000
# In the order of each thread.
same "each has the functions that the interpreter knows" <(LC_ALL=C sort -s -k 1,1n stacks.txt) \
	<(LC_ALL=C sort -s -k 1,1n truth.txt)
like "a name has its file" "$(perf script -i calls.data -F ip,sym 2>perf.txt)" "py::Größe\.value:$PWD/python-calls\.py"
unlike "nobody is told to start Python otherwise" "$(cat said.txt)" 'have no names'
like "nor by report" "$(introperf report -v calls.data 2>&1)" 'calls\.data'
unlike "which does not miss names" "$(introperf report -v calls.data 2>&1)" 'X perf'

# How long each takes: 20 calls of nap(), half of them by a function that C calls, 5 ms each.
cat >naps.py <<'END'
import time


def nap():
    time.sleep(0.005)


def key(_):
    nap()
    return 0


def serve():
    for _ in range(10):
        nap()
    sorted(range(10), key=key)


serve()
END
for run in base slow; do
	introperf record --overhead none -o $run.data -- "$python" naps.py >log.txt 2>&1
	sed -i 's/0\.005/0.045/' naps.py
done
introperf report --by function --format jsonl --top 0 base.data >base.jsonl 2>errors.txt
is "latencies are right" "$(python3 - base.jsonl <<'PYTHON'
import json, sys
rows = {row["function"].split(" ")[0]: row for row in map(json.loads, open(sys.argv[1]))
        if row["type"] == "function" and row["function"].endswith(" (naps.py)")}
print(*(name for name in ("nap", "key", "serve") if name in rows))
whole, half = rows["serve"]["total_ns"], rows["key"]["total_ns"]
print(whole >= 100e6, rows["nap"]["total_ns"] >= 100e6, 50e6 <= half <= 0.7 * whole)
PYTHON
)" $'nap key serve\nTrue True True'
like "a difference is where it is" "$(introperf diff base.data slow.data 2>errors.txt | head -n 12 | tr -s '\n ' ' ')" \
	'^python3 sleeps longer in nap \(naps\.py\) .*(Sure|Likely)\.'

# The next recording of the same name has functions of its own, and leaves the older ones theirs.
introperf record -q -o slow.data -- "$python" -c 'def other(): pass
for _ in range(1000): other()' >log.txt 2>&1
like "an older recording keeps its names" "$(introperf report --by function --top 0 slow.data.old 2>errors.txt)" 'nap \(naps\.py\)'

# Names that cannot be written leave the recording complete; a device has no file beside it.
: >full.data.names
introperf record -q -o full.data -- "$python" -c pass >log.txt 2>errors.txt
is "names that cannot be written are an error" $? 1
like "which says which" "$(cat errors.txt)" 'full\.data\.names/\[python\]: names of interpreted functions could not be written: Not a directory'
like "the recording is complete" "$(introperf report full.data 2>log.txt)" $'\nfull\.data .* complete'
introperf record -q -o /dev/null -- "$python" -c pass >log.txt 2>&1
not_ok "nothing is made beside a device" test -e /dev/null.names

# A process that runs already, as another user's would: its threads and functions were there before.
cat >serving.py <<'END'
import threading
import time


def handle():
    time.sleep(0.002)


def loop():
    while True:
        handle()


threading.Thread(target=loop, daemon=True).start()
loop()
END
"$python" serving.py &
process=$!
introperf record -p $process -o serving.data sleep 1 >log.txt 2>&1
kill $process
wait $process 2>/dev/null
introperf export --format folded -o folded.txt serving.data 2>errors.txt
like "functions of a process that runs are known" "$(grep -v start_thread folded.txt)" ';<module> \(serving\.py\);loop \(serving\.py\);handle \(serving\.py\);'
like "in all of its threads" "$(grep start_thread folded.txt)" ';loop \(serving\.py\);handle \(serving\.py\);'

# A guard sees machine code alone: in guards of a server in Python, nothing is of its functions.
cat >answering.py <<'END'
import os


def answer(line):
    os.write(1, line)


def serve():
    while line := os.read(0, 100):
        answer(line)


os.write(1, b"ready\n")
serve()
END
ask() { # TIMES
	for ((i = 0; i < $1; i++)); do
		echo "$i" >&"${server[1]}"
		read -r -u "${server[0]}" _
	done
}
coproc server { exec "$python" answering.py; }
# shellcheck disable=SC2154 # coproc sets it.
process=$server_PID
read -r -u "${server[0]}" _
"$program" record --overhead none -p "$process" -o answering.data >log.txt 2>&1 &
recorder=$!
for ((i = 0; i < 100; i++)); do
	grep -q '(bpf:' log.txt && break
	sleep 0.1
done
ask 100
kill -TERM $recorder
wait $recorder
like "units are of functions that Python runs" "$(introperf units answering.data 2>errors.txt)" 'serve'
introperf units --guards answering.guards answering.data >log.txt 2>errors.txt
unlike "guards of them are not" "$(cat answering.guards)" 'python\]'
like "but of machine code" "$(cat answering.guards)" '_PyEval_EvalFrameDefault'
"$program" guard --cost 100 --period 100ms --format jsonl -p "$process" answering.guards >guarded.jsonl 2>errors.txt &
guard=$!
for ((i = 0; i < 100; i++)); do
	grep -q '"header"' guarded.jsonl && ask 10
	grep -q '"units":[1-9]' guarded.jsonl && break
	sleep 0.1
done
kill -TERM $guard
wait $guard
like "which the guard finds in the process" "$(tail -n 1 guarded.jsonl)" '"units":[1-9]'
kill "$process"

# What an interpreter holds may be anything: nothing of it is believed without a look.
cat >liar.c <<'END'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As CPython 3.11 says it. */
const unsigned long Py_Version = 0x030b02f0;
uint64_t _PyRuntime[64];
static uint64_t memory[4096] __attribute__((aligned(64)));

__attribute__((noinline)) int _PyEval_EvalFrameDefault(int depth)
{
	getppid();
	return depth == 0 ? getpgid(0) : _PyEval_EvalFrameDefault(depth - 1) + 1;
}

int main(void)
{
	uint64_t self;
	uint64_t *state = memory + 1024;

	__asm__("mov %%fs:0x10, %0" : "=r"(self));
	srandom(1);
	for (int round = 0; round < 2000; round++) {
		for (int i = 0; i < 4096; i++) {
			memory[i] = random() % 3 ? (uint64_t)(memory + random() % 4000) : (uint64_t)random() << random() % 33;
		}
		/* Interpreter → thread → this one's, with frames that lead anywhere. */
		_PyRuntime[5] = (uint64_t)memory;
		memory[2] = (uint64_t)state;
		state[19] = self;
		_PyEval_EvalFrameDefault(random() % 8);
	}
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -rdynamic -w -o python3.11 liar.c || exit 99
introperf record --overhead none -o liar.data -- ./python3.11 >said.txt 2>&1
is "an interpreter that lies is recorded" $? 0
is "with all that machine code tells" "$(perf script -i liar.data -F event,trace,ip,sym 2>perf.txt |
	awk 'BEGIN { RS = "" } /sys_enter: NR 121 / && /_PyEval_EvalFrameDefault/ && / main/' | grep -c 'NR 121')" 2000
introperf report liar.data >report.txt 2>errors.txt
is "and read" $? 0

done_testing
