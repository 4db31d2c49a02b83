# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make libssl-dev)

build() {
	fetch_source coreutils
	FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls CFLAGS="$stock_flags"
	make -j"$(nproc)"
}
