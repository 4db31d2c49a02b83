# SPDX-License-Identifier: MIT
# A backup is tested, of which nothing is in memory. In the slow run the control group in which that
# happens may read no more than some megabytes of the disk in a second, and the kernel keeps each read
# waiting; in the base there is no such limit. As root only.

about="a disk's rate limited for a control group"
cause=real
traits="lzip: C++, one thread"
packages=(dpkg-dev g++ make)
half=fresh
says="the cause is not in the program: its reads of the disk in readblock are kept waiting (the rate that its control group may read)"
told='read_?block|throttl|\bdisk\b'

build() {
	fetch_source lzip
	./configure CXXFLAGS="$stock_flags"
	make
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 700000; i++)
			printf "%d;%d;%.3f;order of customer %d\n", i, rand() * 1000000, rand() * 900, rand() * 70000
	}' > orders
	./lzip -0 orders
}

# test_backup BYTES: to be read in a second, or max.
test_backup() {
	cp "$built/orders.lz" backup.lz
	# Out of memory, so that it must be read from the disk.
	sync backup.lz
	dd if=backup.lz iflag=nocache count=0 status=none
	record "$case_dir/limited" "$1" "$built/lzip" -tv backup.lz
	grep -q ' ok$' output
}

base() {
	test_backup max
}

slow() {
	test_backup 4500000
}

truth() {
	echo '^readblock' '^lzip$'
}
