# SPDX-License-Identifier: MIT
# Processes that plan ways through a warehouse book what they took in a file that all of them share,
# under a lock on the file. Another one takes stock again and again. In the slow run this keeps the
# lock until its list of all articles is sorted and summed up; in the base until it has read the file.

about="lock on a file held while a list is made"
cause=real
traits="a program with flock: C, several processes"
packages=(gcc libc6-dev)
stack_bytes=4096
half=fresh
says="the cause is that processes that book articles wait for the lock on the file, which take_stock holds while it sorts and sums up all articles"
told='take_stock'

build() {
	for kind in base slow; do
		mkdir "$kind"
	done
	gcc $stock_flags -o base/warehouse "$case_dir/warehouse.c"
	gcc $stock_flags -DLOCKED_LIST -o slow/warehouse "$case_dir/warehouse.c"
}

base() {
	record "$built/base/warehouse" stock
}

slow() {
	record "$built/slow/warehouse" stock
}

truth() {
	echo '^take_stock$' '^warehouse$'
}
