# SPDX-License-Identifier: MIT
# A generated makefile describes the modules of a project; many have double-colon rules of their own
# for clean and install, as Imake and MakeMaker write them. make appends each such rule to the list of
# its target's rules. The slow one keeps no pointer to the last of them, as until 2006, and walks the
# list each time (savannah.gnu.org/bugs/?15533). Both find that nothing is to be done.

about="double-colon rules appended to a list without its end, the fix reverted"
cause=real
traits="make: build tool, C, one thread"
packages=(autoconf automake autopoint dpkg-dev gcc libc6-dev make pkg-config)
stack_bytes=4096
half=fresh
says="the cause is enter_file of make: to append a double-colon rule it walks the list of all the rules that the target had before"
told='enter_file'

# compiled FOLDER: make as the source is now, in a folder of its own.
compiled() {
	make -C source -j"$(nproc)"
	mkdir "$1"
	cp source/make "$1"
}

build() {
	mkdir source
	(
		cd source
		fetch_source make-dfsg
		autoreconf -fi
		./configure --disable-nls --without-guile CFLAGS="$stock_flags"
	)
	compiled base
	sed -i '/^enter_file (/,/^}/{
		/^ *f->last = new;$/d
		s/^\( *\)f->last->prev = new;$/\1while (f->prev)\n\1  f = f->prev;\n\1f->prev = new;/
	}' source/src/file.c
	[ "$(grep -c -e '^      while (f->prev)$' -e '^      f->prev = new;$' source/src/file.c)" = 2 ]
	compiled slow
	! cmp -s base/make slow/make
	rm -r source
	# Parts of 100 modules each; every fourth module has rules of its own to clean and install.
	awk 'BEGIN {
		print "install::\n\tmkdir -p $(DESTDIR)/usr/bin $(DESTDIR)/usr/include\n"
		for (i = 0; i < 75000; i++) {
			part = "part" int(i / 100)
			name = "src/" part "/module" i % 100
			objects = objects " " name ".o"
			printf "%s.o: %s.c %s.h", name, name, name
			for (j = 1; j <= 12; j++)
				printf " include/shop/header%d.h", i * j * 7919 % 500
			print "\n\t$(CC) $(CFLAGS) -c -o $@ $<"
			if (i % 4 == 0) {
				print "clean::\n\trm -f " name ".o"
				print "install::\n\tcp " name ".h $(DESTDIR)/usr/include"
			}
			if (i % 100 == 99) {
				print part ":" objects "\n"
				objects = ""
			}
		}
	}' > Makefile
}

# make_part FOLDER: one part, by that make.
make_part() {
	mkdir -p include/shop src/part7
	touch include/shop/header{0..499}.h src/part7/module{0..99}.{c,h}
	touch src/part7/module{0..99}.o
	record "$built/$1/make" -f "$built/Makefile" part7
	grep -q "^make: Nothing to be done for 'part7'.$" output
}

base() {
	make_part base
}

slow() {
	make_part slow
}

truth() {
	echo '^enter_file$' '^make$'
}
