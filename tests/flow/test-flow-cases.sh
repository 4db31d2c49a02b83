#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Control flow in functions written for the purpose (cases.S): as a shared library, as a program with
# fixed addresses, and without names; and for arm64. The questions and their answers are in
# cases*.txt.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=flow.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/flow/flow.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the functions are written for x86-64"
gcc -shared -nostdlib -o "$tmp/cases.so" "$here/cases.S" || skip_all "gcc failed"
gcc -DFIXED -no-pie -nostartfiles -Wl,-e,work -o "$tmp/cases" "$here/cases.S" ||
	skip_all "gcc failed"
strip -o "$tmp/stripped.so" "$tmp/cases.so" || skip_all "strip failed"

check library "$tmp/cases.so" "$tmp/cases.so" "$here/cases.txt"
check program "$tmp/cases" "$tmp/cases" "$here/cases.txt"
check program "$tmp/cases" "$tmp/cases" "$here/cases-fixed.txt"
check stripped "$tmp/stripped.so" "$tmp/cases.so" "$here/cases-stripped.txt"

if clang --target=aarch64-linux-gnu -fuse-ld=lld -shared -nostdlib -o "$tmp/arm64.so" \
	"$here/cases-arm64.S" >"$tmp/clang" 2>&1; then
	check arm64 "$tmp/arm64.so" "$tmp/arm64.so" "$here/cases-arm64.txt"
else
	skip "arm64: calls, loops and branches are followed" "clang and lld for arm64 are missing"
fi
done_testing
