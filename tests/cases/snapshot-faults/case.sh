# SPDX-License-Identifier: MIT
# A store of prices writes snapshots of itself: a child process does, that is made by fork, while the
# store goes on. In the slow run it is set up to write them very often, and each time the pages that
# the store changes must be copied for it first; in the base there are two.

about="snapshots by fork, very often"
cause=real
traits="a store that forks: C, one thread, several processes"
packages=(gcc libc6-dev)
stack_bytes=2048
half=fresh
says="the cause is that after each snapshot that save_snapshot forks, the first change of each page in change_price is a page fault that copies it"
told='save_snapshot|change_price'

build() {
	gcc $stock_flags -o store "$case_dir/store.c"
}

base() {
	record "$built/store" 2
	grep -q '^4000000 changes' output
}

slow() {
	record "$built/store" 40
	grep -q '^4000000 changes' output
}

truth() {
	echo '^(change_price|save_snapshot)$' '^store$'
}
