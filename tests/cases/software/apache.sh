# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make libapr1-dev libaprutil1-dev libpcre2-dev zlib1g-dev)

build() {
	fetch_source apache2
	./configure --prefix="$PWD/installed" --with-mpm=event --enable-so --disable-lua \
		--enable-mods-shared="deflate log_config mime unixd authz_core dir" \
		CFLAGS="$stock_flags" CPPFLAGS=-DBUILD_DATETIME=__DATE__
	make -j"$(nproc)"
	make install
}
