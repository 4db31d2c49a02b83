# SPDX-License-Identifier: MIT
# make turns a manual of thirty pages into HTML and compresses that, while a log is packed by bzip2 and
# vmstat runs. One page lists templates by their first words, "<?php …", in one paragraph. For each of
# them cmark up to 0.29 searches the rest of the paragraph for its end; 0.30 remembers that there is
# none (commonmark/cmark#299). The slow run is with that change taken out.

about="two versions of cmark, the fix of a quadratic step reverted, in a build"
cause=real
traits="make, cmark and gzip, bzip2 and vmstat beside them: C, several processes, the whole machine"
packages=(bzip2 cmake dpkg-dev gcc gzip make procps)
stack_bytes=2048
case_options=(-a)
half=fresh
says="the cause is handle_pointy_brace in cmark-0.29: for each <? that has no end it scans the rest of the paragraph (_scan_html_pi)"
told='handle_pointy_brace|parse_inline|scan_html_pi'

build() {
	mkdir source
	(
		cd source
		fetch_source cmark
		mkdir out
		cd out
		cmake -DCMARK_SHARED=OFF -DCMARK_TESTS=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$stock_flags" ..
		make -j"$(nproc)" cmark_exe
		cp src/cmark ../../cmark-0.30
		sed -i '/flags |= FLAG_SKIP_HTML_PI;/d' ../src/inlines.c
		make -j"$(nproc)" cmark_exe
		cp src/cmark ../../cmark-0.29
	)
	rm -r source
	! cmp -s cmark-0.29 cmark-0.30
	awk 'BEGIN {
		for (i = 0; i < 200000; i++)
			print "10.0.3." i % 251, "GET /orders/" i * 7919 % 100003, "took", i * 31 % 977, "ms"
	}' > access.log
}

write_manual() {
	mkdir pages
	awk 'BEGIN {
		for (page = 1; page <= 30; page++) {
			name = "pages/page" page ".md"
			for (i = 1; i <= 1800; i++) {
				print "## Step " i " of part " page "\n" > name
				print "Give the *name* of shop " i * 7919 * page % 9973 " to `order --shop`, and read" > name
				print "[what it prints](part" i % 30 + 1 ".html). It is **not** sent before noon.\n" > name
				print "- the first of " i * page " orders\n- and the others\n" > name
			}
			if (page == 17) {
				print "## The templates\n" > name
				for (i = 1; i <= 16000; i++)
					print "of page " i * 31 % 977 + 1000 ": <?php print title(" i ")" > name
			}
			close(name)
		}
	}'
	cp "$built/access.log" .
}

# make_manual CMARK
make_manual() {
	write_manual
	record bash "$case_dir/manual.sh" "$built/$1" "$case_dir/manual.mk"
	[ "$(find pages -name '*.html.gz' | wc -l)" -eq 30 ]
}

base() {
	make_manual cmark-0.30
}

slow() {
	make_manual cmark-0.29
}

# The first two are static, and have one caller each: the compiler makes one function of the three.
truth() {
	echo '^(handle_pointy_brace|parse_inline|cmark_parse_inlines)$' '^cmark-0[.]29$'
}
