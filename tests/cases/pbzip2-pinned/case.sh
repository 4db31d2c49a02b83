# SPDX-License-Identifier: MIT
# pbzip2 compresses a log with two threads. In the slow run it may use one processor only, as a
# container may to which one was given: its threads take turns on it. In the base it may use two.

about="two threads confined to one processor"
cause=real
traits="pbzip2: C++, several threads"
packages=(dpkg-dev g++ libbz2-dev make python3 util-linux)
half=fresh
says="the cause is not in the code: pbzip2's compressing threads share one processor, to which they are confined, and wait for it while the other runs"
told='confined|pinned|affinity|one processor|same processor|own threads|taken by .*pbzip2'

build() {
	fetch_source pbzip2
	make CXXFLAGS="$stock_flags -pthread -DUSE_STACKSIZE_CUSTOMIZATION" pbzip2
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 300000; i++)
			printf "10.0.%d.%d - - \"GET /orders/%d HTTP/1.1\" 200 %d\n", rand() * 256, rand() * 256,
				rand() * 100000, rand() * 5000
	}' > log
}

# compress PROCESSORS: so many of those that there are.
compress() {
	local processors
	processors=$(python3 -c 'import os, sys
print(*sorted(os.sched_getaffinity(0))[:int(sys.argv[1])], sep=",")' "$1")
	record taskset -c "$processors" "$built/pbzip2" -p2 -k -q "$built/log" -c
	[ -s output ]
}

base() {
	compress 2
}

slow() {
	compress 1
}

truth() {
	echo '^consumer$' '^pbzip2$'
}
