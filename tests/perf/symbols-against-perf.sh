#!/bin/bash
# SPDX-License-Identifier: MIT
#
# symbols-against-perf.sh DUMP-STACKS RECORDING… compares every frame of frame-pointer recordings
# with what `perf script` says, and prints a table row for each; README.md here explains them.
# The recorded files must be those of this machine.

set -eu

dump_stacks=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

echo "recording stacks frames same alias grouped only-ours only-perf other address beyond cut"
for recording; do
	"$dump_stacks" -a "$recording" >"$work/ours"
	perf script -i "$recording" --ns --no-demangle --no-inline -F tid,time,ip,sym,dso \
		>"$work/script" 2>/dev/null
	awk 'match($0, /\(\/[^()]*\)$/) { print substr($0, RSTART + 1, RLENGTH - 2) }' \
		"$work/script" | sort -u | list_symbols >"$work/symbols"
	# One line a stack, like dump-stacks.
	awk '
		NF == 0 { if (line != "") print line; line = ""; next }
		line == "" { sub(":", "", $2); line = $1 " " $2; next }
		{
			module = $NF
			gsub(/[()]/, "", module)
			sub(/.*\//, "", module)
			sub(/^\[kernel.*/, "[kernel]", module)
			sub(/@.*/, "", $2)
			line = line " " $1 ":" $2 "@" module
		}
		END { if (line != "") print line }' "$work/script" >"$work/theirs"
	# Stacks with the same thread and time are compared in order.
	awk -v name="$(basename "$recording" .data)" -v details="${SYMBOLS_DETAILS:-}" '
		function note(kind) {
			count[kind]++
			if (details != "") print kind, mine, their > details
		}
		function compare(    n, m, p) {
			split(mine, m, /[:@]/)
			split(their, p, /[:@]/)
			# perf shows the offset in the file for addresses of users.
			if (substr(m[1], length(m[1]) - 2) != substr("00" p[1], length(p[1]))) note("address")
			if (m[2] == p[2]) note("same")
			else if (p[2] == "[unknown]") note(m[2] ~ /\+0x/ ? "grouped" : "ours")
			else if (m[2] ~ /\+0x/) note("perf")
			else if ((m[3], m[2]) in address && (m[3], p[2]) in address &&
				 index(address[m[3], p[2]], address[m[3], m[2]])) note("alias")
			else note("other")
		}
		FNR == 1 { file++ }
		file == 1 { address[$1, $2] = address[$1, $2] $3; next }
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
			print name, stacks + 0, frames + 0, count["same"] + 0, count["alias"] + 0,
				count["grouped"] + 0, count["ours"] + 0, count["perf"] + 0,
				count["other"] + 0, count["address"] + 0, count["beyond"] + 0,
				count["cut"] + 0
		}' "$work/symbols" "$work/theirs" "$work/ours"
done
