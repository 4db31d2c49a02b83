#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `perf script -s introperf.py`: the same ranking as from babeltrace2 for all that perf delivers,
# also of unwound stacks; installed where perf looks for scripts; as a program over perf's Python
# module; interrupted; and bad input.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=record.sh
. "$(dirname "$0")/record.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

script=$ITP_SOURCE_DIR/plugins/perf/script
deliver=$ITP_SOURCE_DIR/tests/perf/deliver-recording.py

[ "$(uname -m)" = x86_64 ] || skip_all "programs are made for x86-64 here"
command -v perf >"$tmp/which" || skip_all "perf is not installed"
command -v python3 >"$tmp/which" || skip_all "python3 is not installed"
perf version --build-options 2>/dev/null | grep -q 'libpython: *\[ *on' ||
	skip_all "this perf was built without Python"
[ -z "${ITP_PRELOAD:-}" ] || skip_all "perf does not run under the sanitizers"
export PYTHONPATH=$ITP_BUILD_DIR/.libs

# engine PERF.DATA ARGUMENT… prints the ranking.
engine() {
	timeout 300 perf script -i "$1" "${perf_symbols[@]}" -s "$script/introperf.py" -- "${@:2}"
}

# What is said of the recording as a whole differs in that a script does not know of losses.
told() {
	sed 's/ losses=untold//; s/"complete":[a-z]*//g'
}

# wanted PERF.DATA [SYMBOLS] prints babeltrace2's ranking of it.
wanted() {
	graph "$1" --params="${2:+$2,}clock=\"recording\"" "${profile[@]}" "${rank[@]}" \
		--params='format="jsonl",top=0,idle="ranked"' | told
}

# The shipped recordings.
enter_shop
perf_symbols=(--symfs symfs --kallsyms kallsyms)
shop=(symfs=symfs kallsyms=kallsyms)
for name in good slow; do
	python3 "$deliver" $name.data $name-delivered.data switches
	# Ends of threads, which tell for whom others waited, are not delivered.
	engine $name.data "${shop[@]}" format=jsonl top=0 idle=ranked name=$name-delivered.data | told >got.jsonl
	wanted $name-delivered.data "$symbols" >wanted.jsonl
	ok "the ranking of $name.data has paths" grep -q '"type":"path"' got.jsonl
	same "and is babeltrace2's of what perf delivers, byte for byte" got.jsonl wanted.jsonl
done
like "the guilty function of slow.data comes first" \
	"$(engine slow.data "${shop[@]}" top=1)" "sleeps in pause_ns"
like "nothing is known of losses" "$(engine slow.data "${shop[@]}" top=1)" "incomplete: losses"
like "arguments may be written as options" \
	"$(engine slow.data --symfs symfs --kallsyms=kallsyms --top 1)" "smaller entries: "
first='"type":"path","rank":1,"cost_ns":[0-9]*'
all=$(graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=1' |
	grep -o "$first" | grep -o '[0-9]*$')
some=$(grep -o "$first" got.jsonl | grep -o '[0-9]*$')
ok "as it does with all that perf recorded, its cost within 1 % ($all and $some ns)" \
	awk -v a="$all" -v b="$some" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 < (a / 100) ^ 2) }'

# Against a saved profile.
graph good-delivered.data --params="$symbols,clock=\"recording\"" "${profile[@]}" -c sink.ctf.fs \
	--params='path="good.profile",quiet=yes' >"$tmp/log"
graph slow-delivered.data --params="$symbols,clock=\"recording\"" "${profile[@]}" -c sink.ctf.fs \
	--params='path="slow.profile",quiet=yes' >"$tmp/log"
graph good.profile slow.profile "${rank[@]}" \
	--params='base="good.profile",format="jsonl",top=0' | grep '"type":"path"' >wanted.jsonl
engine slow.data "${shop[@]}" format=jsonl top=0 base=good.profile | grep '"type":"path"' >got.jsonl
ok "a comparison with a saved profile has paths" test -s got.jsonl
same "and is that of two saved profiles" got.jsonl wanted.jsonl
like "a recording can be the base as well" \
	"$(engine slow.data "${shop[@]}" top=1 base=good.data)" \
	"sleeps in pause_ns.*base +good.data"
perf_symbols=()

# Fresh recordings. The program's pages are in memory, so that its start is one instant.
"$build/demo/shop" --requests=50 >"$tmp/log" 2>&1
record_started fp ../../demo/shop
python3 "$deliver" "$data" delivered.data switches
engine "$data" format=jsonl top=0 idle=ranked name=delivered.data | told >got.jsonl
wanted delivered.data >wanted.jsonl
ok "the ranking of a fresh recording has paths" grep -q '"type":"path"' got.jsonl
same "and is babeltrace2's of what perf delivers" got.jsonl wanted.jsonl

