# SPDX-License-Identifier: MIT
# A window shows a sorted list. In the slow run each row is appended and then filled in, which makes
# the list tell its view each time that all of its rows may be elsewhere; in the base a row is
# inserted with what it holds. GTK's documentation warns of the former.

about="rows that are filled in after they were added to a sorted list"
cause=real
traits="a window with a list: C, GTK on a virtual X server"
packages=(gcc libc6-dev pkg-config libgtk-3-dev xvfb fonts-dejavu-core)
half=worked
says="the cause is add_order: it sets each row of a list on show, which reorders all rows"
told='add_order|gtk_list_store_set'

build() {
	local flags
	flags=$(pkg-config --cflags --libs gtk+-3.0)
	gcc $stock_flags -o orders "$case_dir/orders.c" $flags
}

# In a shell of its own, which ends the X server.
list_orders() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 800x600x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number GDK_BACKEND=x11 GDK_GL=disable NO_AT_BRIDGE=1 \
		GSETTINGS_BACKEND=memory HOME=$PWD XDG_RUNTIME_DIR=$PWD
	record "$built/orders" "$1"
)

base() {
	list_orders inserted
}

slow() {
	list_orders appended
}

truth() {
	echo '^add_order$' '^orders$'
}
