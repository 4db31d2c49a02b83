# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make bison libncurses-dev)

build() {
	fetch_source bash
	./configure --without-bash-malloc --disable-nls CFLAGS="$stock_flags"
	make -j"$(nproc)" bash
}
