# SPDX-License-Identifier: MIT
# A map of a lake is drawn from the depths that a boat measured, between which gnuplot puts a surface
# of thin plates. In the slow run two nightly jobs, which compress dumps of databases, have been put
# on the same processor; they are not recorded.

about="processor taken by nightly jobs of lzip"
cause=real
traits="gnuplot and jobs outside of the recording: plotting program, C, one thread"
packages=(autoconf automake dpkg-dev gcc lzip make python3 util-linux)
half=fresh
says="the cause is that lzip took the processor while gnuplot was to solve its equations in lu_decomp"
told='taken by .*lzip'

build() {
	mkdir source
	(
		cd source
		fetch_source gnuplot
		autoreconf -fi
		./configure --disable-wxwidgets --with-qt=no --with-readline=builtin --without-amos \
			--without-cairo --without-gd --without-latex --without-libcerf --without-lua --without-x \
			CFLAGS="$stock_flags"
		make -j"$(nproc)" -C src gnuplot
		cp src/gnuplot ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 1600; i++) {
			x = i * 7919 % 10007 / 100
			y = i * 104729 % 9973 / 100
			print x, y, -20 + 8 * sin(x / 13) * cos(y / 17) + i * 31 % 97 / 100
		}
	}' > depths
	awk 'BEGIN {
		for (i = 0; i < 1600000; i++)
			print "insert into trips values (" i ", " i * 7919 % 999983 ", " i * i % 9973 / 100 ");"
	}' > dump.sql
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

draw() {
	record taskset -c "$processor" "$built/gnuplot" -e "depths='$built/depths'" "$case_dir/lake.gp"
	grep -q '</svg>' lake.svg
}

base() {
	prepare
	draw
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in boats berths; do
		taskset -c "$processor" lzip -9 -c "$built/dump.sql" > /dev/null &
		jobs+=($!)
	done
	draw
}

truth() {
	echo '^lu_decomp$' '^gnuplot$'
}
