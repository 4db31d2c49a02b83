#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `perf script --dlfilter introperf.so`: the same ranking as from babeltrace2 for all that perf
# delivers, what it does not deliver, code that takes another's place, and bad input.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=record.sh
. "$(dirname "$0")/record.sh"
# shellcheck source-path=SCRIPTDIR source=libraries.sh
. "$(dirname "$0")/libraries.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

module=$ITP_BUILD_DIR/.libs/introperf.so
deliver=$ITP_SOURCE_DIR/tests/perf/deliver-recording.py

[ "$(uname -m)" = x86_64 ] || skip_all "programs are made for x86-64 here"
command -v perf >"$tmp/which" || skip_all "perf is not installed"
perf script --list-dlfilters >"$tmp/which" 2>&1 || skip_all "this perf has no dlfilters"
command -v python3 >"$tmp/which" || skip_all "python3 is not installed"
[ -z "${ITP_PRELOAD:-}" ] || skip_all "perf does not run under the sanitizers"

# filter PERF.DATA OPTION… prints the ranking; the options are perf's, NAME=VALUE are ours.
filter() {
	local option options=()
	for option in "${@:2}"; do
		case $option in
		-* | /*) options+=("$option") ;;
		*) options+=(--dlarg "$option") ;;
		esac
	done
	timeout 300 perf script -i "$1" --dlfilter "$module" "${options[@]}"
}

# refuses SENTENCE REGEX PERF.DATA OPTION…
refuses() {
	local sentence=$1 regex=$2 status
	shift 2
	filter "$@" >"$tmp/result" 2>"$tmp/errors"
	status=$?
	like "$sentence" "$(grep '^introperf.so: ' "$tmp/errors")" "^introperf.so: $regex"
	ok "with one line, a failure and no result" \
		test "$status" -ne 0 -a "$status" -lt 124 -a ! -s "$tmp/result" -a \
		"$(grep -c '^introperf.so: ' "$tmp/errors")" -eq 1
}

# What is said of the recording as a whole differs in that a dlfilter does not know of losses.
told() {
	sed 's/ losses=untold//; s/"complete":[a-z]*//g'
}

mkdir -p "$tmp/exec/dlfilters"
cp "$module" "$tmp/exec/dlfilters"
like "perf lists it where its dlfilters are" \
	"$(PERF_EXEC_PATH=$tmp/exec perf script --list-dlfilters 2>&1)" "introperf.so +Rank the"

# The shipped recordings.
enter_shop
# perf, too, takes their files: newer ones make up the build ids that a recording lacks, from what lies
# at its paths.
shop=(--symfs=symfs symfs=symfs kallsyms=kallsyms)
delivered='symfs="symfs",kallsyms="kallsyms",clock="recording"'
for name in good slow; do
	python3 "$deliver" $name.data $name-delivered.data
	# Ends of threads, which tell for whom others waited, are not delivered.
	filter $name.data "${shop[@]}" format=jsonl top=0 idle=ranked name=$name-delivered.data | told >got.jsonl
	graph $name-delivered.data --params="$delivered" "${profile[@]}" "${rank[@]}" \
		--params='format="jsonl",top=0,idle="ranked"' | told >wanted.jsonl
	ok "the ranking of $name.data has paths" grep -q '"type":"path"' got.jsonl
	same "and is babeltrace2's of what perf delivers, byte for byte" got.jsonl wanted.jsonl
done
filter good.data kallsyms=kallsyms >got.txt 2>errors.txt
like "a file that is not there is said" "$(cat errors.txt)" \
	'introperf\.so: warning: /tmp/introperf-demo/shop: no such file; its functions are shown by address \(parameter "symfs"'
# The same without looking at code: there is less to tell calls apart by.
calls() {
	grep -o '"calls":[0-9]*' "$1"
}
filter slow.data "${shop[@]}" format=jsonl top=0 name=slow-delivered.data continuity=call-site |
	told >coarse.jsonl
