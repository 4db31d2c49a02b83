# SPDX-License-Identifier: MIT
# Corrections are put into the readings of a meter by patch. In the base they are very many, and all
# fit. In the slow run the file has a thirtieth of the lines, and eight hundred corrections, but others
# have changed it meanwhile: nearly no hunk fits, and patch looks for it at all lines, three times
# with more fuzz.

about="hunks that fit nowhere, of a shorter file"
cause=real
traits="patch: command, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
stack_bytes=1024
half=fresh
says="the cause is that patch looks for each hunk that does not fit at all lines of the file (locate_hunk calls patch_match for each line)"
told='locate_hunk|patch_match'

build() {
	mkdir source
	(
		cd source
		fetch_source patch
		./configure --disable-xattr CFLAGS="$stock_flags"
		make -j"$(nproc)" -C lib
		make -j"$(nproc)" -C src patch
		cp src/patch ..
	)
	rm -r source
	make_readings 9045000 2010 2002 0 many
	make_readings 300000 375 7 50 few
}

# make_readings LINES EACH SIZE FITS NAME: a file, and corrections of it, a hunk of SIZE lines for each
# so many ones, in which every seventh line is corrected. With FITS only one of so many hunks finds the
# readings that it is to correct.
make_readings() {
	awk -v lines="$1" -v each="$2" -v size="$3" -v fits="$4" -v name="$5" '
	function reading(i) {
		return 10000 + int((3 * i * i + 7919 * i) % 9999991 / 1000)
	}
	BEGIN {
		corrections = name ".patch"
		print "--- readings\n+++ readings" > corrections
		for (i = 0; i < lines; i++) {
			place = i % each
			corrected = place < size && place % 7 == 3
			other = corrected && fits && int(i / each) % fits ? 20 : 0
			print reading(i) + other > (name ".readings")
			if (place == 0)
				print "@@ -" i + 1 "," size " +" i + 1 "," size " @@" > corrections
			if (corrected)
				print "-" reading(i) "\n+" reading(i) + 7 > corrections
			else if (place < size)
				print " " reading(i) > corrections
		}
	}'
}

# correct NAME: patch tells by its status that hunks failed.
correct() {
	# shellcheck disable=SC2016 # for sh
	record sh -c '"$0" --force -r rejects -o corrected "$1.readings" "$1.patch" || [ $? -eq 1 ]' \
		"$built/patch" "$built/$1"
	[ -s corrected ]
}

base() {
	correct many
	[ ! -e rejects ]
}

slow() {
	correct few
	grep -q ' hunks FAILED' output
}

# The compiler may make one function of the two.
truth() {
	echo '^(locate_hunk|patch_match)$' '^patch$'
}
