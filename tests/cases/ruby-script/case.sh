# SPDX-License-Identifier: MIT
# A script follows the vans of a delivery service from stop to stop, and holds the next stop of each
# of them in an array, in order. Whenever it adds one it sorts the whole array; in the base it looks
# for the stop's place, and inserts it there.

about="array sorted for each new element"
cause=real
traits="Ruby: interpreter, C, one thread"
packages=(ruby)
half=fresh
says="the cause is that Ruby sorts a whole array (Array#sort!) whenever the script adds one element to it, in rb_ary_sort_bang"
told='rb_ary_sort_bang'

build() {
	awk 'BEGIN {
		for (i = 0; i < 500; i++)
			print i ";driver " i * 7919 % 997 ";" 300 + i * 31 % 61 ";" 1 + i % 3
	}' > vans.txt
}

base() {
	record /usr/bin/ruby --disable-gems "$case_dir/rounds.rb" "$built/vans.txt" placed
}

slow() {
	record /usr/bin/ruby --disable-gems "$case_dir/rounds.rb" "$built/vans.txt" sorted
}

truth() {
	echo '^rb_ary_sort_bang$' '^libruby[-0-9.]*[.]so'
}
