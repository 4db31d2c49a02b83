# SPDX-License-Identifier: MIT
# A script adds each new visitor to an array by assigning a list of all old ones and the new one: the
# array is copied each time. In the base it pushes the new one.

about="array copied for each new element"
cause=real
traits="Perl: interpreter, C, one thread"
packages=(perl-base)
half=fresh
says="the cause is that perl copies a whole array whenever the script adds one element to it, by assigning a list, in Perl_pp_aassign"
told='pp_aassign'

build() {
	awk 'BEGIN {
		for (i = 100; i < 1000000; i++) {
			visitor = i % 100 == 0 ? i / 100 : i * 7919 % int(i / 100)
			print "10.0." int(visitor / 250) "." visitor % 250, "GET /orders/" i, "took", i * 31 % 977, "ms"
		}
	}' > visits.txt
}

base() {
	record /usr/bin/perl "$case_dir/visitors.pl" "$built/visits.txt" push
}

slow() {
	record /usr/bin/perl "$case_dir/visitors.pl" "$built/visits.txt" list
}

truth() {
	echo '^Perl_pp_aassign$' '^perl$'
}
