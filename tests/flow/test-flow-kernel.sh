#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Control flow in the functions of a kernel (cases-kernel.S): in its image, with symbols and without,
# and in a copy of its memory. The questions and their answers are in cases-kernel*.txt.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=flow.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/flow/flow.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/kernel.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/kernel.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the functions are written for x86-64"
build_kernel "$tmp/vmlinux" 0123456789abcdef || skip_all "gcc failed"
# A kernel lies elsewhere each time it is booted; its image does not.
mkdir "$tmp/stripped" "$tmp/memory"
strip -o "$tmp/stripped/vmlinux" "$tmp/vmlinux" || skip_all "strip failed"
list_symbols "$tmp/vmlinux" 0x2000000 >"$tmp/stripped/kallsyms"
copy_memory "$tmp/vmlinux" "$tmp/memory"

check image "$tmp/vmlinux" "$tmp/vmlinux" "$here/cases-kernel.txt"
check image "$tmp/vmlinux" "$tmp/vmlinux" "$here/cases-kernel-any.txt"
check stripped "$tmp/stripped/vmlinux" "$tmp/vmlinux" "$here/cases-kernel.txt"
check stripped "$tmp/stripped/vmlinux" "$tmp/vmlinux" "$here/cases-kernel-any.txt"
check memory "$tmp/memory/kcore" "$tmp/vmlinux" "$here/cases-kernel-memory.txt"
check memory "$tmp/memory/kcore" "$tmp/vmlinux" "$here/cases-kernel-any.txt"

# Tables of another layout than any that is known.
objcopy --update-section .altinstructions=/dev/stdin "$tmp/vmlinux" "$tmp/other" <<<"no table" \
	2>/dev/null &&
	is "a kernel with tables that are not understood answers nothing" \
		"$("$ask" "$tmp/other" "$tmp/vmlinux" "$here/cases-kernel.txt")" \
		"not ok - control flow can be known"
rm "$tmp/memory/kallsyms"
is "a copy of memory without symbols answers nothing" \
	"$("$ask" "$tmp/memory/kcore" "$tmp/vmlinux" "$here/cases-kernel-any.txt")" \
	"not ok - control flow can be known"
done_testing
