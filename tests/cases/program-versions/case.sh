# SPDX-License-Identifier: MIT
# Lists of the articles of shops are compared with older ones, which are in another order from the
# middle on. diff gives up to search for the fewest changes where that takes too long; 3.4 and 3.5
# had lost this, and 3.6 has it again, with a higher limit (bugs.gnu.org/24715). The second diff has
# that change taken out.

about="two versions of diff, the limit of a search taken out"
cause=real
traits="diff: two versions by their file names, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is diag, part of compareseq, in diff-3.5: it searches for the fewest changes between very different files without ever giving up"
told='diag|compareseq'

build() {
	fetch_source diffutils
	./configure --disable-nls --disable-dependency-tracking CFLAGS="$stock_flags"
	make -j"$(nproc)" -C lib
	make -j"$(nproc)" -C src version.h
	make -j"$(nproc)" -C src diff
	mv src/diff diff-3.6
	sed -i '/^      if (c >= ctxt->too_expensive)$/,/^        }$/d' lib/diffseq.h
	[ "$(grep -c 'ctxt->too_expensive' lib/diffseq.h)" = 0 ]
	rm src/analyze.o
	make -C src diff
	mv src/diff diff-3.5
	make_lists
	! cmp -s diff-3.5 diff-3.6
}

# For each shop a list of 50000 articles, of which every ninth has a new price. The old one is sorted
# by number; the new one is so up to the middle, and then goes through the shelves.
make_lists() {
	local shop
	mkdir old new
	for shop in 1 2 3; do
		awk -v shop="$shop" 'BEGIN {
			for (i = 0; i < 50000; i++) {
				shelf = (i + shop) * 7919 % 50021 % 400
				printf "%d %d ", i < 25000 ? i : 25000 + shelf, i
				printf "%06d;article %s;%d.%s%02d;shelf %d\n", i, i * 31 % 977,
					i * 7919 % 1000, i % 9 == 4 ? "new" : "old", i % 100, shelf
			}
		}' > articles
		sed 's/^[0-9]* [0-9]* //; s/new\|old//' articles > "old/shop-$shop.csv"
		LC_ALL=C sort -k1,1n -k2,2n articles |
			sed 's/^[0-9]* [0-9]* //; s/old//; s/new/5/' > "new/shop-$shop.csv"
	done
	rm articles
}

# compare NUMBER: by the diff of this number, which exits with status 1 where lists differ.
compare() {
	# shellcheck disable=SC2016 # for sh
	record sh -c '"$@" || [ $? = 1 ]' - "$built/diff-$1" -r "$built/old" "$built/new"
	grep -q '^> .*;shelf 399$' output
}

base() {
	compare 3.6
}

slow() {
	compare 3.5
}

truth() {
	echo '^(diag|compareseq)$' '^diff-3[.]5$'
}
