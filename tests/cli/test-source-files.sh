#!/bin/bash
# SPDX-License-Identifier: MIT
#
# That files of the product can be found: each folder has an index, and comments name files that exist.

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

done_testing
