# SPDX-License-Identifier: MIT
# Clerks, each a process, book orders in the file of a stock, under a lock on that file (fcntl).
# Another process lists the stock over and over. In the slow run it holds the lock meanwhile, and
# the clerks wait; in the base it copies the stock under the lock, and lists the copy.

about="lock on a file held while a list is made"
cause=real
traits="a stock in a file with a lock (fcntl): C, several processes"
packages=(gcc libc6-dev)
half=fresh
says="the cause is that clerks wait for the lock on the stock's file, which report_stock holds while the whole stock is sorted and printed"
told='report_stock'

build() {
	gcc $stock_flags -o stock "$case_dir/stock.c"
}

book_orders() {
	record "$built/stock" "$1"
	grep -q '^in stock: 606441536$' output || fail "orders are lost: $(tail -n 3 output)"
}

base() {
	book_orders copied
}

slow() {
	book_orders held
}

truth() {
	echo '^report_stock$' '^stock$'
}
