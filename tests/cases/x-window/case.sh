# SPDX-License-Identifier: MIT
# A terminal shows a long text. In the slow run the text is of characters that its fonts do not have:
# they break each line into pieces of one character, each drawn with a clip of its own; in the base
# the text is in Greek, and its words are drawn as they are.

about="characters that no font has"
cause=real
traits="xterm: a window on a virtual X server, C, Xt"
packages=(dpkg-dev fontconfig fonts-dejavu-core gcc make pkg-config python3 libncurses-dev libxaw7-dev
	libxft-dev xvfb)
stack_bytes=32768
half=fresh
says="the cause is drawXtermText: characters that no font has are drawn one at a time"
told='drawXtermText|drawClippedXftString'

build() {
	fetch_source xterm
	./configure --enable-wide-chars --enable-256-color --disable-imake CFLAGS="$stock_flags"
	make xterm
}

# The only fonts to be had are DejaVu's.
make_fonts() {
	cat > fonts.conf <<-CONF
		<?xml version="1.0"?>
		<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
		<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>fonts</cachedir></fontconfig>
	CONF
	export FONTCONFIG_FILE=$PWD/fonts.conf
	fc-cache
}

# make_text LETTER: lines of words of the 24 letters from this one on.
make_text() {
	python3 - "$1" > text <<-'PYTHON'
		import sys
		first = int(sys.argv[1], 16)
		sys.stdout.reconfigure(encoding="utf-8")
		for line in range(8000):
		    words = ("".join(chr(first + (line * 7 + word * 3 + i) % 24) for i in range(5))
		             for word in range(40))
		    print(f"{line:06}", *words)
	PYTHON
}

# In a shell of its own, which ends the X server.
show_text() (
	make_fonts
	make_text "$1"
	mkfifo display
	Xvfb -displayfd 3 -screen 0 2400x800x24 3> display > server 2>&1 &
	server=$!
	trap 'kill "$server"; wait "$server"' EXIT
	read -r number < display
	export DISPLAY=:$number HOME=$PWD LC_ALL=C.UTF-8
	record "$built/xterm" -u8 -fa "DejaVu Sans Mono" -fs 9 -geometry 260x40 -e cat text
)

base() {
	show_text 3b1
}

slow() {
	show_text 1208
}

truth() {
	echo '^drawXtermText$' '^xterm$'
}
