# SPDX-License-Identifier: MIT
# A table of factorials is computed with all of their digits. In the slow run two nightly jobs, which
# compress a log with brotli, have been put on the same processor; they are not recorded.

about="processor taken by nightly jobs of brotli"
cause=real
traits="bc and jobs outside of the recording: calculator, C, one thread"
packages=(autoconf automake bison brotli dpkg-dev ed flex gcc make python3 util-linux)
half=fresh
says="the cause is that brotli took the processor while bc was to multiply long numbers in _bc_rec_mul"
told='taken by .*brotli'

build() {
	mkdir source
	(
		cd source
		fetch_source bc
		autoreconf -fi
		./configure CFLAGS="$stock_flags"
		make -C lib
		make -C bc
		cp bc/bc ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 900000; i++)
			print "httpd: order " i * 7919 % 999983 " of shop " i % 70 " was sent in " i * i % 977 " ms"
	}' > log
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

compute() {
	record taskset -c "$processor" "$built/bc" -q "$case_dir/factorials.bc"
	grep -q '^18000! has 68781 digits$' output
}

base() {
	prepare
	compute
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in shop wiki; do
		taskset -c "$processor" brotli -q 11 -c "$built/log" > /dev/null &
		jobs+=($!)
	done
	compute
}

# The first multiplies digit by digit; the compiler may inline it into the second, which splits long
# factors and is the only one to call it.
truth() {
	echo '^(_bc_simp_mul|_bc_rec_mul)$' '^bc$'
}
