# SPDX-License-Identifier: MIT
# A site is searched for links; an expression asks with a back-reference that a link ends with the
# quotation mark that began it, and so each line with a link is searched a second time, by the
# backtracking matcher instead of the automaton. In the base both marks are written out, which finds
# the same lines, and the site has fewer pages.

about="back-reference in an expression, and more files"
cause=real
traits="GNU grep: client, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is the back-reference in the expression: grep has every line with a link searched again by the slow matcher for back-references (re_search), beside its fast one; that there are more files explains the smaller part"
told='re_search|sub_?exp|bkref|back-?ref'

build() {
	fetch_source grep
	FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls --disable-perl-regexp --with-included-regex \
		CFLAGS="$stock_flags"
	# Debian's patches are newer than the files that automake would make again.
	make -j"$(nproc)" -C lib AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=:
	make -j"$(nproc)" -C src AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=: grep
}

# search PAGES EXPRESSION: how many lines of each of so many pages match. The pages are one file with
# many names.
search() {
	local i
	mkdir site
	awk 'BEGIN {
		for (i = 0; i < 30000; i++) {
			line = "<p>Order " i " was sent on the next day, and arrived without damage, in one piece.</p>"
			if (i % 100 == 0)
				line = "<p>See <a class=\"order\" href=\"https://shop.example/orders/" i "\">" i "</a></p>"
			print line
		}
	}' > page
	for ((i = 0; i < $1; i++)); do
		ln page "site/$i.html"
	done
	export LC_ALL=C.UTF-8
	record "$built/src/grep" -r -c -E "$2" site
}

base() {
	search 400 "href=(\"https://.*\"|'https://.*')"
}

slow() {
	search 1000 "href=([\"'])https://.*\\1"
}

truth() {
	echo '^re_search_internal$' '^grep$'
}