# Where a program keeps other things in the register for frame pointers, anything is a caller.
gcc -O1 -fno-omit-frame-pointer -x c -o astray - <<END || skip_all "gcc failed"
#include <sys/syscall.h>
static __attribute__((noinline)) void called_from(unsigned long address)
{
	unsigned long frame[2] = { 0, address };
	long result = SYS_getpid;

	__asm__ volatile("mov %%rbp, %%r12; mov %1, %%rbp; syscall; mov %%r12, %%rbp"
			 : "+a"(result) : "r"(frame), "m"(frame) : "rcx", "r11", "r12", "memory");
}
int main(void)
{
	for (int i = 0; i < 50; i++) {
		called_from(0x0000456789abcdef);
		called_from(0x9123456789abcdef);
		called_from(0xffffffff81000010);
	}
	return 0;
}
END
perf record -q -m 16M -k CLOCK_MONOTONIC -o astray.data --call-graph fp \
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit -- ./astray >"$tmp/log" 2>&1
failures() {
	grep -o '"unwind_failures":[0-9]*' "$1" | head -n 1 | grep -o '[0-9]*$'
}
engine astray.data format=jsonl top=0 >got.jsonl
wanted astray.data >wanted.jsonl
ok "callers that are no code are seen as such" test "$(failures wanted.jsonl)" -ge 300
is "whatever they are" "$(failures got.jsonl)" "$(failures wanted.jsonl)"

record dwarf,8192 sleeping-filter
python3 "$deliver" "$data" delivered.data switches
engine "$data" format=jsonl top=0 idle=ranked name=delivered.data | told >got.jsonl
wanted delivered.data >wanted.jsonl
like "stacks that perf unwound have what frame pointers miss" \
	"$(grep '"rank":1,' got.jsonl)" '"function":"gzip_filter"'
# Each unwinder may lose its way in code that the other knows.
calls() {
	sed -n 's/.*"function":"gzip_filter",[^}]*"count":\([0-9]*\).*/\1/p' "$1" | head -n 1
}
ok "with as many calls as babeltrace2 sees" test "$(calls got.jsonl)" -eq "$(calls wanted.jsonl)"

# A program without symbols, of which perf tells no places.
gcc -O2 -s -x c -o nameless - <<END || skip_all "gcc failed"
#include <unistd.h>
static __attribute__((noinline)) int inner(int n)
{
	return (int)write(1, "x", n > 0) + n;
}
static __attribute__((noinline)) int middle(int n)
{
	return inner(n) * 2 + inner(n + 1);
}
static __attribute__((noinline)) int outer(int n)
{
	return middle(n) * 2 + middle(n + 1) + inner(n);
}
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++) {
		sum += outer(i);
	}
	return sum == 0;
}
END
perf record -q -m 16M -o nameless.data -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
	--call-graph dwarf,4096 -- ./nameless >"$tmp/log" 2>&1
nameless() {
	grep -o '"function":"nameless+0x[0-9a-f]*"' "$1" | sort -u
}
engine nameless.data format=jsonl top=0 >got.jsonl
wanted nameless.data >wanted.jsonl
ok "a program without symbols has functions" test "$(nameless wanted.jsonl | wc -l)" -ge 4
is "which are told apart as by babeltrace2" "$(nameless got.jsonl)" "$(nameless wanted.jsonl)"
ok "as its calls tell where it lies" test "$(grep -c '"function":"\[nameless\]' got.jsonl)" -eq 0

# Installed.
mkdir -p exec/scripts/python/bin
cp "$ITP_BUILD_DIR/.libs/_introperf.so" "$script/introperf.py" exec/scripts/python
ln -s introperf.py exec/scripts/python/introperf
cp "$script/introperf-record" "$script/introperf-report" exec/scripts/python/bin
unset PYTHONPATH
export PERF_EXEC_PATH=$tmp/exec
like "perf lists it where its scripts are" "$(perf script -l 2>&1)" \
	"introperf \[NAME=VALUE \.\.\.\] +where the time went"
perf script record introperf -o by-script.data -- "$build/demo/shop" --requests=50 \
	>"$tmp/log" 2>&1
like "perf script record introperf records what it wants" \
	"$(perf evlist -i by-script.data | tr '\n' ' ')" "sys_enter .*sys_exit .*sched_switch .*cpu-clock"
like "perf script report introperf ranks it" \
	"$(perf script report introperf -i by-script.data top=1 2>&1)" "smaller entries: "
like "perf script introperf does both at once" \
	"$(timeout 300 perf script introperf "$build/demo/shop" --requests=50 2>&1)" "^shop [a-z]+ "
(cd exec/scripts/python && perf script -i "$tmp/by-script.data" -s python:introperf -- top=1) \
	>"$tmp/result" 2>&1
like "python:introperf is the same script" "$(cat "$tmp/result")" "smaller entries: "
unset PERF_EXEC_PATH

