# SPDX-License-Identifier: MIT
# The shortest ways between all branches of a company are computed. In the slow run two backups, which
# zstd compresses as small as it can, have been put on the same processor; they are not recorded.

about="processor taken by backups of zstd"
cause=real
traits="a program that computes distances and jobs outside of the recording: C++, one thread"
packages=(g++ util-linux zstd)
half=fresh
says="the cause is that zstd took the processor while routes was to find shorter ways in Routes::shorten"
told='taken by .*zstd'

build() {
	g++ $stock_flags -o routes "$case_dir/routes.cc"
	awk 'BEGIN {
		for (i = 0; i < 900000; i++)
			print "10.0.7." i % 251, "GET /shop/article" i * 7919 % 100003, "took", i * 31 % 977, "ms"
	}' > log
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

compute() {
	record taskset -c "$processor" "$built/routes" 1000
	grep -q '^1000 branches' output
}

base() {
	prepare
	compute
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in 1 2; do
		taskset -c "$processor" zstd -q -19 --single-thread -c "$built/log" > /dev/null &
		jobs+=($!)
	done
	compute
}

truth() {
	echo '^Routes::shorten' '^routes$'
}
