# SPDX-License-Identifier: MIT
# A log is cleared of the messages that a list of rules tells to ignore, each a whole line, joined
# into one expression; the others are shortened. For each of its anchors sed up to 4.8 goes through
# all positions of the expression; 4.9 keeps the positions before each, and goes through those
# (bugs.gnu.org/40634). The second sed has that change taken out.

about="two versions of sed, the fix of a quadratic step reverted"
cause=real
traits="sed: filter, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is epsclosure, part of dfaanalyze, in sed-4.8: compiling the expression takes it too long"
told='epsclosure|dfaanalyze'

build() {
	fetch_source sed
	./configure --disable-nls --disable-acl --without-selinux CFLAGS="$stock_flags"
	make -j"$(nproc)"
	mv sed/sed sed-4.9
	sed -i '/^epsclosure/,/^}/{
		s/j < backward\[i\][.]nelem/j < d->tindex/
		s/d->follows\[backward\[i\][.]elems\[j\][.]index\]/d->follows[j]/
		/j < d->follows/,/NO_CONSTRAINT, &tmp/d
	}' lib/dfa.c
	[ "$(grep -c 'd->follows\[j\], i, &d->follows\[i\]' lib/dfa.c)" = 1 ]
	make sed/sed
	mv sed/sed sed-4.8
	! cmp -s sed-4.8 sed-4.9
}

clear_log() {
	seq -f '^backupd: volume %.0f is clean$' 2200 | paste -s -d '|' | sed 's:.*:/&/d:' > rules
	printf '%s\n' 's/ of shop [0-9]+ (was|is)( not)? sent/: \1\2/' >> rules
	awk 'BEGIN {
		for (i = 0; i < 300000; i++)
			if (i % 40)
				print "httpd: order " i " of shop " i % 70 " was sent"
			else
				print "backupd: volume " i % 7 + 1 " is clean"
	}' > log
	LC_ALL=C.UTF-8 record "$built/$1" -E -f rules log
}

base() {
	clear_log sed-4.9
}

slow() {
	clear_log sed-4.8
}

truth() {
	echo '^(epsclosure|dfaanalyze)$' '^sed-4[.]8$'
}
