# SPDX-License-Identifier: MIT
# Two threads count tickets, each at a gate of its own and with counters of its own. In the slow run
# the counters of both gates lie in the same line of the processors' caches, which goes to and fro
# between them; in the base they are apart.

about="counters of two threads in one cache line"
cause=real
traits="a program: C++, several threads"
packages=(g++)
half=fresh
says="the cause is count_tickets, which takes longer for each ticket although it does the same (its memory is shared with the other thread)"
told='count_tickets'

build() {
	g++ $stock_flags -g -std=c++17 -pthread -o gates "$case_dir/gates.cc"
}

base() {
	record "$built/gates" 128
}

slow() {
	record "$built/gates" 32
}

truth() {
	echo '^(.*::)?count_tickets(\(.*)?$' '^gates$'
}
