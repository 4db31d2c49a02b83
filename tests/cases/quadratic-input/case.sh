# SPDX-License-Identifier: MIT
# Markdown with many a * that begins no emphasis, and as many a _ that ends none: for each of the
# latter cmark goes back to the beginning of the paragraph. It was mended by a lower bound, under
# which no opener was found before (openers_bottom); the slow one is built without the line that
# sets it. What both print is the same.

about="quadratic time for unmatched markers, the fix reverted"
cause=real
traits="cmark: client, C, one thread"
packages=(cmake dpkg-dev gcc libc6-dev make)
half=fresh
says="the cause is process_emphasis of cmark: for each closing marker that matches nothing it goes back over all the markers before it in the paragraph"
told='process_emphasis'

# compiled FOLDER: cmark as the source is now, in a folder of its own.
compiled() {
	cmake -S source -B "$1-build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$stock_flags" \
		-DCMARK_SHARED=OFF -DCMARK_TESTS=OFF
	make -C "$1-build" -j"$(nproc)" cmark_exe
	mkdir "$1"
	cp "$1-build/src/cmark" "$1"
}

build() {
	mkdir source
	(cd source && fetch_source cmark)
	compiled base
	sed -i '/^ *openers_bottom\[openers_bottom_index\] = old_closer->position;$/d' \
		source/src/inlines.c
	compiled slow
	! cmp -s base/cmark slow/cmark
	rm -r source base-build slow-build
	# Chapters of one paragraph each, about pointers (*name) and members (name_).
	awk 'BEGIN {
		for (chapter = 1; chapter <= 80; chapter++) {
			printf "# Chapter %d\n\n", chapter
			for (i = 1; i <= 5000; i++)
				printf "The function takes *node%d and keeps it in node%d_ for later.\n", i, i
			print ""
		}
	}' > manual.md
	base/cmark manual.md > base.html
	slow/cmark manual.md | cmp - base.html
	rm base.html
}

base() {
	record "$built/base/cmark" "$built/manual.md"
}

slow() {
	record "$built/slow/cmark" "$built/manual.md"
}

truth() {
	echo '^process_emphasis$' '^cmark$'
}
