# SPDX-License-Identifier: MIT
# jq 1.6 finds out how many characters stand before a match by counting them from the beginning of
# the string, for each match again. The base's build, of another name, goes on counting where the
# match before ended.

about="a version that counts from the start for each match"
cause=real
traits="jq: two versions by their file names, C, one thread"
packages=(dpkg-dev gcc make patch autoconf automake libtool libonig-dev)

half=worked
says="the cause is f_match of jq-1.6, which counts the characters before each match from the beginning of the text; jq-1.6-fixed does not"
told='f_match'

build_as() {
	fetch_source jq
	if [ $# -gt 1 ]; then
		patch -p1 < "$2"
	fi
	autoreconf -fi
	./configure --disable-shared --disable-docs --disable-maintainer-mode CFLAGS="$stock_flags"
	make -j"$(nproc)"
	cp jq "$built/$1"
}

build() {
	mkdir base slow base-source slow-source
	(cd base-source && build_as base/jq-1.6-fixed "$case_dir/offsets.patch")
	(cd slow-source && build_as slow/jq-1.6)
	rm -r base-source slow-source
}

# The numbers in each of 400 lines of 1000.
scan() {
	seq 1000001 1400000 | xargs -n 1000 > log
	record "$1" --raw-input '[scan("[0-9]+")] | length' log
	[ "$(grep -cx 1000 output)" -eq 400 ]
}

base() {
	scan "$built/base/jq-1.6-fixed"
}

slow() {
	scan "$built/slow/jq-1.6"
}

truth() {
	echo '^f_match$' '^jq-1\.6'
}
