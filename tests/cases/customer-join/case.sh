# SPDX-License-Identifier: MIT
# For each order of a list the customer is looked up. In the base the list is sorted by customers, as
# these lie in memory; in the slow run the same lines come as they were ordered, two of each order, and
# the look-ups wait for memory that no cache has.

about="look-ups in an order that no cache can follow"
cause=real
traits="a program that joins two lists: C, one thread"
packages=(gcc libc6-dev)
half=fresh
says="the cause is find_customer, which misses the processor's caches again and again, as the orders come unsorted"
told='find_customer'

build() {
	gcc $stock_flags -o join "$case_dir/join.c"
	awk 'BEGIN {
		for (i = 0; i < 200000; i++)
			printf "%d %d %d customer%d\n", i, i * 31 % 40, i % 5, i * 7919 % 700001
	}' > customers
	awk 'BEGIN {
		for (i = 0; i < 4000000; i++)
			printf "%d %d %d\n", i / 20, i * 77 % 9000 + 100, i % 9 + 1
	}' > sorted
	awk 'BEGIN {
		for (i = 0; i < 4000000; i++) {
			j = int(i / 2) * 1299709 % 2000000 * 2 + i % 2
			printf "%d %d %d\n", j / 20, j * 77 % 9000 + 100, j % 9 + 1
		}
	}' > mixed
}

join_lists() {
	record "$built/join" "$built/customers" "$built/$1"
	grep -q '^4000000 orders, 0 unknown' output
}

base() {
	join_lists sorted
}

slow() {
	join_lists mixed
}

truth() {
	echo '^find_customer$' '^join$'
}
