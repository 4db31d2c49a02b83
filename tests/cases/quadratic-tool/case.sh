# SPDX-License-Identifier: MIT
# tree draws a list of file names that is sorted already: it looks for the place of each name from
# the beginning of its directory, which it keeps in a list, and finds it at the end. In the base the
# list has the other order, and each place is the first one.

about="sorted names that are inserted into a list from its beginning"
cause=real
traits="tree: client, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
half=fresh
says="the cause is search, which compares each name with all those before it in its directory"
told='\bsearch\b'

build() {
	fetch_source tree
	make tree CFLAGS="$stock_flags -std=c11 -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DLINUX"
}

draw() {
	for ((i = 0; i < 200; i++)); do
		seq -f "photos/album$i/picture%05.0f.jpg" 1500
	done | sort "$@" > list
	record "$built/tree" --fromfile list
}

base() {
	draw --reverse
}

slow() {
	draw
}

truth() {
	echo '^search$' '^tree$'
}
