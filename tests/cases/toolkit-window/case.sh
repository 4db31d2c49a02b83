# SPDX-License-Identifier: MIT
# A window shows a board with the day's departures, and a few of its cells change from frame to
# frame. In the slow run the text of each cell is rendered again for each frame; in the base its
# picture is kept until the text changes.

about="text rendered again for each frame"
cause=real
traits="a window with a board: C, SDL on a virtual X server"
packages=(gcc libc6-dev pkg-config libsdl2-dev libsdl2-ttf-dev fonts-dejavu-core xvfb)
half=fresh
says="the cause is draw_cell: it renders the text of each cell again for each frame"
told='draw_cell'

build() {
	local flags
	flags=$(pkg-config --cflags --libs sdl2 SDL2_ttf)
	# shellcheck disable=SC2086 # flags are words
	gcc $stock_flags -o board "$case_dir/board.c" $flags
}

# In a shell of its own, which ends the X server.
show_board() (
	mkfifo display
	Xvfb -displayfd 3 -screen 0 1720x1200x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD XDG_RUNTIME_DIR=$PWD SDL_VIDEODRIVER=x11 \
		SDL_AUDIODRIVER=dummy SDL_RENDER_DRIVER=software SDL_FRAMEBUFFER_ACCELERATION=0 \
		DBUS_SESSION_BUS_ADDRESS=disabled:
	record "$built/board" "$1"
	grep -q "^350 frames$" output || fail "not all frames: $(tail -n 3 output)"
)

base() {
	show_board kept
}

slow() {
	show_board rendered
}

truth() {
	echo '^draw_cell$' '^board$'
}
