# SPDX-License-Identifier: MIT
packages=(dpkg-dev gcc make libcurl4-openssl-dev libexpat1-dev libssl-dev zlib1g-dev)

build() {
	fetch_source git
	make -j"$(nproc)" NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 CFLAGS="$stock_flags" git
}