graph slow-delivered.data --params="$delivered" "${infer[@]}" --params='continuity="call-site"' \
	-c filter.introperf.normalize "${rank[@]}" --params='format="jsonl",top=0' |
	told >wanted.jsonl
same "another continuity makes the same difference" coarse.jsonl wanted.jsonl
ok "and there is one: the code of functions is read inside of perf" \
	test "$(calls coarse.jsonl)" != "$(calls got.jsonl)"
first='"type":"path","rank":1,"cost_ns":[0-9]*'
like "the guilty function of slow.data comes first" \
	"$(filter slow.data "${shop[@]}" top=1)" "sleeps in pause_ns"
like "it is put in, as the recording lacks it" \
	"$(filter slow.data "${shop[@]}" format=jsonl | tail -n 1)" '"completed_stacks":[1-9]'
like "unless nobody wants it" \
	"$(filter slow.data "${shop[@]}" fill=none top=1)" " in take_price_lock"
all=$(graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=1' |
	grep -o "$first" | grep -o '[0-9]*$')
some=$(grep -o "$first" got.jsonl | grep -o '[0-9]*$')
ok "as it does with all that perf recorded, its cost within 1 % ($all and $some ns)" \
	awk -v a="$all" -v b="$some" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 < (a / 100) ^ 2) }'

# What is not delivered.
like "nothing is known of losses" "$(filter slow.data "${shop[@]}" top=1)" \
	"incomplete: losses"
starts() {
	graph "$1" --params="$symbols" | grep -c 'introperf:stack: { kind = ( "start".*argument = [0-9]'
}
is "who made a thread is recorded" "$(starts slow.data)" 1
is "and not delivered" "$(starts slow-delivered.data)" 0
switches() {
	graph "$1" --params="$symbols" | grep -c 'kind = ( "switch-in"'
}
ok "nor is each return to a CPU" \
	test "$(switches slow.data)" -gt "$(switches slow-delivered.data)"

# Against a saved profile.
graph "good-delivered.data" --params="$delivered" "${profile[@]}" -c sink.ctf.fs \
	--params='path="good.profile",quiet=yes' >"$tmp/log"
graph "slow-delivered.data" --params="$delivered" "${profile[@]}" -c sink.ctf.fs \
	--params='path="slow.profile",quiet=yes' >"$tmp/log"
graph good.profile slow.profile "${rank[@]}" \
	--params='base="good.profile",format="jsonl",top=0' | grep '"type":"path"' >wanted.jsonl
filter slow.data "${shop[@]}" format=jsonl top=0 base=good.profile | grep '"type":"path"' >got.jsonl
ok "a comparison with a saved profile has paths" test -s got.jsonl
same "and is that of two saved profiles" got.jsonl wanted.jsonl
# Against a recording, of which more is known than perf would deliver.
filter slow.data "${shop[@]}" format=jsonl top=0 base=good.data >got.jsonl
graph slow-delivered.data --params="$delivered" "${profile[@]}" -c sink.ctf.fs \
	--params='path="slow-only.profile",quiet=yes' >"$tmp/log"
graph good.data --params="$delivered" "${profile[@]}" -c sink.ctf.fs \
	--params='path="good-all.profile",quiet=yes' >"$tmp/log"
graph good-all.profile slow-only.profile "${rank[@]}" \
	--params='base="good-all.profile",format="jsonl",top=0' | grep '"type":"path"' >wanted.jsonl
same "a recording is a base as well" <(grep '"type":"path"' got.jsonl) wanted.jsonl
like "and is known to be complete" "$(head -n 1 got.jsonl)" '"base":"good.data"'

# A profile, instead of the ranking.
filter slow.data "${shop[@]}" save=saved.profile name=slow-delivered.data >"$tmp/log"
is "what is saved is not printed" "$(cat "$tmp/log")" ""
filter good.data "${shop[@]}" save=saved-good.profile name=good-delivered.data >"$tmp/log"
"$ITP_BUILD_DIR/perf-introperf" diff --format jsonl --top 0 saved-good.profile saved.profile |
	grep '"type":"path"' >got.jsonl
