#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One address, three times another function: a library is unloaded and another one loaded at its
# place, then the first one's code is mapped over it with MAP_FIXED. The kernel records no munmap.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=libraries.sh
. "$(dirname "$0")/libraries.sh"

build=${ITP_BUILD_DIR:-.}

command -v perf > "$tmp/which" || skip_all "perf is not installed"
make_libraries
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
