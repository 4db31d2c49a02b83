# SPDX-License-Identifier: MIT
# A script for mawk gives each pallet that comes into a store any of the free places: the first one that
# a loop over them meets. mawk makes a list of all elements before such a loop, however soon it is left.
# In the base the store has few places; in the slow run it has thousands, and a quarter of the pallets
# come.

about="loop over a large array that is left at once, of fewer records"
cause=real
traits="mawk: interpreter, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
stack_bytes=2048
half=fresh
says="the cause is that mawk makes a list of all elements of a large array (array_loop_vector) for each loop over it, though the script takes only the first one"
told='array_loop_vector'

build() {
	fetch_source mawk
	./configure CFLAGS="$stock_flags"
	make
}

# store PALLETS PLACES
store() {
	awk -v pallets="$1" 'BEGIN {
		for (i = 0; i < pallets; i++) {
			print "in P" i, 200 + i * 7919 % 601
			if (i >= 15)
				print "out P" i - 15
		}
	}' > pallets
	record "$built/mawk" -v "places=$2" -f "$case_dir/store.awk" pallets
	grep -q "^$1 stored, 0 refused" output
}

base() {
	store 1600000 20
}

slow() {
	store 400000 4000
}

truth() {
	echo '^array_loop_vector$' '^mawk$'
}
