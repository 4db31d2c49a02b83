#!/bin/bash
# SPDX-License-Identifier: MIT
#
# That files of the product can be found and read one after the other: each folder has an index, and no
# files call each other in a circle.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "${ITP_SOURCE_DIR:?}" || exit 99
roots=(common filters library messages plugins sinks sources terminal)

# The index of a folder with several C files is the first comment of the header with its name, as
# common/infer/infer.h: lines of a table, each with one or several files.
index_of() {
	sed -n '/^\/\*$/,/^ \*\/$/p; /^ \*\/$/q' "$1" | grep '^ \*   ' | grep -oE '(^|[^/[:alnum:].-])[[:alnum:].-]+\.c\b' |
		grep -oE '[[:alnum:].-]+\.c$' | LC_ALL=C sort -u
}

wrong_indexes() {
	local folder header
	find "${roots[@]}" -type d | LC_ALL=C sort | while read -r folder; do
		header=$folder/${folder##*/}.h
		find "$folder" -maxdepth 1 -name '*.c' -printf '%f\n' | LC_ALL=C sort >"$tmp/files"
		if [ "$(wc -l <"$tmp/files")" -lt 2 ]; then
			continue
		fi
		index_of "$header" >"$tmp/index" 2>&1
		comm -23 "$tmp/files" "$tmp/index" | sed "s#^#$header lacks #"
		comm -13 "$tmp/files" "$tmp/index" | sed "s#^#$header names a file that is gone: #"
	done
}
is "each folder's index lists its C files" "$(wrong_indexes)" ""

# Files named in comments, those of others' sources left out.
named_files() {
	grep -rhoE --include='*.[ch]' '^[[:blank:]]*(/\*| \*) .*' "${roots[@]}" | grep -oE '(^|[ (])[[:alnum:]-]+\.[ch]\b' |
		grep -oE '[[:alnum:]-]+\.[ch]$' | LC_ALL=C sort -u
}
find "${roots[@]}" tests -name '*.[ch]' -printf '%f\n' | LC_ALL=C sort -u >"$tmp/names"
is "comments name files that exist" \
	"$(comm -23 <(named_files) "$tmp/names" | grep -vxE 'alternative\.h|dwarf\.h|extable\.h')" ""

# Names that a C file defines for others, and names that it uses: "d FILE NAME" and "u FILE NAME".
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
}

# Files on circles, and between two of them: what is left when files that call none of the rest, and
# files that none of the rest calls, are taken away again and again.
circles() {
	awk '$1 == "d" { home[$3] = home[$3] == "" ? $2 : "several" }
		$1 == "u" { user[NR] = $2; name[NR] = $3 }
		END {
			for (i in user) {
				to = home[name[i]]
				if (to != "" && to != "several" && to != user[i]) { edge[user[i], to] = 1; there[user[i]] = there[to] = 1 }
			}
			do {
				changed = 0
				delete calls
				delete called
				for (e in edge) {
					split(e, pair, SUBSEP)
					if (there[pair[1]] && there[pair[2]]) { calls[pair[1]] = called[pair[2]] = 1 }
				}
				for (file in there) {
					if (there[file] && !(calls[file] && called[file])) { there[file] = 0; changed = 1 }
				}
			} while (changed)
			for (file in there) { if (there[file]) { print file } }
		}' | LC_ALL=C sort
}

is "no files call each other in a circle" "$(names | circles)" ""

done_testing
