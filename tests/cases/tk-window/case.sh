# SPDX-License-Identifier: MIT
# A window shows a long table of orders, which scrolls by. In the slow run each redraw measures the
# text of all rows to find how wide the columns are; in the base that is done when the rows change.

about="columns measured at each redraw"
cause=real
traits="a window with a table: C++, FLTK on a virtual X server"
packages=(g++ libfltk1.3-dev fonts-dejavu-core xvfb)
half=fresh
says="the cause is OrderTable::measure_columns: at each redraw it measures the text of all rows again"
told='measure_columns'

build() {
	# shellcheck disable=SC2046 # flags are words
	g++ $stock_flags -o table "$case_dir/table.cc" $(fltk-config --cxxflags --ldflags)
}

# In a shell of its own, which ends the X server.
show_table() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 1600x1200x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD
	record "$built/table" "$1"
)

base() {
	show_table kept
}

slow() {
	show_table measured
}

truth() {
	echo '^OrderTable::measure_columns' '^table$'
}
