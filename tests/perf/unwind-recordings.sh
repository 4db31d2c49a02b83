#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Unwinds dwarf recordings, made on the spot, of a program whose stacks are hard to unwind and of
# programs of the distribution, and compares with elfutils' libdwfl frame by frame.
#
# UNWIND_RECORDINGS names a directory to keep the recordings in; tests/perf/unwind-against-perf.sh
# reads them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"

source_dir=${ITP_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
compare=${UNWIND_COMPARE:-${ITP_BUILD_DIR:-.}/tests/perf/unwind-compare}
dump_stacks=${ITP_BUILD_DIR:-.}/tests/perf/dump-stacks
kept=${UNWIND_RECORDINGS:-$tmp}

[ -x "$compare" ] || skip_all "no $compare"
command -v perf >/dev/null || skip_all "perf is missing"
perf record -q -o "$tmp/try.data" -e raw_syscalls:sys_enter --call-graph dwarf,8192 true \
	>"$tmp/try" 2>&1 || skip_all "perf may not record: $(head -1 "$tmp/try")"

# record NAME COMMAND… and unwind. When the disk is slow perf loses records, among them where files
# are mapped; such a recording is no use here, and is made again.
record() {
	local name=$1 try
	shift
	for try in 1 2 3; do
		perf record -q -m 16M -k CLOCK_MONOTONIC \
			-e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
			-e sched:sched_switch,sched:sched_wakeup -e cpu-clock/freq=997/ \
			--switch-events --call-graph dwarf,8192 -o "$kept/$name.data" -- "$@" \
			>"$tmp/$name.out" 2>&1
		"$compare" --rounds=1 "$kept/$name.data" >"$tmp/$name.result"
		[ "$(value "$name" libdwfl_unmapped)" -gt 5 ] || break
		diag "$name: perf lost mappings (recording $try)"
	done
}

# value NAME KEY
value() {
	sed -n "s/^$2 //p" "$tmp/$1.result"
}

at_least() {
	# shellcheck disable=SC2317 # called through ok
	awk -v got="$1" -v wanted="$2" 'BEGIN { exit !(got >= wanted) }'
}

# check NAME: the frames of libdwfl, or more where it stops. Behind a system call that ends the code
# with rules it must find our frames when it is told that the call is still to be made. How often
# the timer hits code without rules, or an exec, is a matter of luck (README.md).
check() {
	local samples identical sigreturn clone3 agreed stops
	samples=$(value "$1" samples)
	identical=$(value "$1" libdwfl_identical)
	sigreturn=$(value "$1" libdwfl_shorter_behind_sigreturn)
	clone3=$(value "$1" libdwfl_shorter_behind_clone3)
	agreed=$(value "$1" libdwfl_as_before_syscall)
	ok "$1: at least 500 stacks were recorded" at_least "${samples:-0}" 500
	stops=$(($(value "$1" libdwfl_no_rule) + $(value "$1" libdwfl_unmapped)))
	ok "$1: 99.9 % of the stacks are those of libdwfl, or of libdwfl before a system call" \
		at_least $(((identical + agreed) * 1000)) $(((samples - stops) * 999))
	ok "$1: hardly any are taken where there are no rules" \
		at_least "$samples" $((stops * 200))
	is "$1: libdwfl has no frame that we lack" "$(value "$1" libdwfl_longer)" 0
	is "$1: nor another one" "$(value "$1" libdwfl_different)" 0
	ok "$1: few stacks end in code without rules" \
		at_least "$samples" $(($(value "$1" end_without_rule) * 50))
	ok "$1: 99 % of the stacks copied deep enough, of code with rules, reach their root" \
		at_least "$(value "$1" root_percent)" 99
	diag "$1: $samples stacks, $identical as libdwfl; libdwfl stops behind rt_sigreturn in" \
		"$sigreturn and behind clone3 in $clone3, of which it agrees before the call in" \
		"$agreed; $(value "$1" libdwfl_shorter_otherwise) shorter for other reasons," \
		"$(value "$1" libdwfl_no_rule) where no rules are," \
		"$(value "$1" libdwfl_unmapped) unmapped; $(value "$1" end_depth) cut," \
		"$(value "$1" end_without_rule) end in code without rules," \
		"$(value "$1" root_percent) % of the others reach the root; ns a stack:" \
		"warm $(value "$1" warm_ns_per_stack), cold $(value "$1" cold_ns_per_stack)," \
		"libdwfl $(value "$1" libdwfl_ns_per_stack)"
}

# seen SENTENCE LEAST PATTERN: so many stacks of the program, as names leaf first and without
# the kernel's, match. In a pattern "::NAME " is a function of the program.
seen() {
	local count
	count=$(grep -cE "$(sed -E 's/::([a-z_]+) /_ZN12_GLOBAL__N_1[0-9]+\1[^ ]*@program /g' \
		<<<"$3")" "$tmp/program.stacks")
	ok "program: $1" at_least "$count" "$2"
	diag "program: $1: $count"
}

# Stacks in each state that the program brings its threads into, and their callers to the root.
check_states() {
	local libc='@libc[^ ]* '
	# Between a function of the C library and the kernel, from glibc 2.41 on.
	local cancel="([a-z_]*syscall_cancel[a-z_]*${libc})*"
	local traced='^[0-9]+ [0-9.]+ ([^ ]*@\[kernel\] )*'
	local user="${traced}${cancel}"
	local kernel="${traced}schedule@\[kernel\] ([^ ]*@\[kernel\] )*${cancel}" thread='.* [^ ]*@libc[^ ]*$'
	local count
	"$dump_stacks" "$kept/program.data" >"$tmp/program.stacks"
	seen "threads blocked in read" 20 "${kernel}(__)?read${libc}::block_in_read ${thread}"
	seen "threads in pwrite" 20 "${user}(__)?(libc_)?pwrite(64)?${libc}::write_file ${thread}"
	seen "threads blocked in nanosleep" 20 \
		"${kernel}[^ ]*clock_nanosleep[^ ]*${libc}(__)?nanosleep${libc}::gzip_filter \
::header_filter ::handle_request ${thread}"
	seen "threads blocked in a futex" 20 "${kernel}syscall${libc}::block_in_futex ${thread}"
	seen "threads blocked in a mutex" 20 \
		"futex_wait[^ ]*@\[kernel\] ([^ ]*@\[kernel\] )*([^ ]*${libc})+::contend ${thread}"
	seen "threads blocked in poll" 20 "${kernel}(__)?poll${libc}::block_in_poll ${thread}"
	seen "threads blocked in epoll_wait" 20 "${kernel}epoll_wait${libc}::block_in_epoll ${thread}"
	seen "signal handlers" 20 \
		"::in_handler on_signal@program [^ ]*${libc}([^ ]*${libc})*::busy_with_signals ${thread}"
	seen "signal handlers on another stack" 20 "::in_handler on_other_stack@program [^ ]*${libc}"
	seen "exceptions being thrown" 20 "_Unwind_RaiseException@.*__cxa_throw@.*::thrower .*${thread}"
	seen "exceptions on their way" 20 "_Unwind_Resume@libgcc[^ ]* ::thrower .*${thread}"
	seen "clocks read in the vdso" 20 \
		"${user}[^ ]*@\[vdso\] (clock_gettime${libc})?::read_clock ${thread}"
	seen "frames of changing size" 20 "nanosleep${libc}::use_alloca ::vary_frames ${thread}"
	seen "recursion" 20 "nanosleep${libc}(::recurse ){11,}::dive ${thread}"
	count=$(frames program | awk -v range="$(stubs)" '
		BEGIN { split(range, bounds, " ") }
		{ address = sprintf("%16s", $5); gsub(" ", "0", address) }
		$3 == "root" && address >= bounds[1] && address < bounds[2]' | wc -l)
	ok "program: linkage stubs" at_least "$count" 5
	diag "program: linkage stubs: $count"
}

# Start and end of the program's linkage stubs.
stubs() {
	local sections start last size
	# The first and the last of .plt, .plt.got and .plt.sec, which lie behind each other.
	sections=$(readelf -SW "$kept/program" | awk 'sub(/.* \.plt[.a-z]* +[A-Z]+ +/, "") { print $1, $3 }')
	read -r start _ <<<"$sections"
	read -r last size <<<"$(tail -n 1 <<<"$sections")"
	printf '%016x %016x\n' "0x$start" $((0x$last + 0x$size))
}

frames() {
	"$compare" --frames "$kept/$1.data"
}

# Start of a function of the program and of what follows it; it lies where it was linked to.
range_of() {
	nm -C -n --defined-only "$kept/program" | awk -v name="$1" '
		found { print start, $1; exit }
		!/\[clone/ && ($3 == name || index($0, "::" name "(")) { start = $1; found = 1 }'
}

# behind LEAF FUNCTION: of the program's stacks behind that system call, with callers and not cut
# by the copy, how many there are and how many hold the function and reach the root.
behind() {
	frames program | awk -v leaf="$1:" -v range="$(range_of "$2")" '
		BEGIN { split(range, bounds, " ") }
		$4 == leaf && $3 != "depth" && NF > 5 {
			count++
			for (i = 5; i <= NF; i++) {
				address = sprintf("%16s", $i)
				gsub(" ", "0", address)
				if ($3 == "root" && address >= bounds[1] && address < bounds[2]) {
					held++
					break
				}
			}
		}
		END { print count + 0, held + 0 }'
}

# What was interrupted, or made a thread, is known from the program's text.
check_behind() {
	local count held
	read -r count held <<<"$(behind "$1" "$2")"
	ok "program: there are stacks behind $1" at_least "$count" 5
	is "program: all of them go on to $2 and the root" "$held" "$count"
}

if "${CXX:-c++}" -O2 -fomit-frame-pointer -no-pie -Wl,-z,lazy -pthread -o "$kept/program" \
	"$source_dir/tests/perf/unwind-program.cc" 2>"$tmp/cxx"; then
	record program "$kept/program" 1200
	check program
	check_states
	check_behind sigreturn busy_with_signals
	check_behind clone3 main
	# What libc was called from: frame-pointer stacks lose exactly this function. (Its caller may
	# also be caught alone, by the timer or as it is made to leave the CPU.)
	is "program: the filter that sleeps is in every stack below its caller" \
		"$(grep -c gzip_filter "$tmp/program.stacks")" \
		"$(grep -cE ' [^ ]+@[^[ ][^ ]* [^ ]*header_filter' "$tmp/program.stacks")"
	if "${CC:-cc}" -O2 -shared -fPIC -o "$kept/mapper.so" \
		"$source_dir/tests/perf/unwind-mapper.c" 2>"$tmp/cc"; then
		record mapped env LD_PRELOAD="$kept/mapper.so" "$kept/program" 500
		check mapped
	else
		skip "mapped" "no C compiler: $(head -1 "$tmp/cc")"
	fi
else
	skip "program" "no C++ compiler: $(head -1 "$tmp/cxx")"
fi

# Programs of the distribution, as they come.
cat >"$tmp/python.py" <<'END'
import hashlib, json, re, threading, time
data = [{"k%d" % i: [i, str(i), {"x": i / 7}]} for i in range(1000)]
for _ in range(4):
    text = json.dumps(data, indent=1)
    json.loads(text)
    re.findall(r'"(\w+)":\s*(\d+)', text)
    hashlib.sha256(text.encode()).hexdigest()
threads = [threading.Thread(target=lambda: [time.sleep(0.0005) for _ in range(200)])
           for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
END
cat >"$tmp/redis.sh" <<'END'
redis-server --port 0 --unixsocket "$1/socket" --save "" --dir "$1" >/dev/null 2>&1 &
until redis-cli -s "$1/socket" ping >/dev/null 2>&1 || ! kill -0 $!; do sleep 0.1; done
redis-benchmark -s "$1/socket" -n 400 -c 4 -q -t set,get,lpush,lrange_100 >/dev/null
kill $!
wait
END
sql='create table t (a integer primary key, b text);
	with recursive n (i) as (select 1 union all select i + 1 from n limit 10000)
	insert into t select i, hex(randomblob(50)) from n;
	create index x on t (b); select count(*) from t where b like "%AB%";'

# try NAME PROGRAM COMMAND…: when the program is installed.
try() {
	local name=$1
	if command -v "$2" >/dev/null; then
		shift 2
		record "$name" "$@"
		check "$name"
	else
		skip "$name" "$2 is not installed"
	fi
}

try sqlite sqlite3 sqlite3 "$tmp/test.db" "$sql"
try python /usr/bin/python3 /usr/bin/python3 "$tmp/python.py"
try redis redis-server bash "$tmp/redis.sh" "$tmp"
try tar tar bash -c 'tar -cf - /usr/share/doc 2>/dev/null | head -c 2000000 | gzip -1 | wc -c'
try xz xz bash -c "head -c 1500000 '$(command -v perf)' | xz -T2 -3 | wc -c"
try find find find /usr/share/doc -name '*.gz' -size +10k

done_testing
