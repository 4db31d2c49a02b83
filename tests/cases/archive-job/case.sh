# SPDX-License-Identifier: MIT
# Old logs are compressed with compress. In the slow run two nightly jobs, which check the integrity
# of backups with sha512sum, have been put on the same processor; they are not recorded.

about="processor taken by nightly jobs of sha512sum"
cause=real
traits="ncompress and jobs outside of the recording: compressor, C, one thread"
packages=(coreutils dpkg-dev gcc make python3 util-linux)
stack_bytes=4096
half=fresh
says="the cause is that sha512sum took the processor while compress was to compress logs"
told='taken by .*sha512sum'

build() {
	mkdir source
	(
		cd source
		fetch_source ncompress
		make CFLAGS="$stock_flags -DUTIME_H -DNOFUNCDEF" compress
		cp compress ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 2100000; i++)
			print "10.0." i % 7 "." i % 251, "GET /orders/" i * 7919 % 999983, "took", i * 31 % 977, "ms"
	}' > access.log
	truncate -s 3G backup
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

compress_log() {
	# shellcheck disable=SC2016 # for sh
	record taskset -c "$processor" sh -c '"$0" -c "$1" > logs.Z' "$built/compress" "$built/access.log"
	[ -s logs.Z ]
}

base() {
	prepare
	compress_log
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in mail photos; do
		taskset -c "$processor" sha512sum "$built/backup" > /dev/null &
		jobs+=($!)
	done
	compress_log
}

truth() {
	echo '^compress$' '^compress$'
}
