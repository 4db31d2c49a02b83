# SPDX-License-Identifier: MIT
# A day's logs are compressed for the archive. In the slow run two old backups are compressed on the same
# processor; only the archive's work is recorded.

about="processor taken by backups"
cause=real
traits="lz4 and jobs outside of the recording: compressor, C, one thread"
packages=(bzip2 dpkg-dev gcc python3 util-linux)
half=fresh
says="the cause is that bzip2 took the processor while lz4 was to look for the best matches in LZ4HC_compress_optimal"
told='taken by .*bzip2'

build() {
	fetch_source lz4
	gcc $stock_flags -Ilib -o lz4 programs/bench.c programs/datagen.c programs/lz4cli.c programs/lz4io.c lib/*.c
}

prepare() {
	awk 'BEGIN {
		for (i = 0; i < 330000; i++)
			print "sshd: session " i * 7919 % 999983 " of user" i % 700 " took " i * i % 9973 " s"
	}' > log
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

compress() {
	record taskset -c "$processor" "$built/lz4" -q -12 log log.lz4
	[ -s log.lz4 ]
}

base() {
	prepare
	compress
}

slow() {
	prepare
	head -c 60000000 /dev/urandom > backup
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in 1 2; do
		taskset -c "$processor" bzip2 -c backup > /dev/null &
		jobs+=($!)
	done
	compress
}

truth() {
	echo '^LZ4HC_compress_optimal$' '^lz4$'
}
