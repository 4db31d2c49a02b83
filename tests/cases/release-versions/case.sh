# SPDX-License-Identifier: MIT
# A program goes through the dictionaries of photo libraries, which are property lists. libplist 2.0
# keeps a number as the place where its iterator is, and counts to it from the first item each time;
# 2.1 keeps the item ("Improve performance of plist_dict_next_item() drastically", says its NEWS). The
# slow run's library is of the same source with that change taken out.

about="two versions of libplist, one that counts from the first item of a dictionary to each"
cause=real
traits="own program with libplist: two versions of the library by their file names, C, one thread"
packages=(dpkg-dev gcc libc6-dev)
half=fresh
says="the cause is plist_dict_next_item of libplist-2.0.so: to come to each next item of a dictionary it counts from the first one, in node_nth_child"
told='plist_dict_next_item|node_nth_child'

build() {
	fetch_source libplist
	version 3.3.0
	sed -i -e '/^PLIST_API void plist_dict_new_iter/,/^}/{
			s/sizeof(node_t[*])/sizeof(uint32_t)/
			s/[*]((node_t[*][*])([*]iter)) = node_first_child(node);/*(uint32_t *)*iter = 0;/
		}' -e '/^PLIST_API void plist_dict_next_item/,/^}/{
			s/node_t[*][*] iter_node = (node_t[*][*])iter;/uint32_t *place = iter;/
			s/&& [*]iter_node)/\&\& *place < node_n_children(node))/
			s/(plist_t)([*]iter_node)/(plist_t)node_nth_child(node, *place)/
			s/[*]iter_node = node_next_sibling([*]iter_node);/(*place)++;/
		}' src/plist.c
	[ "$(grep -c 'node_nth_child(node, [*]place)' src/plist.c)" = 2 ]
	version 3.2.0
	# shellcheck disable=SC2086 # several flags
	gcc $stock_flags -Iinclude -o catalogue "$case_dir/catalogue.c" -L3.3.0 -l:libplist-2.0.so.3
	make_libraries
	! cmp -s 3.2.0/libplist-2.0.so.3.2.0 3.3.0/libplist-2.0.so.3.3.0
}

# version NUMBER: what the source is now, as a library of this number in a folder of that name.
version() {
	mkdir "$1"
	# shellcheck disable=SC2086 # several flags
	gcc $stock_flags -fPIC -fvisibility=hidden -DHAVE_FVISIBILITY -D_GNU_SOURCE -DHAVE_GMTIME_R \
		-DHAVE_LOCALTIME_R -DHAVE_TIMEGM -DHAVE_STRPTIME -DHAVE_MEMMEM -DHAVE_TM_TM_GMTOFF \
		-DHAVE_TM_TM_ZONE -w -Iinclude -Isrc -Ilibcnary/include -shared \
		-Wl,-soname,libplist-2.0.so.3 -o "$1/libplist-2.0.so.$1" src/*.c libcnary/*.c -lm -lpthread
	ln -s "libplist-2.0.so.$1" "$1/libplist-2.0.so.3"
}

# Two hundred libraries of 1600 photos each.
make_libraries() {
	local number
	mkdir libraries
	for number in {001..200}; do
		awk -v number="$number" 'BEGIN {
			print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>"
			print "<key>Photos</key>\n<dict>"
			for (i = 0; i < 1600; i++) {
				printf "<key>IMG_%s%05d</key>\n<dict>\n", number, i
				printf "<key>Album</key><string>Tour %d</string>\n", i * 7919 % 83
				printf "<key>Size</key><integer>%d</integer>\n", 900000 + i * 7789 % 65537 * 40
				printf "<key>Width</key><integer>%d</integer>\n", i % 3 ? 4032 : 3024
				printf "<key>Height</key><integer>%d</integer>\n</dict>\n", i % 3 ? 3024 : 4032
			}
			print "</dict>\n</dict>\n</plist>"
		}' > "libraries/$number.plist"
	done
}

# list NUMBER: with the library of this number.
list() {
	export LD_LIBRARY_PATH=$built/$1
	record "$built/catalogue" "$built"/libraries/*
	[ "$(grep -c '^Tour [0-9]*: [0-9]* photos, ' output)" = 83 ]
}

base() {
	list 3.3.0
}

slow() {
	list 3.2.0
}

truth() {
	echo '^plist_dict_next_item$' '^libplist-2[.]0[.]so'
}
