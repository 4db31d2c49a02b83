# SPDX-License-Identifier: MIT
# The files of a web site are compressed once for all, as small as can be. In the slow run somebody
# computes checksums of disk images on the same processor; only the compression is recorded.

about="processor taken by checksums of disk images"
cause=real
traits="zopfli and jobs outside of the recording: compressor, C, one thread"
packages=(dpkg-dev gcc make python3 util-linux)
half=fresh
says="the cause is that sha512sum took the processor while zopfli was to look for matches in ZopfliFindLongestMatch"
told='taken by .*sha512sum'

build() {
	fetch_source zopfli
	make -j"$(nproc)" zopfli CFLAGS="$stock_flags" CXXFLAGS="$stock_flags"
}

prepare() {
	awk 'BEGIN {
		for (i = 0; i < 9000; i++)
			print "<li class=\"order\">order " i * 7919 % 99991 " of shop " i % 70 ": " i * i % 977 " pieces</li>"
	}' > page.html
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

compress() {
	record taskset -c "$processor" "$built/zopfli" --i15 page.html
	[ -s page.html.gz ]
}

base() {
	prepare
	compress
}

slow() {
	local images=()
	prepare
	truncate -s 256M image
	for ((i = 0; i < 90; i++)); do
		images+=(image)
	done
	checks=()
	trap 'kill "${checks[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in 1 2; do
		taskset -c "$processor" sha512sum "${images[@]}" > /dev/null &
		checks+=($!)
	done
	compress
}

truth() {
	echo '^ZopfliFindLongestMatch$' '^zopfli$'
}
