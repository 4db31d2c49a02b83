# SPDX-License-Identifier: MIT
# A window shows a curve of measurements as they come. In the slow run all of it is drawn again for
# each of them; in the base the piece that is new.

about="whole curve drawn again for each new point"
cause=real
traits="a window with a chart: C, cairo on a virtual X server"
packages=(gcc libcairo2-dev libx11-dev pkg-config xvfb)
half=fresh
says="the cause is draw_curve: for each measurement that comes it draws the whole curve again"
told='draw_curve'

build() {
	# shellcheck disable=SC2046 # flags are words
	gcc $stock_flags $(pkg-config --cflags cairo-xlib x11) -o chart "$case_dir/chart.c" \
		$(pkg-config --libs cairo-xlib x11) -lm
}

# In a shell of its own, which ends the X server.
show_chart() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 1280x1024x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD
	record "$built/chart" "$1"
	grep -q '^2500 points' output
)

base() {
	show_chart new
}

slow() {
	show_chart all
}

truth() {
	echo '^draw_curve$' '^chart$'
}
