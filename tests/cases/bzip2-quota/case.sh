# SPDX-License-Identifier: MIT
# A log is compressed in a control group of its own. In the slow run the group has a quota of seven
# tenths of a processor, and the kernel stops the program for what is left of each tenth of a second;
# in the base it has none. As root only.

about="a processor's quota"
cause=real
traits="bzip2: client, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is not in the program: it is stopped again and again while it compresses, and is not given the processor although it could run (the quota of its control group)"
told='quota|throttl|cgroup|control group'

build() {
	fetch_source bzip2
	make -j"$(nproc)" CFLAGS="$stock_flags -D_FILE_OFFSET_BITS=64" \
		LDFLAGS="-Wl,-rpath,$PWD" bzip2
}

# compress QUOTA: microseconds of each 100000, or max.
compress() {
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 350000; i++)
			printf "10.0.%d.%d - - \"GET /orders/%d HTTP/1.1\" 200 %d\n", rand() * 256, rand() * 256,
				rand() * 100000, rand() * 5000
	}' > log
	record "$case_dir/limited" "$1" "$built/bzip2" -k -9 log
}

base() {
	compress max
}

slow() {
	compress 70000
}

truth() {
	echo '^BZ2_compressBlock$' '^libbz2\.so'
}
