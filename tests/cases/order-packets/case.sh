# SPDX-License-Identifier: MIT
# A till asks a clerk on its own machine for the price of each order. In the slow run it writes the
# order's head and the order one after the other: the kernel keeps the second until the first one is
# acknowledged (Nagle), and the clerk's kernel is late with that, as there is no answer to send with
# it yet. In the base both are written at once.

about="a message in two writes, kept back by the kernel"
cause=real
traits="a client and a server: C, two processes over TCP"
packages=(gcc)
half=fresh
says="the cause is exchange in till, which sends each order by two writes and then waits for the answer, for 40 milliseconds each time; the clerk gets the second write so late"
told='exchange'

build() {
	gcc $stock_flags -g -o till "$case_dir/till.c"
	gcc $stock_flags -g -o clerk "$case_dir/clerk.c"
}

base() {
	record "$built/till" "$built/clerk" once 60
}

slow() {
	record "$built/till" "$built/clerk" twice 60
}

truth() {
	echo '^exchange$' '^till$'
}
