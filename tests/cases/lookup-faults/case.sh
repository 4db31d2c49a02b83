# SPDX-License-Identifier: MIT
# Prices are looked up in a database that is mapped into memory. In the slow run the program's control
# group has less memory than the database, so that the kernel takes pages away again that are asked for
# later; in the base it has enough.

about="memory of a group too small for a mapped database"
cause=real
traits="a program with LMDB: C, one thread"
packages=(gcc liblmdb-dev)
half=fresh
says="the cause is that find_price touches pages of the database that have to be read from the disk again, as the group has too little memory"
told='find_price'

build() {
	gcc $stock_flags -o prices "$case_dir/prices.c" -llmdb
	mkdir database
	./prices make database
}

# enter_group BYTES: a control group of its own, which may have so much memory.
enter_group() {
	local old=/sys/fs/cgroup/memory
	if [ -e "$old/cgroup.procs" ]; then
		group=$old/introperf-case.$$
		mkdir "$group"
		echo "$1" > "$group/memory.limit_in_bytes"
	else
		group=/sys/fs/cgroup/introperf-case.$$
		mkdir "$group"
		echo +memory > /sys/fs/cgroup/cgroup.subtree_control
		echo "$1" > "$group/memory.max"
	fi
}

# look_up BYTES
look_up() {
	[ "$(id -u)" -eq 0 ] || fail "only root may make a control group"
	trap 'rmdir "$group"; clean_up' EXIT
	enter_group "$1"
	sync
	# What others have read of it counts as theirs.
	dd if="$built/database/data.mdb" iflag=nocache count=0 status=none
	# shellcheck disable=SC2016 # for the other shell
	record sh -c 'echo $$ > "$1/cgroup.procs"; exec "$2" find "$3"' sh "$group" "$built/prices" \
		"$built/database"
}

base() {
	look_up 2000000000
}

slow() {
	look_up 150000000
}

truth() {
	echo '^find_price$' '^prices$'
}
