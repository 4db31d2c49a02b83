# SPDX-License-Identifier: MIT
# bsdtar makes the archive of a release from a manifest (mtree), which lists each file with its owner
# and mode, and from a log. As several lines may describe one file, libarchive looks for other lines
# with the same name: today in a tree of names; in the slow run, as it did until 2016, among all the
# lines that follow. The archives are the same.

about="a manifest's names compared with one another, two fixes of a quadratic step reverted"
cause=real
traits="bsdtar: archiver, C, one thread"
packages=(cmake dpkg-dev gcc libc6-dev make zlib1g-dev)
stack_bytes=1536
half=fresh
says="the cause is parse_file, part of read_header, in bsdtar: it compares the name of each entry of the manifest with those of all entries after it"
told='parse_file|read_header'

# compiled FOLDER: bsdtar as the source is now, in a folder of its own.
compiled() {
	cmake -S source -B "$1-build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$stock_flags" \
		-DENABLE_{ACL,BZip2,EXPAT,ICONV,LIBB2,LIBXML2,LZ4,LZMA,LZO,NETTLE,OPENSSL,TEST,XATTR,ZSTD}=OFF
	make -C "$1-build" -j"$(nproc)" bsdtar
	mkdir "$1"
	cp "$1-build/bin/bsdtar" "$1"
}

build() {
	mkdir source
	(cd source && fetch_source libarchive)
	compiled base
	sed -i '/^parse_file(struct archive_read \*a/,/^}/{
		/mp = (struct mtree_entry \*)__archive_rb_tree_find_node(/{
			N
			s/(struct .*/mentry->next;/
		}
		s/mp = mp->next_dup/mp = mp->next/
		s/if (mp->full \&\& !mp->used)/if (mp->full \&\& !mp->used \&\& strcmp(mp->name, mentry->name) == 0)/
	}' source/libarchive/archive_read_support_format_mtree.c
	[ "$(grep -c -e 'mp = mentry->next;' -e 'mp = mp->next)' -e 'strcmp(mp->name, mentry->name)' \
		source/libarchive/archive_read_support_format_mtree.c)" = 3 ]
	compiled slow
	! cmp -s base/bsdtar slow/bsdtar
	rm -r source base-build slow-build
	awk 'BEGIN {
		print "#mtree"
		print "/set uname=root gname=root time=1700000000.0"
		for (i = 0; i < 28000; i++) {
			folder = "./usr/share/doc/part" int(i / 30)
			if (i % 30 == 0)
				print folder " type=dir mode=0755"
			print folder "/page" i * 7919 % 999983 ".html type=link mode=0777 link=../part" i * i % 797 "/page.html"
		}
	}' > manifest
	awk 'BEGIN {
		for (i = 0; i < 210000; i++)
			print "httpd: order " i * 7919 % 999983 " of shop " i % 70 " was sent in " i * i % 977 " ms"
	}' > log
}

release() {
	cp "$built/log" .
	record "$built/$1/bsdtar" -c -z --options gzip:compression-level=9 -f release.tar.gz "@$built/manifest" log
}

base() {
	release base
}

slow() {
	release slow
}

truth() {
	echo '^(parse_file|read_header)$' '^bsdtar$'
}
