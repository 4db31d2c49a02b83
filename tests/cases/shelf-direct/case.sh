# SPDX-License-Identifier: MIT
# Prices are looked up in a file, page by page, many of them again and again. In the slow run the file
# is opened with O_DIRECT, as for a store that has a cache of its own, which this program has not: each
# page comes from the disk. In the base the kernel keeps the pages in memory.

about="the kernel's cache not used"
cause=real
traits="a program: Rust, one thread"
packages=(rustc)
half=fresh
says="the cause is read_page, which waits for the disk each time it reads a page (the file is opened with O_DIRECT)"
told='read_page'

build() {
	rustc -C opt-level=2 -g -o shelf "$case_dir/shelf.rs"
	"$built/shelf" fill prices 4000
	sync prices
}

# look_up HOW
look_up() {
	cat "$built/prices" > /dev/null
	record "$built/shelf" "$1" "$built/prices" 16000
}

base() {
	look_up cached
}

slow() {
	look_up direct
}

truth() {
	echo '^(.*::)?read_page(::h[0-9a-f]+)?$' '^shelf$'
}
