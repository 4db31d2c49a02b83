#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Records a program with perf and compares every stack with what `perf script` says about it:
# times, threads, and the names of frames in the program itself and in the kernel.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=record.sh
. "$(dirname "$0")/record.sh"

record fp workload
ok "the recording is read to its end" \
	sh -c "'$build/tests/perf/dump-stacks' '$data' > '$tmp/ours.txt'"

# One line a stack, like dump-stacks. perf names a module by its path, the kernel in its own way,
# and looks return addresses up without stepping back to the call.
perf script -i "$data" --ns -F tid,time,ip,sym,dso 2> "$tmp/script.log" | awk '
	NF == 0 { if (line != "") print line; line = ""; next }
	line == "" { sub(":", "", $2); line = $1 " " $2; next }
	{
		module = $NF
		gsub(/[()]/, "", module)
		sub(/.*\//, "", module)
		sub(/^\[kernel.*/, "[kernel]", module)
		line = line " " $2 "@" module
	}
	END { if (line != "") print line }' > "$tmp/theirs.txt"

# Stacks with the same thread and time are compared in order. "stacks": ours that perf has too;
# "frames" and "same": those in the program or the kernel.
awk '
	FNR == 1 { file++ }
	file == 1 { theirs[$1, $2, theirs_count[$1, $2]++] = $0; next }
	{
		ours++
		key = $1 SUBSEP $2 SUBSEP (ours_count[$1, $2] + 0)
		ours_count[$1, $2]++
		if (!(key in theirs)) next
		stacks++
		split(theirs[key], frame, " ")
		for (i = 3; i <= NF; i++) {
			if ($i !~ /@(workload|\[kernel\])$/) continue
			frames++
			same += $i == frame[i]
			if ($i ~ /^work_/) named++
		}
	}
	END { print ours + 0, stacks + 0, frames + 0, same + 0, named + 0 }' \
	"$tmp/theirs.txt" "$tmp/ours.txt" > "$tmp/counts.txt"
read -r ours stacks frames same named < "$tmp/counts.txt"
diag "$ours stacks, $stacks of them in perf script; $same of $frames frames named alike"

ok "there are stacks" test "$ours" -gt 200
is "perf script has every one of them" "$stacks" "$ours"
ok "functions of the program are named" test "$named" -gt 200
ok "99 of 100 names in the program and the kernel are perf's" \
	test $((same * 100)) -ge $((frames * 99))
done_testing
