# SPDX-License-Identifier: MIT
# A window lists orders as they come in. In the slow run the list is given to its widget anew for each
# order, which measures all of them and draws them again; in the base it is given once for all that came
# together.

about="list given to its widget anew for each item"
cause=real
traits="a window with a list: C, Athena widgets on a virtual X server"
packages=(gcc libxaw7-dev xfonts-base xvfb)
half=fresh
says="the cause is append_order, called by take_parcel: for each order it gives the widget the whole list anew (XawListChange), which measures all of its items"
told='append_order|take_parcel'

build() {
	gcc $stock_flags -o orders "$case_dir/orders.c" -lXaw -lXt -lX11
}

# In a shell of its own, which ends the X server.
show_orders() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 1280x1024x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD
	record "$built/orders" "$1"
)

base() {
	show_orders together
}

slow() {
	show_orders each
}

truth() {
	# The compiler may make the first part of the second.
	echo '^(append_order|take_parcel)$' '^orders$'
}
