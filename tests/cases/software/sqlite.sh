# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make tcl)

build() {
	fetch_source sqlite3
	./configure --disable-tcl --disable-shared --enable-load-extension
	make sqlite3.c shell.c
	printf '%s\n' sqlite3 shell | xargs -I{} -P 2 gcc $stock_flags -I. -c {}.c
	gcc -o sqlite3 sqlite3.o shell.o -lpthread -ldl -lm
}
