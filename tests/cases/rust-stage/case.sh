# SPDX-License-Identifier: MIT
# One thread makes the pages of a feed and has another one pack them. In the slow run it is linked
# with a later version of the packing library, which makes a new and larger table for each page, and
# so has the kernel bring its pages in and clear them each time; in the base the library keeps one.

about="a library's new version makes a large table for each call"
cause=real
traits="a program and a library: Rust, two threads"
packages=(rustc gcc)
half=fresh
says="the cause is packer::pack, in the thread that the first one waits for: it makes a large new table for each page, whose memory the kernel has to bring in"
told='packer::pack|pack'

build() {
	local version
	for version in 1 2; do
		mkdir "v$version"
		rustc -C opt-level=2 -g --edition 2021 --crate-type rlib --crate-name packer \
			--out-dir "v$version" "$case_dir/packer$version.rs"
		rustc -C opt-level=2 -g --edition 2021 --extern "packer=v$version/libpacker.rlib" \
			-o "v$version/feed" "$case_dir/feed.rs"
	done
}

base() {
	record "$built/v1/feed" 150
}

slow() {
	record "$built/v2/feed" 150
}

truth() {
	echo '^packer::pack(::h[0-9a-f]+)?$' '^feed$'
}
