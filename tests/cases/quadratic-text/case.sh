# SPDX-License-Identifier: MIT
# A list of long numbers gets check numbers. In the slow run it begins with ibase=16, and bc reads the
# same digits as hexadecimal ones: for each digit it multiplies and adds all that it has read of the
# number, which takes time by the square of the number's length. In the base they are decimal.

about="long hexadecimal numbers"
cause=real
traits="bc: calculator, C, one thread"
packages=(bison dpkg-dev ed flex gcc libreadline-dev make texinfo)
half=fresh
says="the cause is push_constant in bc: it reads the long hexadecimal numbers digit by digit, and multiplies the whole number for each"
told='push_constant'

build() {
	fetch_source bc
	./configure --without-readline CFLAGS="$stock_flags"
	make -j"$(nproc)" ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=:
}

# check_numbers BASE: of the digits.
check_numbers() {
	awk -v base="$1" 'BEGIN {
		print "ibase=" base
		print "define c(n) { return (n * n + 3 * n + 1) % 987654321987654321 }"
		for (i = 1; i <= 200; i++) {
			printf "n = 1"
			for (digit = 0; digit < 2400; digit++)
				printf "%d", (i * 7919 + digit * digit * 31) % 9973 % 10
			printf "\ns += c(n) + c(n + %d)\n", i
		}
		print "print \"check number \", s, \"\\n\""
	}' > numbers
	record "$built/bc/bc" -q numbers < /dev/null
	grep -q '^check number [0-9]' output
}

base() {
	check_numbers 10
}

slow() {
	check_numbers 16
}

truth() {
	echo '^push_constant$' '^bc$'
}
