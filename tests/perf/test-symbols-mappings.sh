#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One address, three times another function: a library is unloaded and another one loaded at its
# place, then the first one's code is mapped over it with MAP_FIXED. The kernel records no munmap.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

build=${ITP_BUILD_DIR:-.}

command -v perf > "$tmp/which" || skip_all "perf is not installed"
for name in first_library second_library; do
	gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -shared -fPIC -x c \
		-o "$tmp/$name.so" - << END || skip_all "gcc failed"
static __attribute__((noinline)) void $name(void (*callee)(void))
{
	callee();
	__asm__ volatile("");
}
void work(void (*callee)(void));
void work(void (*callee)(void))
{
	$name(callee);
	__asm__ volatile("");
}
END
done
perf record -q -o "$tmp/perf.data" -e raw_syscalls:sys_enter --call-graph fp -- \
	"$build/tests/perf/swapper" "$tmp/first_library.so" "$tmp/second_library.so" \
	> "$tmp/record.log" 2>&1
case $? in
0) ;;
3) skip_all "the dynamic linker chose different addresses" ;;
*) skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")" ;;
esac

is "each call is the function that was mapped when it was made" \
	"$("$build/tests/perf/dump-stacks" "$tmp/perf.data" | grep -o '[a-z]*_library@[^ ]*')" \
	"first_library@first_library.so
second_library@second_library.so
first_library@first_library.so"
is "all at one address" \
	"$("$build/tests/perf/dump-stacks" -a "$tmp/perf.data" | grep -o '[0-9a-f]*:[a-z]*_library@' |
		cut -d: -f1 | sort -u | wc -l)" 1
done_testing
