#!/bin/bash
# SPDX-License-Identifier: MIT
#
# symbols-against-perf.sh DUMP-STACKS RECORDING… compares every frame of frame-pointer recordings
# with what `perf script` says, and prints a table row for each; README.md here explains them.
# The recorded files must be those of this machine.
#
# symbols-against-perf.sh --record DIRECTORY makes recordings of five programs of the distribution:
# bash, clang-format, python3, redis and sort.

set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# record NAME COMMAND… makes $directory/NAME.data.
record() {
	local name=$1
	shift
	perf record -q -m 16M -k CLOCK_MONOTONIC \
		-e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
		-e sched:sched_switch,sched:sched_wakeup -e cpu-clock/freq=997/ \
		--switch-events --call-graph fp -o "$directory/$name.data" -- "$@" >"$work/$name.out"
}

if [ "$1" = --record ]; then
	directory=$2
	source_dir=$(cd "$(dirname "$0")/../.." && pwd)
	export LC_ALL=C
	seq 400000 | shuf >"$work/numbers"
	record threads sort --parallel=4 -S 1M "$work/numbers"
	# shellcheck disable=SC2016 # the recorded shell expands it
	record fork bash -c 'for i in {1..30}; do ls / >/dev/null; x=$(date +$i); done'
	record dlopen /usr/bin/python3 -c 'import ctypes, hashlib, json, lzma, sqlite3, ssl
text = json.dumps(list(range(20000)))
for i in range(20): hashlib.sha256(lzma.compress(text.encode(), preset=1)).digest()
base = sqlite3.connect(":memory:")
base.execute("create table t(a, b)")
base.executemany("insert into t values(?, ?)", ((i, str(i)) for i in range(50000)))
print(base.execute("select count(*) from t where b like \"%77%\"").fetchone())'
	record cpp clang-format --Werror --dry-run "$source_dir"/common/*/*.c "$source_dir"/tests/*/*.c
	# shellcheck disable=SC2016
	record stripped sh -c 'redis-server --port 0 --unixsocket "$1/socket" --save "" --io-threads 2 &
		until redis-cli -s "$1/socket" ping 2>"$1/ping"; do sleep 0.1; done
		redis-benchmark -s "$1/socket" -c 8 -n 1000 -q \
			-t ping,set,get,lpush,sadd,zadd,lrange_100
		redis-cli -s "$1/socket" shutdown nosave
		wait' sh "$work"
	exit 0
fi

dump_stacks=$1
shift

# "MODULE NAME ADDRESS" for all symbols of the files at the paths in standard input.
list_symbols() {
	local path id
	while read -r path; do
		[ -f "$path" ] || continue
		id=$(readelf -n "$path" 2>/dev/null | awk '/Build ID/ { print $3; exit }')
		{
			nm "$path"
			nm -D "$path"
			nm "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
		} 2>/dev/null | awk -v module="${path##*/}" 'NF == 3 {
			sub(/@.*/, "", $3)
			print module, $3, $1
		}' || true
	done | sort -u
}

echo "recording stacks frames same alias behind plt gone grouped ours other address beyond cut" \
	"same-function-%"
for recording; do
	"$dump_stacks" -a "$recording" >"$work/ours"
	perf script -i "$recording" --ns --no-demangle --no-inline -F tid,time,ip,sym,symoff,dso \
		>"$work/script" 2>/dev/null
	awk 'match($0, /\(\/[^()]*\)$/) { print substr($0, RSTART + 1, RLENGTH - 2) }' \
		"$work/script" | sort -u | list_symbols >"$work/symbols"
	# One line a stack, like dump-stacks; a name is followed by "!" where the address is the
	# symbol's first.
	awk '
		NF == 0 { if (line != "") print line; line = ""; next }
		line == "" { sub(":", "", $2); line = $1 " " $2; next }
		{
			module = $NF
			gsub(/[()]/, "", module)
			sub(/.*\//, "", module)
			sub(/^\[kernel.*/, "[kernel]", module)
			first = sub(/\+0x0$/, "", $2) ? "!" : ""
			sub(/\+0x[0-9a-f]+$/, "", $2)
			plt = $2 ~ /@plt$/ ? "?" : ""
			sub(/@.*/, "", $2)
			# Not a function of its own, see README.md.
			sub(/\.cold(\.[0-9]+)?$/, "", $2)
			line = line " " $1 ":" $2 "@" module "@" first plt
		}
		END { if (line != "") print line }' "$work/script" >"$work/theirs"
	# Stacks with the same thread and time are compared in order.
	awk -v name="$(basename "$recording" .data)" -v details="${SYMBOLS_DETAILS:-}" '
		function note(kind) {
			count[kind]++
			if (details != "") print name, kind, mine, their >> details
		}
		function compare(    n, m, p) {
			split(mine, m, /[:@]/)
			split(their, p, /[:@]/)
			# perf shows the offset in the file for addresses of users.
			if (substr(m[1], length(m[1]) - 2) != substr("00" p[1], length(p[1]))) note("address")
			if (m[2] == p[2]) note("same")
			else if (p[2] == "[unknown]") note(m[2] ~ /\+0x/ ? "grouped" : "ours")
			else if (m[2] == "[unknown]") note("gone")
			else if (p[4] ~ /\?/ && m[2] ~ /\+0x/) note("plt")
			else if (m[3] == "[vdso]" && p[2] == "__vdso_" m[2]) note("alias")
			else if ((m[3], m[2]) in address && (m[3], p[2]) in address &&
				 index(address[m[3], p[2]], address[m[3], m[2]])) note("alias")
			else if (p[4] ~ /!/ && i > 3) note("behind")
			else note("other")
		}
		FNR == 1 { file++ }
		file == 1 { address[$1, $2] = address[$1, $2] $3 " "; next }
		file == 2 { theirs[$1, $2, theirs_count[$1, $2]++] = $0; next }
		{
			key = $1 SUBSEP $2 SUBSEP (ours_count[$1, $2] + 0)
			ours_count[$1, $2]++
			if (!(key in theirs)) { note("stack"); next }
			stacks++
			length_of_theirs = split(theirs[key], frame, " ")
			for (i = 3; i <= NF; i++) {
				mine = $i
				their = frame[i]
				frames++
				compare()
			}
			for (; i <= length_of_theirs; i++) {
				mine = "-"
				their = frame[i]
				note(their ~ /:\[unknown\]/ ? "beyond" : "cut")
			}
		}
		END {
			named = frames - count["grouped"] - count["ours"]
			print name, stacks + 0, frames + 0, count["same"] + 0, count["alias"] + 0,
				count["behind"] + 0, count["plt"] + 0, count["gone"] + 0,
				count["grouped"] + 0, count["ours"] + 0, count["other"] + 0,
				count["address"] + 0, count["beyond"] + 0, count["cut"] + 0,
				sprintf("%.3f", 100 * (count["same"] + count["alias"] + \
						       count["behind"]) / named)
		}' "$work/symbols" "$work/theirs" "$work/ours"
done
