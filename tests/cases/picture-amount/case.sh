# SPDX-License-Identifier: MIT
# Recordings of a screen, which are animated pictures, are made into small ones. In the slow run they
# are by Lanczos' method, for which each pixel of the small picture is a sum over some two thousand
# of the large one; in the base it is one of those that it covers. There are half
# more frames, too.

about="a costly method to make pictures smaller, and more frames"
cause=real
traits="gifsicle: tool for pictures, C, one thread"
packages=(autoconf automake dpkg-dev gcc make python3)
stack_bytes=2048
half=fresh
says="the cause is scale_image_data_weighted: gifsicle computes each pixel of the smaller picture from far more pixels of the large one"
told='scale_image_data_weighted'

build() {
	fetch_source gifsicle
	autoreconf -i
	./configure --disable-gifview --disable-gifdiff CFLAGS="$stock_flags"
	make -j"$(nproc)"
}

# shrink FRAMES METHOD: pictures of so many frames.
shrink() {
	python3 "$case_dir/film.py" "$1" > film.gif
	record "$built/src/gifsicle" -O2 --resize 80x60 --resize-method "$2" -o small.gif film.gif
	[ "$("$built/src/gifsicle" -I small.gif | grep -c '+ image')" -eq "$1" ]
}

base() {
	shrink 260 sample
}

slow() {
	shrink 390 lanczos3
}

truth() {
	echo '^scale_image_data_weighted$' '^gifsicle$'
}
