# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc)

build() {
	fetch_source lua5.1
	cd src
	echo '#define DEB_HOST_MULTIARCH ""' > lua5.1-deb-multiarch.h
	# shellcheck disable=SC2046 # files are words
	gcc $stock_flags -DLUA_USE_DLOPEN -DLUA_USE_POSIX -o ../lua \
		$(find . -name "*.c" ! -name luac.c ! -name print.c) -lm -ldl -Wl,-E
}
