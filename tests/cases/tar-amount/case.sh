# SPDX-License-Identifier: MIT
# A backup leaves out the caches of a list. In the slow run each line of it ends with an asterisk:
# tar then compares each file's name with all of them in turn, where it looked names without
# wildcards up in a hash table. There are 1.6 times as many files, too.

about="names to exclude that are patterns, and more files"
cause=real
traits="tar: archiver, C, two processes"
packages=(dpkg-dev gcc make zstd)
half=fresh
says="the cause is that tar compares each file's name with a long list of patterns to exclude (excluded_file_name)"
told='excluded_file_name|file_pattern_matches|exclude_fnmatch'

build() {
	fetch_source tar
	FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls CFLAGS="$stock_flags"
	make -j"$(nproc)"
}

# back_up FILES [END]: so many of each of 100 shops; with END each name of the list ends.
back_up() {
	mkdir -p srv/shop{0..99}/orders/2026
	awk -v files="$1" 'BEGIN {
		for (file = 0; file < 100 * files; file++) {
			name = "srv/shop" file % 100 "/orders/2026/" int(file / 100)
			for (i = 0; i < 1000; i++)
				print "order " i * 7919 * file % 999983 " of " i * i * file % 9973 / 100 " EUR was sent" > name
			close(name)
		}
	}'
	seq -f "shop%.0f/orders/cache${2:-}" 1000 > caches
	LC_ALL=C.UTF-8 record "$built/src/tar" -c --zstd -b 256 -f backup.tar.zst -X caches srv
}

base() {
	back_up 30
}

slow() {
	back_up 48 '*'
}

truth() {
	echo '^(excluded_file_name|file_pattern_matches)$' '^tar$'
}
