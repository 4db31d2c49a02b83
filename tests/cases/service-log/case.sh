# SPDX-License-Identifier: MIT
# An import reports what it does to multilog, which keeps the reports and has each file compressed that
# is full. In the slow run it is to use xz: multilog waits until that is done and
# reads nothing meanwhile, and the import waits as the pipe is full. In the base gzip compresses, and is
# soon done.

about="a log's pipe full, as its files are compressed too well"
cause=real
traits="multilog of daemontools, compressors and an import in awk: C, several processes"
packages=(dpkg-dev gcc gzip make mawk xz-utils)
half=fresh
says="the cause is fullcurrent of multilog, which waits until xz has compressed the log's last file, while the import waits as the pipe to multilog is full"
told='fullcurrent|\bxz\b'

build() {
	fetch_source daemontools
	local sources
	sources=$(dirname "$(find . -name multilog.c)")
	echo "gcc $stock_flags -include errno.h" > "$sources/conf-cc"
	echo gcc > "$sources/conf-ld"
	echo "$PWD" > "$sources/home"
	make -C "$sources" multilog
	cp "$sources/multilog" import-multilog
	awk 'BEGIN {
		for (i = 0; i < 75000; i++)
			print i, i * 7919 % 99991, i * 31 % 977, i * i % 89, "article" i % 1009
	}' > orders
}

# import_orders COMPRESSOR
import_orders() {
	record "$case_dir/import.sh" "$built/import-multilog" "$1" "$case_dir/import.awk" "$built/orders"
	grep -q '^75000 orders' totals
}

base() {
	import_orders 'gzip -1'
}

slow() {
	import_orders 'xz -3'
}

truth() {
	echo '^fullcurrent$' '^import-multilog$'
}
