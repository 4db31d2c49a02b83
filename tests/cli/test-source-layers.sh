#!/bin/bash
# SPDX-License-Identifier: MIT
#
# That folders include each other's headers as the table in CONTRIBUTING.md says, and only upwards in
# it: so there is no cycle.

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

done_testing
