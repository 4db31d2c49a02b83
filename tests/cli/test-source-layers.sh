#!/bin/bash
# SPDX-License-Identifier: MIT
#
# That folders include each other's headers as the table in CONTRIBUTING.md says, and only upwards in
# it: so there is no circle of folders; and that there is none of files within them either.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "${ITP_SOURCE_DIR:?}" || exit 99

# A line for each folder, "FOLDER INCLUDED…", in the order of the table. Below common/ that is not said.
sed -n '/^<!-- layers -->$/,/^<!-- end of layers -->$/p' CONTRIBUTING.md | sed -n 's/^    //p' |
	tr -s ' ' >"$tmp/told"

# "FOLDER INCLUDED" for each folder that includes headers of another.
roots=(common filters library messages plugins sinks sources terminal)
grep -roE '^#include "[^"]+/' --include='*.[ch]' "${roots[@]}" |
	sed -E 's#/[^/:]*:\#include "# #; s#/$##; s#(^| )common/#\1#g' |
	awk '$1 != $2' | sort -u >"$tmp/edges"

awk 'NR == FNR { names[NR] = $1; count = NR; next }
	{ is[$1, $2] = 1 }
	END {
		for (i = 1; i <= count; i++) {
			line = names[i]
			for (j = 1; j <= count; j++) {
				line = line ((names[i], names[j]) in is ? " " names[j] : "")
			}
			print line
		}
	}' "$tmp/told" "$tmp/edges" >"$tmp/seen"
same "folders include what the table in CONTRIBUTING.md says" "$tmp/seen" "$tmp/told"

upwards=$(awk '{
		above[$1] = 1
		for (i = 2; i <= NF; i++) {
			if (!($i in above)) { print $1 " includes " $i }
		}
	}' "$tmp/told")
is "and only those above them" "$upwards" ""

find "${roots[@]}" -name '*.[ch]' -printf '%h\n' | sed 's#^common/##' | sort -u >"$tmp/folders"
is "all folders are in the table" \
	"$(comm -3 "$tmp/folders" <(cut -d' ' -f1 "$tmp/told" | sort))" ""

# Names that a C file defines for others, and names that it uses: "d FILE NAME" and "u FILE NAME". Headers
# of the product that a file includes: "i FILE HEADER".
names() {
	local files
	mapfile -t files < <(find "${roots[@]}" -name '*.c' ! -name '*.bpf.c' | LC_ALL=C sort)
	awk '
		FNR == 1 { candidate = ""; in_comment = 0 }
		{
			line = $0
			gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
			if (in_comment) {
				if (!sub(/^.*\*\//, "", line)) { next }
				in_comment = 0
			}
			gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
			if (sub(/\/\*.*/, "", line)) { in_comment = 1 }
			if (line ~ /^(const |extern const )?[a-zA-Z][^;{}=]*[ *](itp|introperf)_[a-z0-9_]+(\(|\[[^\]]*\]( =|$)| = )/ &&
			    line !~ /^(static|typedef|struct [a-z0-9_]+ \{)/) {
				match(line, /(itp|introperf)_[a-z0-9_]+(\(|\[| = )/)
				candidate = substr(line, RSTART, RLENGTH)
				gsub(/(\(|\[| = )$/, "", candidate)
			}
			if (candidate != "" && (line ~ /^\{/ || line ~ /= \{/ || line ~ /\] = / || line ~ / = /)) {
				print "d", FILENAME, candidate
				candidate = ""
			} else if (line ~ /;$/) {
				candidate = ""
			}
			gsub(/(struct|enum) [a-z0-9_]+/, "", line)
			while (match(line, /(itp|introperf)_[a-z0-9_]+/)) {
				print "u", FILENAME, substr(line, RSTART, RLENGTH)
				line = substr(line, RSTART + RLENGTH)
			}
		}' "${files[@]}"
	grep -roE '^#include "[^"]+\.h"' --include='*.[ch]' "${roots[@]}" | sed -E 's/^([^:]*):#include "(.*)"$/i \1 \2/'
}

# A room is a C file with its header (common/rank/side.c and side.h), or one of them alone. It leans on
# another when it includes the other's header, or uses a name that the other's C file defines, as a header
# may declare functions of several C files. No room leans on another by a name in a comment, by a local
# name, or by a struct of which it knows no more than the name.
#
# Rooms on circles, each with a room of its circle that it leans on, and what ties them: "#" is the header.
circles() {
	awk 'function room(file) { sub(/\.[ch]$/, "", file); return file }
		function lean(from, to, by) {
			if (from == to) { return }
			if (!((from, to) in ties)) { leans[from] = leans[from] " " to }
			if (index(ties[from, to] " ", " " by " ") == 0) { ties[from, to] = ties[from, to] " " by }
		}
		# Fills `seen` with all rooms that `from` leans on, also by way of others.
		function walk(from, seen,    count, i, to) {
			count = split(leans[from], to, " ")
			for (i = 1; i <= count; i++) {
				if (!(to[i] in seen)) { seen[to[i]] = 1; walk(to[i], seen) }
			}
		}
		$1 == "d" { home[$3] = home[$3] == "" ? room($2) : "several" }
		$1 == "u" { user[NR] = room($2); name[NR] = $3 }
		$1 == "i" { lean(room($2), room($3), "#") }
		END {
			for (i in user) {
				if (home[name[i]] != "" && home[name[i]] != "several") { lean(user[i], home[name[i]], name[i]) }
			}
			for (from in leans) {
				split("", seen)
				walk(from, seen)
				for (other in seen) {
					if ((other, from) in ties) { print other " -> " from ":" ties[other, from] }
				}
			}
		}' | LC_ALL=C sort
}

is "no rooms lean on each other in a circle" "$(names | circles)" ""

done_testing
