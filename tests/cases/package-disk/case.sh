# SPDX-License-Identifier: MIT
# A package with many small files is unpacked into a new system. In the slow run dpkg waits until the
# disk has each file before it gives it its name, as it does by default; in the base it was told that it
# need not (--force-unsafe-io), as images of systems are made.

about="fsync for each file of a package"
cause=real
traits="dpkg: command, C, several processes"
packages=(dpkg-dev gcc libmd-dev make zlib1g-dev)
half=fresh
says="the cause is that dpkg waits in tar_deferred_extract for the disk to have each file (fsync)"
told='tar_deferred_extract|fsync'

build() {
	fetch_source dpkg
	./configure --disable-nls --disable-dselect --disable-start-stop-daemon --disable-update-alternatives \
		--without-libselinux --without-libbz2 --without-liblzma --without-libzstd \
		CFLAGS="$stock_flags"
	make -j"$(nproc)" -C lib
	make -j"$(nproc)" -C src
	make_package
}

make_package() {
	mkdir -p package/DEBIAN package/usr/share/catalogue
	printf '%s\n' 'Package: catalogue' 'Version: 1.0' 'Architecture: all' \
		'Maintainer: shop <shop@example.org>' 'Description: articles of a shop' > package/DEBIAN/control
	awk 'BEGIN {
		for (i = 0; i < 3000; i++) {
			file = "package/usr/share/catalogue/article" i
			for (j = 0; j < 60; j++)
				print "article " i " of shelf " j ": " i * 7919 % 9973 > file
			close(file)
		}
	}'
	dpkg-deb -Zgzip --root-owner-group -b package catalogue.deb
	rm -r package
}

unpack() {
	mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info root/var/log
	: > root/var/lib/dpkg/status
	record "$built/src/dpkg" --force-bad-path "$@" --root="$PWD/root" --unpack "$built/catalogue.deb"
	[ -e root/usr/share/catalogue/article2999 ]
}

base() {
	unpack --force-unsafe-io
}

slow() {
	unpack
}

truth() {
	echo '^tar_deferred_extract$' '^dpkg$'
}
