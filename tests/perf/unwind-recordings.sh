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
		[ "$(value "$name" different_unmapped_leaf)" != 0 ] || break
		diag "$name: perf lost mappings (recording $try)"
	done
}

# value NAME KEY
value() {
	sed -n "s/^$2 //p" "$tmp/$1.result"
}

at_least() {
	awk -v got="$1" -v wanted="$2" 'BEGIN { exit !(got >= wanted) }'
}

# check NAME: identical to libdwfl, but for stacks that it cannot have right: of threads in a system
# call that ends the code with rules.
check() {
	local compared explained
	compared=$(value "$1" compared)
	explained=$(($(value "$1" identical) + $(value "$1" different_behind_syscall)))
	ok "$1: at least 500 stacks were recorded" at_least "${compared:-0}" 500
	ok "$1: 99.9 % of the stacks are those of libdwfl" \
		at_least $((explained * 1000)) $((compared * 999))
	ok "$1: 99 % of the stacks that were copied deep enough reach their root" \
		at_least "$(value "$1" root_percent)" 99
	diag "$1: $compared stacks, $(value "$1" identical_percent) % identical," \
		"$(value "$1" different_behind_syscall) behind a system call," \
		"$(value "$1" different_unmapped_leaf) unmapped, $(value "$1" end_depth) cut," \
		"$(value "$1" root_percent) % of the others reach the root; ns a stack:" \
		"warm $(value "$1" warm_ns_per_stack) ($(value "$1" warm_ns_per_frame) a frame)," \
		"cold $(value "$1" cold_ns_per_stack), libdwfl $(value "$1" libdwfl_ns_per_stack)"
}

# stacks_of NAME FUNCTION [END [CALLER]]: how many stacks hold the function (and have that end, and
# have it as a caller, not as the leaf).
stacks_of() {
	"$compare" --frames "$kept/$1.data" | awk -v range="$(range_of "$2")" -v end="${3:-}" \
		-v first="${4:+5}" '
		BEGIN { split(range, bounds, " ") }
		end == "" || $3 == end ":" {
			for (i = (first != "" ? first : 4); i <= NF; i++) {
				address = sprintf("%016s", $i)
				gsub(" ", "0", address)
				if (address >= bounds[1] && address < bounds[2]) {
					count++
					break
				}
			}
		}
		END { print count + 0 }'
}

# Start and end of a function of the program, which lies where it was linked to.
range_of() {
	nm -C -n --defined-only "$kept/program" | awk -v name="$1" '
		found { print start, $1; exit }
		!/\[clone/ && index($0, "::" name "(") { start = $1; found = 1 }'
}

if "${CXX:-c++}" -O2 -fomit-frame-pointer -no-pie -Wl,-z,lazy -pthread -o "$kept/program" \
	"$source_dir/tests/perf/unwind-program.cc" 2>"$tmp/cxx"; then
	record program "$kept/program" 700
	check program
	for function in block_in_read block_in_poll block_in_epoll block_in_futex contend \
		write_file catch_exceptions call_stubs read_clock use_alloca recurse in_handler; do
		ok "program: stacks in $function reach the root" \
			at_least "$(stacks_of program "$function" root)" 5
	done
	# What libc was called from: frame-pointer stacks lose exactly this function. (The timer may
	# also catch its caller alone.)
	is "program: the filter that sleeps is in every stack below its caller" \
		"$(stacks_of program gzip_filter)" \
		"$(stacks_of program header_filter "" caller)"
	ok "program: there are such stacks" at_least "$(stacks_of program gzip_filter root)" 50
	if "${CC:-cc}" -O2 -shared -fPIC -o "$kept/mapper.so" \
		"$source_dir/tests/perf/unwind-mapper.c" 2>"$tmp/cc"; then
		record mapped env LD_PRELOAD="$kept/mapper.so" "$kept/program" 300
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
redis-server --port 7391 --save "" --dir "$1" >/dev/null 2>&1 &
sleep 0.3
redis-benchmark -p 7391 -n 400 -c 4 -q -t set,get,lpush,lrange_100 >/dev/null
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