graph good.profile slow.profile "${rank[@]}" \
	--params='base="good.profile",format="jsonl",top=0' | grep '"type":"path"' >wanted.jsonl
same "saved profiles rank as those of babeltrace2" got.jsonl wanted.jsonl
refuses "what exists is not overwritten" 'saved.profile: the profile cannot be saved: File exists' \
	slow.data save=saved.profile

filter slow.data "${shop[@]}" top=1 format=csv output=result.csv >"$tmp/log"
is "output names a file, and nothing is written elsewhere" "$(cat "$tmp/log")" ""
like "in the format that was asked for" "$(head -n 1 result.csv)" "^schema,base,suspect,"

# A fresh recording. The program's pages are in memory, so that the program's start is one instant.
"$build/demo/shop" --requests=50 >"$tmp/log" 2>&1
record_started fp ../../demo/shop
python3 "$deliver" "$data" "$tmp/delivered.data"
filter "$data" format=jsonl top=0 idle=ranked name=delivered.data | told >got.jsonl
graph "$tmp/delivered.data" --params='clock="recording"' "${profile[@]}" "${rank[@]}" \
	--params='format="jsonl",top=0,idle="ranked"' | told >wanted.jsonl
ok "the ranking of a fresh recording has paths" grep -q '"type":"path"' got.jsonl
same "and is babeltrace2's of what perf delivers" got.jsonl wanted.jsonl

# functions PERF.DATA [OPTION…] prints all functions and their modules.
functions() {
	filter "$@" format=jsonl top=0 by=function | grep -o '"function":"[^"]*","module":"[^"]*"' |
		sed 's/"[a-z]*"://g; s/"//g' | sort -u
}

# One address, another program: both are where they were linked to.
for name in first second; do
	gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -static -no-pie -x c \
		-o "$tmp/$name" - <<END || skip_all "gcc failed"
#include <sys/syscall.h>
#include <unistd.h>
static __attribute__((noinline)) void ${name}_work(void)
{
	for (int i = 0; i < 100; i++) {
		long number = SYS_getpid;
		__asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
	}
}
int main(int argc, char **argv)
{
	${name}_work();
	if (argc > 1) {
		execv(argv[1], argv + 1);
	}
	return 0;
}
END
done
perf record -q -o exec.data -e raw_syscalls:sys_enter,raw_syscalls:sys_exit --call-graph fp -- \
	./first ./second >"$tmp/log" 2>&1
is "a program that takes another's place has its own functions" \
	"$(functions exec.data | grep _work)" "first_work,first
second_work,second"
like "and is a process of its own" "$(filter exec.data format=jsonl top=0)" '"process":"second"'
perf record -q -o enter.data -e raw_syscalls:sys_enter --call-graph fp -- \
	./first ./second >"$tmp/log" 2>&1
is "also where nothing tells that it started" "$(functions enter.data | grep _work)" \
	"first_work,first
second_work,second"

# Nothing tells of a program that has the same name, if there is only a timer; and its functions lie
# where those of the first one were: stacks change in their leaf only, which is on another page.
for name in first second; do
	mkdir $name.d
	gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -static -no-pie -x c \
		-o $name.d/program - <<END || skip_all "gcc failed"
#include <unistd.h>
static __attribute__((noinline, aligned(4096))) void spin(void)
{
	for (volatile long i = 0; i < 100000000; i++) {
	}
}
static __attribute__((noinline, aligned(4096))) void ${name}_work(void)
{
	spin();
	__asm__ volatile("");
}
int main(int argc, char **argv)
{
	${name}_work();
	if (argc > 1) {
		execv(argv[1], argv + 1);
	}
	return 0;
}
END
done
perf record -q -o timer.data -e cpu-clock/freq=997/ --call-graph fp -- first.d/program second.d/program \
	>"$tmp/log" 2>&1
is "nor does a timer, and yet each function is found" "$(functions timer.data | grep _work)" \
	"first_work,program
