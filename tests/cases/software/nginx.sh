# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make libpcre2-dev zlib1g-dev libssl-dev)

build() {
	fetch_source nginx
	./configure --prefix=. --with-debug --with-http_ssl_module --with-cc-opt="$stock_flags"
	make -j"$(nproc)"
}
