# SPDX-License-Identifier: MIT
# A window shows messages as they come. In the slow run each of them is added to a string, and that
# replaces the whole text of the window, whose lines are then broken again from the first one; in the
# base the new line is appended to the text.

about="whole text replaced for each new line"
cause=real
traits="a window with messages: C++, FLTK's text widget on a virtual X server"
packages=(g++ libfltk1.3-dev fonts-dejavu-core xvfb)
half=fresh
says="the cause is LogWindow::add_line, part of LogWindow::show_message: for each new line it replaces the whole text of the window, which is laid out from its beginning again"
told='add_line|show_message'

build() {
	# shellcheck disable=SC2046 # flags are words
	g++ $stock_flags -o log "$case_dir/log.cc" $(fltk-config --cxxflags --ldflags)
}

# In a shell of its own, which ends the X server.
show_log() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 1600x1200x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD
	record "$built/log" "$1"
	grep -q 'messages shown' output
)

base() {
	show_log append
}

slow() {
	show_log replace
}

truth() {
	echo '^LogWindow::(add_line|show_message)' '^log$'
}
