# SPDX-License-Identifier: MIT
# Orders are put into a waiting list by their days. In the slow run each is put at its place in a
# List, which moves all behind it; in the base they are added and sorted once.

about="items put into the beginning of a list one by one"
cause=real
traits="a program with lists: C#, Mono, one thread and those of its machine"
packages=(mono-runtime mono-mcs)
half=fresh
says="the cause is Orders.Queue: it inserts each order at its place in a List, which moves all behind it"
told='Orders[.:]+Queue|Orders.*Queue'

build() {
	mcs -optimize+ -out:orders.exe "$case_dir/Orders.cs"
}

queue_orders() {
	record mono --jitmap "$built/orders.exe" "$1"
	grep -q '^first 0, 120000 orders' output
}

base() {
	queue_orders sorted
}

slow() {
	queue_orders inserted
}

truth() {
	echo 'Orders[.:]+Queue' 'anon|jit'
}
