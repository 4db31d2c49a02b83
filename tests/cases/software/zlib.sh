# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make)

build() {
	fetch_source zlib
	CFLAGS=$stock_flags ./configure
	make -j"$(nproc)" shared
}
