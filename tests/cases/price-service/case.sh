# SPDX-License-Identifier: MIT
# A script asks a service for prices over HTTP. In the slow run the service is set up to look at its
# list of prices anew for each question, as somebody changes them often; in the base it has read them
# once.

about="a service that reads its list anew for each question"
cause=real
traits="a service with libmicrohttpd and a script in Python: C, several processes and threads"
packages=(gcc libc6-dev libmicrohttpd-dev python3)
stack_bytes=4096
half=fresh
says="the cause is load_prices in priced: it reads the whole list of prices anew for each question, while the script waits"
told='load_prices'

build() {
	gcc $stock_flags -o priced "$case_dir/priced.c" -lmicrohttpd
	awk 'BEGIN { for (i = 0; i < 10000; i++) print "article" i, i * 31 % 9973 }' > prices
}

# ask MODE: whether the list is read once or always.
ask() {
	record "$case_dir/shop.sh" "$built/priced" "$(free_port)" "$built/prices" "$1" 400
	grep -q '^400 prices' output
}

base() {
	ask once
}

slow() {
	ask always
}

truth() {
	echo '^load_prices$' '^priced$'
}