second_work,program"

# One address, another library, whose calls return to the same addresses; test-symbols-mappings.sh
# says more.
make_libraries
# swaps SENTENCE EVENTS: the first library's code comes, goes and comes again.
swaps() {
	if perf record -q -o swap.data -e "$2" --call-graph fp -- "$build/tests/perf/swapper" \
		"$tmp/first_library.so" "$tmp/second_library.so" >"$tmp/log" 2>&1; then
		is "$1" "$(filter swap.data format=jsonl top=0 by=function |
			grep -oE '"function":"[a-z]+_library","module":"[^"]*"|"count":[0-9]+' |
			grep -A1 --no-group-separator _library | sed 's/"[a-z]*"://g; s/"//g' |
			paste -sd ',\n' | sort)" \
			"first_library,first_library.so,2
second_library,second_library.so,1"
	else
		skip "$1" "the dynamic linker chose different addresses"
	fi
}
swaps "a library that takes another's place has its own functions" raw_syscalls:sys_enter
swaps "also where the system calls that map it are seen to come back" \
	raw_syscalls:sys_enter,raw_syscalls:sys_exit

# The layout of tracepoints is not delivered, so the usual one must be that of the kernel.
formats=/sys/kernel/tracing/events
if [ -r $formats/sched/sched_switch/format ]; then
	is "tracepoints have their fields where they usually are" "$(
		for event in raw_syscalls/sys_enter raw_syscalls/sys_exit sched/sched_switch \
			sched/sched_wakeup; do
			grep -oE '( id| ret|prev_state|next_pid| pid|common_pid|next_comm\[16\]);.offset:[0-9]+;.size:[0-9]+' \
				$formats/$event/format | tr -d ' \t' | tr '\n' ' '
		done)" \
		"common_pid;offset:4;size:4 id;offset:8;size:8 \
common_pid;offset:4;size:4 id;offset:8;size:8 ret;offset:16;size:8 \
common_pid;offset:4;size:4 prev_state;offset:32;size:8 next_comm[16];offset:40;size:16 next_pid;offset:56;size:4 \
common_pid;offset:4;size:4 pid;offset:24;size:4 "
else
	skip "tracepoints have their fields where they usually are" "tracefs cannot be read"
fi

# layout HEADER prints where the members lie that are used.
layout() {
	local member
	{
		printf '#include <stddef.h>\n#include <stdio.h>\n#include %s\nint main(void)\n{\n' "$1"
		for member in sample.{size,ip,pid,tid,time,cpu,cpumode,misc,raw_size,raw_data} \
			sample.{raw_callchain_nr,raw_callchain,event} \
			al.{size,symoff,sym,addr,dso,is_kernel_ip,buildid_size,buildid,comm} \
			fns.{resolve_ip,args,resolve_address,attr}; do
			printf 'printf("%s %%zu\\n", offsetof(struct perf_dlfilter_%s, %s));\n' \
				"$member" "${member%.*}" "${member#*.}"
		done
		printf 'return 0;\n}\n'
	} >"$tmp/layout.c"
	gcc -I"$ITP_SOURCE_DIR" -o "$tmp/layout" "$tmp/layout.c" && "$tmp/layout"
}
sentence="structures lie as in perf's own header"
if [ -r /usr/include/perf/perf_dlfilter.h ]; then
	is "$sentence" "$(layout '"plugins/perf/dlfilter/dlfilter-abi.h"')" \
		"$(layout '<perf/perf_dlfilter.h>')"
else
	skip "$sentence" "this perf was installed without its header"
fi

refuses "an unknown name is refused" \
	'unknown parameter "tops"; known are name, base, .*symfs, .*continuity, .*estimate, .*format' \
	slow.data tops=5
refuses "so is a name without a value" 'parameter "top": has no value' slow.data top
refuses "so is a value of another kind" \
	'parameter "top": expected an integer' slow.data top=many
