# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc g++ make zlib1g-dev libpopt-dev)

build() {
	fetch_source rsync
	./configure --disable-openssl --disable-xxhash --disable-zstd --disable-lz4 --disable-md2man \
		CFLAGS="$stock_flags"
	# Its rules make the same files at once, where patches have touched what these are made from.
	make rsync
}
