# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc g++ make zlib1g-dev libpopt-dev)

build() {
	fetch_source rsync
	./configure --disable-openssl --disable-xxhash --disable-zstd --disable-lz4 --disable-md2man \
		CFLAGS="$stock_flags"
	make -j"$(nproc)" rsync
}
