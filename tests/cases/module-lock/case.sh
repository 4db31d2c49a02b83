# SPDX-License-Identifier: MIT
# A pool of threads in Python makes offers for customers, while another thread looks for similar
# articles with a module in C. In the slow run this module does not give Python's lock away while it
# compares the articles, as a module should that computes for long, and so the others wait.

about="lock of the interpreter held by a module"
cause=real
traits="a script with threads and a module of its own: Python and C, several threads"
packages=(gcc libpython3-dev pkg-config python3)
stack_bytes=4096
half=fresh
says="the cause is that threads of Python wait for the interpreter's lock, which similar_articles in the module similar holds while it compares all articles"
told='similar_articles|compare_articles'

build() {
	local flags
	flags="$stock_flags -shared -fPIC $(pkg-config --cflags python3)"
	mkdir base slow
	# shellcheck disable=SC2086 # flags are words
	gcc $flags -o base/similar.so "$case_dir/similar.c"
	# shellcheck disable=SC2086
	gcc $flags -DHOLD -o slow/similar.so "$case_dir/similar.c"
}

base() {
	record /usr/bin/python3 "$case_dir/shop.py" "$built/base"
	grep -q '^600 offers' output
}

slow() {
	record /usr/bin/python3 "$case_dir/shop.py" "$built/slow"
	grep -q '^600 offers' output
}

# The one keeps the lock while it calls the other, which does the work.
truth() {
	echo '^(similar_articles|compare_articles)$' '^similar[.]so$'
}