# Without the modules beside it.
perf script -i by-script.data -s "$script/introperf.py" >"$tmp/result" 2>"$tmp/errors"
is "an engine that is missing ends perf" "$?" 1
like "and is named" "$(cat "$tmp/errors")" "^introperf.py: its engine cannot be used.*_introperf"
export PYTHONPATH=$ITP_BUILD_DIR/.libs

mkdir bin
printf '#!/bin/sh\necho "   libpython: [ OFF ]  # HAVE_LIBPYTHON_SUPPORT"\n' >bin/perf
chmod +x bin/perf
PATH=$tmp/bin:$PATH "$script/introperf-report" >"$tmp/result" 2>"$tmp/errors"
is "a perf without Python is refused" "$?" 1
like "with the commands that work" "$(cat "$tmp/errors")" \
	"^introperf: this perf was built without Python; use .*perf introperf report"

# As a program.
sentence="as a program over perf's module it ranks the same functions"
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
	perf script -i slow.data --symfs symfs --kallsyms kallsyms \
		-s "$ITP_SOURCE_DIR/tests/perf/save-samples.py" -- slow.samples >"$tmp/log" 2>&1
	python3 "$deliver" slow.data slow.samples.data
	PYTHONPATH=$PYTHONPATH:$ITP_SOURCE_DIR/tests/perf/perf-module \
		python3 "$script/introperf.py" -i slow.samples "${shop[@]}" format=jsonl top=10 idle=ranked \
		name=slow.samples.data >got.jsonl
	costs() {
		grep -oE '"type":"path","rank":[0-9]+,"cost_ns":[0-9]+' | head -n 10
	}
	is "$sentence" "$(costs <got.jsonl)" "$(wanted slow.samples.data "$symbols" | costs)"
	python3 "$script/introperf.py" >"$tmp/result" 2>"$tmp/errors"
	is "without that module it fails" "$?" 1
	like "and says what runs it" "$(cat "$tmp/errors")" "^introperf.py: perf runs it: perf script -s"
	mkdir "$tmp/older" && : >"$tmp/older/perf.py"
	PYTHONPATH=$tmp/older:$PYTHONPATH python3 "$script/introperf.py" >"$tmp/result" 2>"$tmp/errors"
	like "so it does with one that reads no recordings" "$?$(cat "$tmp/errors")" \
		"^1introperf.py: perf runs it: .* one that has perf.session"
else
	skip "$sentence" "python3 is older than 3.10"
fi

# refuses SENTENCE REGEX PERF.DATA ARGUMENT…
refuses() {
	local sentence=$1 regex=$2 status
	shift 2
	engine "$@" >"$tmp/result" 2>"$tmp/errors"
	status=$?
	like "$sentence" "$(grep '^introperf.py: ' "$tmp/errors")" "^introperf.py: $regex"
	ok "with one line, a failure and no result" \
		test "$status" -eq 1 -a ! -s "$tmp/result" -a \
		"$(grep -c '^introperf.py: ' "$tmp/errors")" -eq 1
}
refuses "an unknown name is refused" 'unknown parameter "tops"; known are .*top' slow.data tops=5
refuses "so is a name without a value" 'parameter "top": has no value' slow.data --top
refuses "so is a base that is not there" 'nowhere: No such file' slow.data base=nowhere
mkdir other.profile
printf '/* CTF 1.8 */ nonsense' >other.profile/metadata
refuses "so is one that is no profile" '.' slow.data base=other.profile
perf record -q -o plain.data -e raw_syscalls:sys_enter -- true >"$tmp/log" 2>&1
refuses "so is a recording without call chains" '.*call' plain.data

# Ctrl-C, in the middle: the signal comes with the fiftieth tick of the timer.
cat >interrupting.py <<END
import os
import signal
with open("$script/introperf.py") as file:
    exec(file.read())
take_tick = process_event
ticks = 0
def process_event(sample):
    global ticks
    ticks += 1
    if ticks == 50:
        os.kill(os.getpid(), signal.SIGINT)
    take_tick(sample)
END
events() {
	grep '"type":"summary"' "$1" | grep -o '"events":[0-9]*' | head -n 1 | grep -o '[0-9]*'
}
timeout 300 perf script -i slow.data -s interrupting.py -- "${shop[@]}" top=1 >"$tmp/result" 2>"$tmp/errors"
is "an interruption shows in the exit status" "$?" 130
like "the result is there, and labelled" "$(tr -s '\n ' ' ' <"$tmp/result")" "^INTERRUPTED: .*take_price_lock"
timeout 300 perf script -i slow.data -s interrupting.py -- format=jsonl >part.jsonl 2>"$tmp/errors"
perf script -i slow.data -s "$script/introperf.py" -- format=jsonl >all.jsonl 2>"$tmp/errors"
ok "it is of what was read until then" test "$(events part.jsonl)" -lt "$(events all.jsonl)"
done_testing
