# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make bison flex)

build() {
	fetch_source postgresql-15
	./configure --prefix="$PWD/installed" --without-readline --without-zlib CFLAGS="$stock_flags"
	make -j"$(nproc)"
	make install
}
