# SPDX-License-Identifier: MIT
# A catalogue that a program wrote as a manual page is formatted; it gives each article a string of its
# own to be used by name. mandoc keeps strings in a list and goes through it for each that is defined or
# asked for, and for each macro, so that its time grows with the square of their number. In the base the
# page gives all articles the same few strings again and again.

about="a string of its own for each article"
cause=real
traits="mandoc: formatter, C, one thread"
packages=(dpkg-dev gcc make zlib1g-dev)
half=fresh
says="the cause is that mandoc looks up strings, of which the page defines many, by going through a list of all of them, in roff_getstrn and roff_setstrn"
told='roff_[gs]etstrn'

build() {
	fetch_source mandoc
	printf '%s\n' "CFLAGS='$stock_flags'" 'STATIC=' > configure.local
	./configure
	make -j"$(nproc)" mandoc
}

# format NAMES: of so many strings.
format() {
	awk -v names="$1" 'BEGIN {
		print ".TH CATALOGUE 7\n.SH ARTICLES"
		for (i = 0; i < 11000; i++) {
			print ".ds article" i % names " article " i * 7919 % 9973 " of shelf " i % 70
			print ".PP\n\\*[article" i % names "] costs"
			print ".B " i * 17 % 4001
			print "cents, and is sold by the piece, by the dozen and by the hundred."
		}
	}' > catalogue.7
	record "$built/mandoc" -T utf8 -O width=78 catalogue.7
}

base() {
	format 20
}

slow() {
	format 11000
}

truth() {
	echo '^roff_[gs]etstrn$' '^mandoc$'
}
