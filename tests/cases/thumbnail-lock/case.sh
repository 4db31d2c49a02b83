# SPDX-License-Identifier: MIT
# Threads show pages of a catalogue, each with small pictures that a cache keeps. In the slow run the
# cache makes a picture that it does not have while it keeps its lock, so that all others wait, also
# for pictures that are there; in the base it lets go meanwhile.

about="a cache that computes under its lock"
cause=real
traits="a program with GLib's GMutex and a cache: C, several threads"
packages=(gcc libc6-dev libglib2.0-dev pkg-config)
stack_bytes=2048
half=fresh
says="the cause is thumbnail_of: it makes a small picture while it keeps the lock of the cache, and all other threads wait for that lock"
told='thumbnail_of|shrink'

build() {
	# shellcheck disable=SC2046 # flags are words
	gcc $stock_flags $(pkg-config --cflags glib-2.0) -o catalogue "$case_dir/catalogue.c" \
		$(pkg-config --libs glib-2.0)
}

base() {
	record "$built/catalogue" release
	grep -q '^2000 pages' output
}

slow() {
	record "$built/catalogue" keep
	grep -q '^2000 pages' output
}

truth() {
	echo '^thumbnail_of$' '^catalogue$'
}
