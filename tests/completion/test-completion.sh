#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Functions that stacks by frame pointers lack, in functions written for the purpose (cases.S); the
# questions and their answers are in cases*.txt.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"

here=${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/completion
ask=${ITP_BUILD_DIR:-.}/tests/completion/ask

[ "$(uname -m)" = x86_64 ] || skip_all "the functions are written for x86-64"
gcc -shared -nostdlib -DLIBRARY -o "$tmp/library.so" "$here/cases.S" || skip_all "gcc failed"
gcc -shared -nostdlib -Wl,--build-id=0x1234 -Wl,--no-as-needed -o "$tmp/cases.so" "$here/cases.S" \
	"$tmp/library.so" ||
	skip_all "gcc failed"
mkdir "$tmp/stripped" || exit 99
cp "$tmp/library.so" "$tmp/stripped"
strip -R .dynsym -R .hash -R .gnu.hash -o "$tmp/stripped/cases.so" "$tmp/cases.so" 2>"$tmp/log" ||
	skip_all "strip failed"

# check QUESTIONS BUILD-ID FILE [POINTS]
check() {
	local line
	while IFS= read -r line; do
		case $line in
		"ok - "*) tap_report 0 "${line#ok - }" ;;
		"not ok - "*) tap_report 1 "${line#not ok - }" ;;
		*) diag "$line" ;;
		esac
	done < <("$ask" "$@")
}

check "$here/cases.txt" - "$tmp/cases.so"
cat >"$tmp/other.txt" <<END
: nothing is put in for code that is not what was recorded
direct =leaf -
linked.plt =library_leaf -
END
check "$tmp/other.txt" 5678 "$tmp/cases.so"
cat >"$tmp/same.txt" <<END
: the recorded build is that code
direct =leaf work
END
check "$tmp/same.txt" 1234 "$tmp/cases.so"
cat >"$tmp/stripped.txt" <<END
: nothing is put in for a file whose functions have no names
switches =leaf -
END
check "$tmp/stripped.txt" - "$tmp/stripped/cases.so" "$tmp/cases.so"
done_testing
