# SPDX-License-Identifier: MIT
# Orders are sent to a server, each over a connection of its own. In the slow run the client reads each
# answer until the connection ends, which the server keeps open for a tenth of a second in case there is
# another request; in the base the client reads as much as the answer says it is long.

about="an answer read until the connection ends"
cause=real
traits="a client and a server: C, two processes over TCP"
packages=(gcc)
half=fresh
says="the cause is read_answer in orders, which goes on reading after the whole answer has come, until the server closes the connection after its timeout"
told='read_answer'

build() {
	gcc $stock_flags -g -o orders "$case_dir/orders.c"
	gcc $stock_flags -g -o desk "$case_dir/desk.c"
}

base() {
	record "$built/orders" "$built/desk" length 25
}

slow() {
	record "$built/orders" "$built/desk" end 25
}

truth() {
	echo '^read_answer$' '^orders$'
}
