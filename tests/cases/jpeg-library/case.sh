# SPDX-License-Identifier: MIT
# A newer libjpeg was built where no assembler was installed: it has none of the code for the
# processor's vector instructions, and gray scans are decoded in plain C.

about="a library built without vector instructions"
cause=real
traits="djpeg with libjpeg-turbo: client, C, one thread"
packages=(cmake dpkg-dev gcc make nasm)
half=fresh
says="the cause is that the new libjpeg computes the inverse transform of the picture's blocks in plain C (jpeg_idct_islow), and not with vector instructions"
told='jpeg_idct_islow'

# library FOLDER FILE OPTION…: libjpeg in a folder of its own, under this file name.
library() {
	local folder=$1 file=$2
	shift 2
	cmake -S . -B "$folder-build" -DENABLE_STATIC=0 -DWITH_TURBOJPEG=0 -DCMAKE_SKIP_RPATH=1 \
		-DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$stock_flags -DNDEBUG" "$@"
	make -C "$folder-build" -j"$(nproc)" jpeg cjpeg djpeg
	mkdir "$folder"
	cp "$(readlink -f "$folder-build/libjpeg.so")" "$folder/$file"
	ln -s "$file" "$folder/libjpeg.so.62"
}

build() {
	fetch_source libjpeg-turbo
	library old libjpeg.so.62.3.0 -DREQUIRE_SIMD=1
	library new libjpeg.so.62.4.0 -DWITH_SIMD=0
	cp old-build/djpeg .
	python3 "$case_dir/scan.py" | LD_LIBRARY_PATH=old old-build/cjpeg -quality 50 -outfile scan.jpg
}

decode() {
	export LD_LIBRARY_PATH=$built/$1
	record "$built/djpeg" -outfile /dev/null "$built/scan.jpg"
}

base() {
	decode old
}

slow() {
	decode new
}

truth() {
	echo '^jpeg_idct_islow$' '^libjpeg\.so'
}
