# SPDX-License-Identifier: MIT
# A client asks a service on its bus what the articles of its orders cost. In the slow run the
# service reads the file of all articles for each order; in the base once, when it starts.

about="a file that is read for each call"
cause=real
traits="a service on D-Bus, its client and its bus: C, GLib, several processes"
packages=(gcc libc6-dev pkg-config libglib2.0-dev dbus-daemon)
half=worked
says="the cause is quote in service: it reads the catalogue for each call that the client waits for"
told='quote'

build() {
	local flags
	flags=$(pkg-config --cflags --libs gio-2.0)
	gcc $stock_flags -o service "$case_dir/service.c" $flags
	gcc $stock_flags -o client "$case_dir/client.c" $flags
}

talk() {
	for ((i = 0; i < 6000; i++)); do
		printf '[article %d]\nname=box of %d pencils\nprice=%d\n\n' $i $i $((900 + i))
	done > catalogue
	record dbus-run-session -- "$case_dir/talk" "$built" "$PWD/catalogue" "$1"
}

base() {
	talk once
}

slow() {
	talk always
}

truth() {
	echo '^quote$' '^service$'
}
