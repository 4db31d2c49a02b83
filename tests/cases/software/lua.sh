# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc)

build() {
	fetch_source lua5.1
	cd src
	echo '#define DEB_HOST_MULTIARCH ""' > lua5.1-deb-multiarch.h
	# shellcheck disable=SC2046,SC2086 # flags and files are words
	gcc $stock_flags -DLUA_USE_DLOPEN -DLUA_USE_POSIX -o ../lua $(ls ./*.c | grep -v -e luac -e print) \
		-lm -ldl -Wl,-E
}
