# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make tcl)

build() {
	fetch_source sqlite3
	./configure --disable-tcl --disable-shared --enable-load-extension
	make sqlite3.c shell.c
	gcc $stock_flags -I. -o sqlite3 sqlite3.c shell.c -lpthread -ldl -lm
}
