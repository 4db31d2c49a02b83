# SPDX-License-Identifier: MIT
# The recording of a concert is encoded for an archive. In the slow run two nightly jobs, which
# compress dumps of databases, have been put on the same processor; they are not recorded.

about="processor taken by nightly jobs"
cause=real
traits="flac and jobs outside of the recording: encoder, C, one thread"
packages=(dpkg-dev gcc make python3 util-linux xz-utils)
half=fresh
says="the cause is that xz took the processor while flac was to compute residuals in FLAC__lpc_compute_residual_from_qlp_coefficients"
told='taken by .*xz'

# Without intrinsics, which are other functions on each kind of processor.
build() {
	mkdir source
	(
		cd source
		fetch_source flac
		./configure --disable-shared --enable-static --disable-ogg --disable-cpplibs --disable-doxygen-docs \
			--disable-examples --disable-asm-optimizations CFLAGS="$stock_flags"
		make -j"$(nproc)" -C src/libFLAC
		make -j"$(nproc)" -C src/share
		make -j"$(nproc)" -C src/flac
		cp src/flac/flac ..
	)
	rm -r source
	python3 "$case_dir/concert.py" 80 concert.wav
	awk 'BEGIN {
		for (i = 0; i < 1600000; i++)
			print "insert into orders values (" i ", " i * 7919 % 999983 ", " i * i % 9973 / 100 ");"
	}' > dump.sql
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

encode() {
	record taskset -c "$processor" "$built/flac" --silent -8 -e -o concert.flac "$built/concert.wav"
}

base() {
	prepare
	encode
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in shop wiki; do
		taskset -c "$processor" xz -T1 -c "$built/dump.sql" > /dev/null &
		jobs+=($!)
	done
	encode
}

truth() {
	echo '^FLAC__lpc_compute_residual_from_qlp_coefficients$' '^flac$'
}
