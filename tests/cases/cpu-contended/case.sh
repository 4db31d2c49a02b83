# SPDX-License-Identifier: MIT
# A log is compressed by two threads on two processors; in the slow run four others compute the
# checksum of a disk image there at the same time. Only the compression is recorded.

about="processors taken by another program"
cause=real
traits="zstd: compressor, C, several threads"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is that sha256sum took the processors while ZSTD_RowFindBestMatch was to run"
told='taken by .*sha256sum'

build() {
	fetch_source libzstd
	make -j"$(nproc)" -C programs zstd CFLAGS="$stock_flags" HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0
}

prepare() {
	awk 'BEGIN {
		for (i = 0; i < 1800000; i++)
			print "httpd: order " i * 7919 % 999983 " of shop " i % 70 " was sent in " i * i % 977 " ms"
	}' > log
	processors=$(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2], sep=",")')
}

compress() {
	record taskset -c "$processors" "$built/programs/zstd" -q -8 -T2 log -o log.zst
}

base() {
	prepare
	compress
}

slow() {
	local images=()
	prepare
	truncate -s 256M image
	for ((i = 0; i < 60; i++)); do
		images+=(image)
	done
	checks=()
	trap 'kill "${checks[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for ((i = 0; i < 4; i++)); do
		taskset -c "$processors" sha256sum "${images[@]}" > /dev/null &
		checks+=($!)
	done
	compress
}

truth() {
	echo '^ZSTD_RowFindBestMatch_noDict_5_4$' '^zstd$'
}
