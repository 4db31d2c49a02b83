#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Exported files with names that try to be something else, and with a million calls.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

: "${ITP_BUILD_DIR:?}" "${ITP_SOURCE_DIR:?}"
command -v python3 >/dev/null || skip_all "no python3"
here=$ITP_SOURCE_DIR/tests/export
scene=$ITP_BUILD_DIR/tests/export/scene
speedscope=$ITP_BUILD_DIR/readers/node_modules/speedscope
cd "$tmp" || exit 99

"$scene" names >names
for format in folded folded2 speedscope pprof firefox chrome callgrind svg; do
	"$scene" hostile "$format" >"$format" || diag "exit status $?"
	is "names are data in $format" "$(python3 "$here/hostile.py" names "$format" "$format" 2>&1)" ""
done
python3 "$here/check.py" schema firefox >errors.txt 2>&1
is "a profile for Firefox keeps to its version" "$(cat errors.txt)" ""

# The n-th of 17 names takes n ns.
for format in folded speedscope pprof chrome callgrind; do
	if [ -d "$speedscope" ] && command -v node >/dev/null; then
		is "speedscope opens $format" \
			"$(node "$here/speedscope.js" "$speedscope" "$format" 2>errors.txt |
				sed 's/.*"unit":"\([a-z]*\)","total":\([0-9.]*\),.*/\2 \1/' | sort -u)" \
			"$(case $format in
			chrome) echo "0.153 microseconds" ;;
			speedscope | pprof) echo "153 nanoseconds" ;;
			*) echo "153 none" ;;
			esac)"
	else
		skip "speedscope opens $format" "no node, or no speedscope from npm"
	fi
done
if command -v callgrind_annotate >/dev/null; then
	like "callgrind_annotate opens it" "$(callgrind_annotate --show-percs=no callgrind 2>&1)" \
		$'\n153 +PROGRAM TOTALS\n'
else
	skip "callgrind_annotate opens it" "no callgrind_annotate (package valgrind)"
fi

# peak COUNT FORMAT prints KiB.
peak() {
	"$scene" calls "$1" "$2" 2>&1 >"$tmp/file"
}
for format in chrome speedscope firefox; do
	if [ -n "${ITP_PRELOAD:-}" ]; then
		skip "a million calls take no more memory than some in $format" "sanitizers need their own"
		continue
	fi
	some=$(peak 20000 "$format")
	many=$(peak 1000000 "$format")
	ok "a million calls take no more memory than some in $format" test "$many" -lt $((some + 2000))
	diag "$format: $some KiB for 20 000 calls, $many KiB for a million"
done
ok "and a million calls are in it" test "$(grep -o '"type":"Call"' file | wc -l)" -ge 1000000

done_testing
