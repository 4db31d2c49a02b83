# SPDX-License-Identifier: MIT
# A window shows a log as it grows, each line in the colour of its level. In the slow run all lines are
# given their colours again whenever one is added; in the base only those that are new.

about="all lines of a text coloured again for each new one"
cause=real
traits="a window with a text: C++, FLTK on a virtual X server"
packages=(g++ libfltk1.3-dev fonts-dejavu-core xvfb)
half=fresh
says="the cause is LogWindow::restyle: for each line that is added it works out the colours of the whole text again"
told='restyle'

build() {
	# shellcheck disable=SC2046 # flags are words
	g++ $stock_flags -o log "$case_dir/log.cc" $(fltk-config --cxxflags --ldflags)
}

# In a shell of its own, which ends the X server.
show_log() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 1280x1024x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD
	record "$built/log" "$1"
	grep -q '^4000 lines shown$' output
)

base() {
	show_log new
}

slow() {
	show_log all
}

truth() {
	echo '^LogWindow::restyle' '^log$'
}
