# SPDX-License-Identifier: MIT
# A program fetches the rates of many currencies from a server. In the slow run the server has been set
# to take fewer requests in a second, and refuses the others: the program waits before it asks again,
# each time twice as long. In the base the server takes all. The slow run has a tenth more rates besides.

about="requests refused, and asked again after waits that double"
cause=real
traits="a program and its server in Python: C, two processes"
packages=(gcc libc6-dev python3)
half=fresh
says="the cause is wait_before_retry: the server refuses requests as too many, and the program sleeps before it asks again"
told='wait_before_retry'

build() {
	gcc $stock_flags -o rates "$case_dir/rates.c" -lm
}

# fetch_rates COUNT LIMIT: so many rates, from a server that takes so many requests in a second.
fetch_rates() {
	record "$case_dir/fetch.sh" "$built/rates" "$case_dir/server.py" "$1" "$2" "$(free_port)"
	grep -q "^$1 rates" output
}

base() {
	fetch_rates 1500 1000000
}

slow() {
	fetch_rates 1650 700
}

truth() {
	echo '^wait_before_retry$' '^rates$'
}
