# SPDX-License-Identifier: MIT
# A library that a library of the program uses, zlib under libcurl, is slow to inflate.

about="delay in inflate"
cause=injected
traits="curl with its libraries: client, C, one thread"
packages=(curl)
stack_bytes=24576

build() {
	need zlib
	mkdir base slow
	cp "$software/zlib/libz.so.1" base
	cp -r "$software/zlib" source
	cd source
	delay inflate.c 'inflate' 2000
	make shared
	cp libz.so.1 ../slow
}

fetch() {
	local port
	port=$(free_port)
	python3 "$case_dir/compressed.py" "$port" &
	server=$!
	wait_for_port "$port"
	export LD_LIBRARY_PATH=$built/$1
	record curl -sf --compressed -o numbers "http://127.0.0.1:$port/[1-100]"
	kill "$server"
}

base() {
	fetch base
}

slow() {
	fetch slow
}

truth() {
	echo '^inflate$' '^libz\.so'
}
