#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What all sources have in common, apart from what the compiler checks.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "${ITP_SOURCE_DIR:?}" || exit 99
folders=(common demo filters messages plugins sinks sources terminal tests)
mapfile -t c_files < <(find "${folders[@]}" -name '*.[ch]' | LC_ALL=C sort)
mapfile -t scripts < <(find "${folders[@]}" scripts -type f -perm -u+x ! -name '*.[ch]' |
	LC_ALL=C sort)

# files_without REGEX FIRST LAST FILE… prints the files without a match in these lines.
files_without() {
	local regex=$1 first=$2 last=$3
	shift 3
	regex=$regex awk -v first="$first" -v last="$last" '
		FNR >= first && FNR <= last && $0 ~ ENVIRON["regex"] { found[FILENAME] = 1 }
		END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in found)) print ARGV[i] }' "$@"
}

is "every C file starts with its licence" \
	"$(files_without '^/\* SPDX-License-Identifier: MIT \*/$' 1 1 "${c_files[@]}")" ""
is "every C file goes on with a comment that says what it is for" \
	"$(files_without '^(/\*| \*) [^ ]' 2 3 "${c_files[@]}")" ""
is "every script names its licence" \
	"$(files_without '^# SPDX-License-Identifier: MIT$' 2 2 "${scripts[@]}")" ""
is "no file below common/ includes a header of a host" \
	"$(grep -rnE '# *include *[<"](babeltrace|Python|perf_dlfilter|perf/)' common)" ""
is "no table has a hash whose values an input can make equal" \
	"$(grep -rnE 'g_(bytes|int|int64|str)_hash' --include='*.c' common filters messages plugins sinks sources terminal)" ""
is "no line ends in blanks" \
	"$(grep -nE '[[:blank:]]+$' "${c_files[@]}" "${scripts[@]}")" ""

# unsorted FILE… prints headers of ours that stand before a smaller name, or right behind the system's.
unsorted() {
	LC_ALL=C awk '
		FNR == 1 || !/^#include/ { last = "" }
		/^#include "/ && (last ~ /</ || $2 < last) { print FILENAME ": " $2 }
		/^#include/ { last = $2 }' "$@"
}

mapfile -t ours < <(printf '%s\n' "${c_files[@]}" | grep -v '^tests/')
is "each block of included headers of ours is sorted by name" "$(unsorted "${ours[@]}")" ""

sentence="C files are formatted as .clang-format says"
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
	is "$sentence" "$(clang-format --dry-run "${c_files[@]}" 2>&1 | grep -o '^[^: ]*\.[ch]:' | sort -u)" ""
else
	skip "$sentence" "no clang-format 14"
fi

done_testing
