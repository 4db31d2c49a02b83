# SPDX-License-Identifier: MIT
# A script asks of each line whether one field begins with another, by a regular expression made of
# that field: gawk compiles it for each line. In the base it asks index(). The base has three times
# as many lines.

about="regular expression compiled for each line, of fewer lines"
cause=real
traits="gawk: interpreter, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
half=fresh
says="the cause is that gawk compiles a new regular expression for each line, in make_regexp"
told='make_regexp'

build() {
	mkdir source
	(
		cd source
		fetch_source gawk
		./configure --disable-nls --disable-extensions --without-mpfr --without-readline \
			CFLAGS="$stock_flags"
		make -j"$(nproc)" -C support
		make -j"$(nproc)" gawk
	)
	cp source/gawk .
	rm -r source
	seq 1800000 | awk '{
		printf "C%05d %s C%05d-%d\n", $1 * 7919 % 50000, $1 % 3 ? "paid" : "open",
			($1 + !($1 % 5)) * 7919 % 50000, $1 }' > orders.txt
}

count_orders() {
	head -n "$1" "$built/orders.txt" > orders.txt
	record "$built/gawk" "$2 { own++ } END { print own }" orders.txt
}

base() {
	# shellcheck disable=SC2016 # for gawk
	count_orders 1800000 'index($3, $1) == 1'
}

slow() {
	# shellcheck disable=SC2016 # for gawk
	count_orders 600000 '$3 ~ "^" $1'
}

truth() {
	echo '^make_regexp$' '^gawk$'
}