refuses "so is a base that is nothing to compare with" \
	'parameter "base": symfs: a directory without a recording of perf or a saved profile' \
	slow.data base=symfs
refuses "so is one that is a file of another kind" 'kallsyms: this is not a perf.data file' \
	slow.data base=kallsyms
refuses "so is a symfs that is not there" 'parameter "symfs": nowhere: no such' \
	slow.data symfs=nowhere
# perf then ends the filter without having started it.
filter "$data" --cpu=0 >"$tmp/result" 2>"$tmp/errors"
status=$?
like "what perf refuses itself, it says" "$(cat "$tmp/errors")" "Remove -C option"
is "and fails without a crash" "$status" 255
perf record -q -o plain.data -e raw_syscalls:sys_enter -- true >"$tmp/log" 2>&1
refuses "so is a recording without call chains" '.*call' plain.data

# The last sample gets the time of the first; all of them begin with an id, an address and a thread.
python3 - slow.data late.data <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
offset, size = struct.unpack_from("<2Q", data, 40)
end, samples = offset + size, []
while offset < end:
    kind, _, length = struct.unpack_from("<IHH", data, offset)
    if kind == 9:
        samples.append(offset + 32)
    offset += length
data[samples[-1]:samples[-1] + 8] = data[samples[0]:samples[0] + 8]
open(sys.argv[2], "wb").write(data)
END
filter late.data "${shop[@]}" top=1 >"$tmp/result" 2>"$tmp/errors"
like "samples out of order are used" "$(cat "$tmp/result")" "sleeps in pause_ns"
like "and counted" "$(grep introperf.so "$tmp/errors")" "warning: perf handed over [0-9]+ of its"

perf record -q -o dwarf.data -e raw_syscalls:sys_enter -e cpu-clock/freq=997/ \
	--call-graph dwarf,4096 -- true >"$tmp/log" 2>&1
filter dwarf.data >"$tmp/result" 2>"$tmp/errors"
is "of copied stacks perf delivers no user frames, which is said once" \
	"$(grep -c 'dwarf.*read it with `perf introperf report perf.data`' "$tmp/errors")" 1
unlike "indeed there are none" "$(functions dwarf.data 2>"$tmp/log")" ',(true|ld-linux[^,]*|libc[.]so[^,]*)$'
like "the command that is named shows them" \
	"$("$ITP_BUILD_DIR/perf-introperf" report --format csv --by function --top 0 dwarf.data)" \
	',(true|ld-linux[^,]*|libc[.]so[^,]*),'

refuses "no samples are no recording without call chains" 'perf handed over no samples' \
	slow.data --time=1,2

# ticks PID prints how many hundredths of a second a process has run.
ticks() {
	cut -d ' ' -f 14 "/proc/$1/stat" 2>"$tmp/log" || echo 0
}

# interrupted TICKS: a run that is interrupted after so much work. What interrupts comes before it where
# both want the CPU.
interrupted() {
	nice -n 19 perf script -i long.data --dlfilter "$module" >"$tmp/result" 2>"$tmp/errors" &
	local pid=$!
	while kill -0 $pid 2>"$tmp/log" && [ "$(ticks $pid)" -lt "$1" ]; do
		sleep 0.01
	done
	kill -INT $pid 2>"$tmp/log"
	wait $pid
}
perf record -q -o long.data -e raw_syscalls:sys_enter,raw_syscalls:sys_exit --call-graph fp -- \
	dd if=/dev/zero of=/dev/null bs=1 count=500000 >"$tmp/log" 2>&1
# Neither before the first sample nor after the last one.
for work in 20 10 30 5 40 60; do
	interrupted $work
	status=$?
	[ $status -ne 130 ] || break
done
is "Ctrl-C ends perf script, and it is said" "$status$(grep "^introperf" "$tmp/errors")" \
	"130introperf.so: interrupted before all was read"
like "what was read until then is ranked and labelled" "$(cat "$tmp/result")" '^INTERRUPTED: .*
perf script .* incomplete: '
done_testing
