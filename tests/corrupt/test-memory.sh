#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How memory grows with what a recording has most of: contexts, of which a small file can hold many.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

[ -z "${ITP_PRELOAD:-}" ] || skip_all "the sanitizers have an allocator of their own"
cd "$tmp" || exit 1

# peak STACKS: the most memory that ranking so many stacks takes, in KiB; eight contexts each.
peak() {
	"$ITP_BUILD_DIR/tests/corrupt/many" contexts "$1" >many.data
	/usr/bin/python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$program" report many.data
}

some=$(peak 2000)
many=$(peak 10000)
bytes=$(((many - some) * 1024 / 64000))
diag "$some KiB for 16 000 contexts, $many KiB for 80 000: $bytes bytes each"
ok "a context takes a kilobyte or so" test "$bytes" -lt 1300

done_testing
