# SPDX-License-Identifier: MIT
# Threads of a shop answer customers while another one makes small pictures of the articles, in C. In
# the slow run that C function keeps Python's interpreter lock while it computes, and the threads that
# have an answer to give wait for it; in the base it gives the lock away meanwhile.

about="extension that keeps the interpreter lock"
cause=real
traits="a server with threads and an extension in C: Python, several threads and processes"
packages=(gcc libc6-dev python3 python3-dev)
stack_bytes=4096
half=fresh
says="the cause is that the threads of the Python program wait for the interpreter lock (GIL), which pictures_shrink in the extension pictures holds while it computes"
told='pictures_shrink'

# The extension is an ordinary one but for its name, without the platform in it.
build() {
	local kind
	for kind in base slow; do
		mkdir "$kind"
	done
	# shellcheck disable=SC2046 # words
	gcc $stock_flags -fPIC -shared $(python3-config --includes) -o base/pictures.so "$case_dir/pictures.c"
	# shellcheck disable=SC2046 # words
	gcc $stock_flags -DKEEP -fPIC -shared $(python3-config --includes) -o slow/pictures.so "$case_dir/pictures.c"
}

answer() {
	record /usr/bin/python3 "$case_dir/shop.py" "$built/$1"
	grep -q '^750 answers$' output
}

base() {
	answer base
}

slow() {
	answer slow
}

truth() {
	echo '^pictures_shrink$' '^pictures[.]so$'
}
