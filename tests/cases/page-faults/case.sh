# SPDX-License-Identifier: MIT
# A program writes invoices. Each group of customers has discounts, which are put into a private copy
# of the price list, mapped from its file. In the base the orders come sorted by group; in the slow
# run as they came in: then nearly each order maps the list anew, and copies its pages fault by fault.

about="private copy of a mapped file, made anew for each order"
cause=real
traits="a program that maps a file: C, one thread"
packages=(gcc libc6-dev)
stack_bytes=2048
half=fresh
says="the cause is that switch_group maps the price list anew for nearly each order, and each page that a discount changes is copied by a page fault"
told='switch_group'

build() {
	# shellcheck disable=SC2086 # several flags
	gcc $stock_flags -o invoices "$case_dir/invoices.c"
	./invoices make prices
	awk 'BEGIN {
		for (group = 0; group < 12; group++)
			for (i = 0; i < 6000; i++)
				print group, (i * 104729 + group * 7919) % 500000, 2 + (i + group) % 30
	}' > discounts
}

# write_orders sorted|unsorted: the same ones, by group or as they came in
write_orders() {
	awk -v sorted="$1" '
	function write_order(order) {
		print "order " order " " order * 7 % 12
		for (i = 0; i < 2500; i++)
			print (order * 7919 + i * 15485863) % 500000, 1 + (order + i) % 9
	}
	BEGIN {
		groups = sorted == "sorted" ? 12 : 1
		for (group = 0; group < groups; group++)
			for (order = 0; order < 1000; order++)
				if (order * 7 % groups == group)
					write_order(order)
	}' > orders
}

# bill sorted|unsorted
bill() {
	write_orders "$1"
	record "$built/invoices" write "$built/prices" "$built/discounts" orders
	grep -q '^1000 orders' output
}

base() {
	bill sorted
}

slow() {
	bill unsorted
}

truth() {
	echo '^switch_group$' '^invoices$'
}
