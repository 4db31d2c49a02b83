#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A real recording, and the same as Linux 6.19 records it with user parts that come later: every
# stack is the same, frame by frame.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=record.sh
. "$(dirname "$0")/record.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

python3 --version > "$tmp/version" 2>&1 || skip_all "no python3"
record fp workload
parts=$(python3 "${ITP_SOURCE_DIR:?}/tests/perf/defer-recording.py" "$data" "$tmp/deferred.data")
ok "there are user parts" test "${parts:-0}" -gt 200
for name in perf deferred; do
	ok "$name.data is read to its end" \
		sh -c "'$build/tests/perf/dump-stacks' -a '$tmp/$name.data' > '$tmp/$name.txt'"
done
ok "there are stacks" test "$(wc -l < "$tmp/perf.txt")" -gt 200
ok "they are the same" cmp "$tmp/perf.txt" "$tmp/deferred.txt"

warnings() {
	graph "$tmp/deferred.data" -c sink.utils.dummy 2>&1 | grep 'user part'
}
is "no part is missing" "$(warnings)" ""
# The first of them becomes a record that tells nothing.
python3 - "$tmp/deferred.data" <<'EOF'
import sys
with open(sys.argv[1], "r+b") as file:
    at = file.read().index(bytes([22, 0, 0, 0, 2, 0]))
    file.seek(at)
    file.write(bytes([82]))
EOF
like "one that is missing is said" "$(warnings)" \
	'warning: stacks lack their user part, .*, 1 in all'
done_testing
