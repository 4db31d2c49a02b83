# SPDX-License-Identifier: MIT
# A machine's list of files is asked which of them the rules of a backup do not leave out. A line of
# such a list may add to what an earlier one said of the same file: libarchive up to 3.2 compares each
# file's name with those of all that follow it, and 3.3 has them in an index. The slow run's bsdtar
# and library are of the same source with that change taken out.

about="two versions of a library, the fix of a quadratic search reverted"
cause=real
traits="bsdtar with libarchive: two versions of both by their file names, C, one thread"
packages=(cmake dpkg-dev gcc make zlib1g-dev)
half=fresh
says="the cause is parse_file, part of read_header, of libarchive.so.13.2.2: it compares the name of each file with those of all that follow it in the list"
told='parse_file|read_header'

# version NUMBER: what the source is now, as bsdtar of this number and its library, in a folder of
# that name.
version() {
	local number=$1
	cmake -S . -B "$number-build" -DENABLE_TAR_SHARED=1 -DCMAKE_SKIP_RPATH=1 -DENABLE_TEST=0 \
		-DENABLE_CPIO=0 -DENABLE_CAT=0 -DENABLE_ACL=0 -DENABLE_XATTR=0 -DENABLE_PCREPOSIX=0 \
		-DENABLE_OPENSSL=0 -DENABLE_LIBXML2=0 -DENABLE_EXPAT=0 -DENABLE_LZMA=0 -DENABLE_ZSTD=0 \
		-DENABLE_BZip2=0 -DENABLE_LZ4=0 -DENABLE_LIBB2=0 \
		-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$stock_flags -DNDEBUG"
	make -C "$number-build" -j"$(nproc)" bsdtar
	mkdir "$number"
	cp "$number-build/bin/bsdtar" "$number/bsdtar-$number"
	cp -L "$number-build/libarchive/libarchive.so" "$number/libarchive.so.1$number"
	ln -s "libarchive.so.1$number" "$number/$(readlink "$number-build/libarchive/libarchive.so")"
}

build() {
	fetch_source libarchive
	version 3.3.0
	sed -i '/^parse_file(struct/,/^}/{
		/mp = (struct mtree_entry \*)__archive_rb_tree_find_node(/d
		s/&mtree->rbtree, mentry->name);/mp = mentry->next;/
		s/mp = mp->next_dup/mp = mp->next/
		s/if (mp->full && !mp->used) {/if (mp->full \&\& !mp->used\n\t\t\t    \&\& strcmp(mentry->name, mp->name) == 0) {/
	}' libarchive/archive_read_support_format_mtree.c
	version 3.2.2
	rm -r 3.?.?-build
	make_list
	make_rules
	! cmp -s 3.2.2/libarchive.so.13.2.2 3.3.0/libarchive.so.13.3.0
}

make_list() {
	awk 'BEGIN {
		print "#mtree\n/set type=file uid=0 gid=0 mode=644"
		split("cache pictures pages mails", kinds)
		for (i = 0; i < 36000; i++)
			printf "./srv/www/shops/shop-%02d/%s/item-%d time=%d.0 size=%d\n", i * 7 % 89,
				kinds[i % 4 + 1], i, 1610000000 + i * 977, i * 7919 % 65536
	}' > files.mtree
}

# For each shop what to leave out; the mails of a few are kept.
make_rules() {
	local shop
	for shop in $(seq -w 0 88); do
		printf "*/shop-$shop/%s/*\n" cache pictures pages
		[[ $shop == *7 ]] || echo "*/shop-$shop/mails/*"
	done > rules
}

# ask NUMBER: the bsdtar of this number.
ask() {
	export LD_LIBRARY_PATH=$built/$1
	record "$built/$1/bsdtar-$1" -t -f "$built/files.mtree" -X "$built/rules"
	[ "$(grep -c '^[.]/srv/' output)" = 911 ]
}

base() {
	ask 3.3.0
}

slow() {
	ask 3.2.2
}

truth() {
	echo '^(parse_file|read_header)$' '^libarchive[.]so'
}
