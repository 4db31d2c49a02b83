#!/bin/bash
# SPDX-License-Identifier: MIT
#
# That doc/thresholds.md has the thresholds of the analysis as they are in the sources, and all of them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "${ITP_SOURCE_DIR:?}" || exit 99
table=doc/thresholds.md
rooms=(compare guard infer known mine rank through unit view wait)

# Rows as "FILE NAME VALUE", tabs between: the texts in backticks of the first two columns.
rows() {
	awk -F'|' '/^\| `/ {
		split($2, place, "`")
		split($3, value, "`")
		print place[2] "\t" place[4] "\t" value[2]
	}' "$table"
}

# Definitions with a number, likewise. Digits of names and of texts are none.
definitions() {
	local room
	for room in "${rooms[@]}"; do
		(cd common && awk '/^#define [A-Za-z_0-9]+ / {
			name = $2
			value = $0
			sub(/^#define [A-Za-z_0-9]+ /, "", value)
			rest = value
			gsub(/"([^"\\]|\\.)*"/, "", rest)
			gsub(/[A-Za-z_][A-Za-z_0-9]*/, "", rest)
			if (rest ~ /[0-9]/) {
				print FILENAME "\t" name "\t" value
			}
		}' "$room"/*.[ch])
	done
}

rows | LC_ALL=C sort >"$tmp/rows"
definitions | LC_ALL=C sort >"$tmp/definitions"
grep -v -e '^#' -e '^$' tests/thresholds/bounds | tr ' ' '\t' | LC_ALL=C sort >"$tmp/bounds"

# A row's value may be a name, as M_SQRT2, which is no number in definitions().
without_definition() {
	local file name value
	comm -23 "$tmp/rows" "$tmp/definitions" | while IFS=$'\t' read -r file name value; do
		grep -qxF "#define $name $value" "common/$file" || printf '%s %s %s\n' "$file" "$name" "$value"
	done
}
is "each threshold of the table is in its file with its value" "$(without_definition)" ""
is "no threshold has two rows" "$(cut -f1,2 "$tmp/rows" | uniq -d)" ""
is "each number with a name is a threshold, or in the list of others" \
	"$(cut -f1,2 "$tmp/definitions" | LC_ALL=C sort |
		comm -23 - <(cut -f1,2 "$tmp/rows" | LC_ALL=C sort - "$tmp/bounds"))" ""
is "the list of others names numbers that exist" \
	"$(comm -23 "$tmp/bounds" <(cut -f1,2 "$tmp/definitions" | LC_ALL=C sort))" ""
is "nothing is both" "$(cut -f1,2 "$tmp/rows" | LC_ALL=C sort | comm -12 - "$tmp/bounds")" ""

# Tests in the last column.
named_tests() {
	awk -F'|' '/^\| `/ { print $6 }' "$table" | grep -oE 'test-[a-z-]+' | sort -u
}
unknown_tests() {
	local name
	named_tests | while read -r name; do
		[ -f "tests/unit/$name.c" ] || [ -f "tests/cli/$name.sh" ] || printf '%s\n' "$name"
	done
}
is "tests that the table names exist" "$(unknown_tests)" ""
is "each row has a unit, a sentence, a reason and a test" \
	"$(awk -F'|' '/^\| `/ { if (NF != 7) { print; next }
		for (i = 2; i < 7; i++) { if ($i ~ /^ *$/) { print $2; break } } }' "$table")" ""

done_testing
