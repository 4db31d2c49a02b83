# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make)

build() {
	fetch_source redis
	make -C src -j"$(nproc)" redis-server redis-cli redis-benchmark MALLOC=libc USE_SYSTEMD=no \
		OPTIMIZATION="$stock_flags" DEBUG=
}
