#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares our unwinder with perf's, on the same recordings:
#
#   tests/perf/unwind-against-perf.sh UNWIND-COMPARE RECORDING…
#
# Prints one line a recording: stacks, in how many of them perf shows the same frames, loses frames
# that we have ("loses", some or all behind the common leaf ones), shows others ("differs", which
# loses the right ones too), goes on behind our frames at an address where nothing executable is
# mapped ("no code"), or has frames that we lose ("has more"). Files and addresses within
# them are the same for both, so that the last three digits tell frames apart well enough.

set -eu

[ $# -ge 2 ] || { echo "usage: $0 UNWIND-COMPARE RECORDING..." >&2; exit 2; }
program=$1
shift

# One line a sample: tid, time, the frames' last three digits.
ours() {
	"$program" --frames "$1" | awk '{
		printf "%s %s", $1, $2
		for (i = 5; i <= NF; i++) {
			printf " %s", substr($i, length($i) - 2)
		}
		printf "\n" }'
}

# The names that perf gives to memory without code: anonymous memory is such, unless the recording
# has a mapping of that kind that is executable.
no_code() {
	if perf script --show-mmap-events -i "$1" 2>/dev/null | grep -q 'r.x[ps] //anon'; then
		echo '([unknown])'
	else
		echo '([unknown]) (//anon)'
	fi
}

perfs() {
	perf script --ns -i "$1" -F tid,time,ip,sym,dso --no-inline 2>/dev/null |
		awk -v no_code="$(no_code "$1")" '
		function finish() {
			if (stack != "") {
				print stack
			}
			stack = ""
		}
		NF == 0 || $2 ~ /^[0-9]+\.[0-9]+:$/ { finish() }
		$2 ~ /^[0-9]+\.[0-9]+:$/ {
			split($2, parts, /[.:]/)
			stack = $1 " " (parts[1] + 0) parts[2]
			next
		}
		# The kernel is not ours to unwind.
		NF > 0 && !(length($1) == 16 && $1 ~ /^ffff[8-9a-f]/) {
			ip = "00" $1
			stack = stack " " substr(ip, length(ip) - 2) (index(no_code, $NF) ? "?" : "")
		}
		END { finish() }'
}

printf "%-16s %8s %8s %8s %8s %8s %8s %12s\n" \
	recording stacks same loses differs "no code" "has more" "frames lost"
for recording; do
	awk -v name="$(basename "$recording" .data)" '
		FNR == 1 { file++ }
		{ key = $1 " " $2 }
		file == 1 {
			perf[key, perf_count[key]++] = $0
			next
		}
		{
			count = split(perf[key, our_count[key]++], theirs, " ")
			for (common = 3; common <= NF && common <= count &&
			     $common == theirs[common]; common++) {
			}
			stacks++
			lost += NF - common + 1
			if (common > NF && common > count) {
				same++
			} else if (common > NF) {
				while (common <= count && theirs[common] ~ /\?$/) {
					common++
				}
				stray += common > count
				more += common <= count
			} else if (common > count) {
				loses++
			} else {
				differs++
			}
		}
		END { printf "%-16s %8d %8d %8d %8d %8d %8d %12d\n", name, stacks, same, loses,
			differs, stray, more, lost }' <(perfs "$recording") <(ours "$recording")
done
